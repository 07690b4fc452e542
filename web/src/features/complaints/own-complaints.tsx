import { useState } from 'react';
import { useCall } from '#lib/api/use-call.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Card } from '#ui/data/card.tsx';
import { KeyValueList } from '#ui/data/key-value-list.tsx';
import { Pager } from '#ui/data/pager.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { Moment } from '#ui/values/moment.tsx';
import { Reference } from '#ui/values/reference.tsx';
import { StatusTag } from '#ui/values/status-tag.tsx';
import {
  getMyComplaints,
  type ComplaintState,
  type OwnComplaint,
} from '@diwan/contract/content/complaints';
import { ComplaintFiles, type Proof } from './complaint-files.tsx';

/** The colour of each state. */
const complaintTones = {
  received: 'waiting',
  answered: 'progress',
  closed: 'done',
} as const satisfies Record<ComplaintState, string>;

/** One complaint with its answers, for the person who sent it. */
export function ShownComplaint({
  complaint,
  proof,
}: {
  complaint: OwnComplaint;
  proof?: Proof | undefined;
}) {
  const { t } = useTranslation('complaints');
  const { day } = useFormat();
  return (
    <section className="flex flex-col gap-3 border-t border-ink-100 pt-4">
      <div className="flex flex-wrap items-center gap-3">
        <Reference>{complaint.reference}</Reference>
        <StatusTag tone={complaintTones[complaint.state]}>
          {t(`states.${complaint.state}`)}
        </StatusTag>
      </div>
      <KeyValueList
        items={[
          {
            label: t('form.subject'),
            value: complaint.serviceName ?? t(`subjects.${complaint.subject}`),
          },
          { label: t('one.sent'), value: <Moment at={complaint.at} as="date" /> },
          { label: t('one.answerBy'), value: day(complaint.answerBy) },
          {
            label: t('form.text'),
            value: (
              <>
                <bdi className="whitespace-pre-line wrap-anywhere">{complaint.text}</bdi>
                <ComplaintFiles documents={complaint.documents} proof={proof} />
              </>
            ),
          },
          ...complaint.answers.map(({ text, at, documents }) => ({
            label: t('one.answer'),
            value: (
              <>
                <bdi className="whitespace-pre-line wrap-anywhere">{text}</bdi>
                <span className="block text-sm text-ink-600">
                  <Moment at={at} />
                </span>
                <ComplaintFiles documents={documents} proof={proof} />
              </>
            ),
          })),
        ]}
      />
      {complaint.answers.length === 0 ? <p>{t('one.noAnswer')}</p> : null}
    </section>
  );
}

const pageSize = 10;

/** The complaints that the user has sent while signed in, page by page. */
export function MyComplaints() {
  const { t } = useTranslation('complaints');
  const [page, setPage] = useState(1);
  const { data, error, refetch, isRefetching } = useCall(getMyComplaints, {
    query: { PageNumber: page, Take: pageSize },
    keepPrevious: true,
  });
  if (error)
    return (
      <ErrorState
        error={error}
        title={t('follow.failed')}
        onRetry={refetch}
        isRetrying={isRefetching}
      />
    );
  return (
    <Card title={t('follow.mine')}>
      {data?.totalCount === 0 ? <p className="text-ink-600">{t('follow.none')}</p> : null}
      <div className="flex flex-col gap-6">
        {data?.items.map((complaint) => (
          <ShownComplaint key={complaint.reference} complaint={complaint} />
        ))}
        <Pager
          pageNumber={page}
          pageSize={pageSize}
          totalCount={data?.totalCount ?? 0}
          onSelect={setPage}
        />
      </div>
    </Card>
  );
}
