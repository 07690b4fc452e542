import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { queryClient } from '#lib/api/query-client.ts';
import { useAction, useCall } from '#lib/api/use-call.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import type { Column } from '#ui/data/data-table.tsx';
import { LoadedTable } from '#ui/data/loaded-table.tsx';
import { FormDialog, FormField } from '#ui/forms/form-dialog.tsx';
import { RadioGroup } from '#ui/forms/radio-group.tsx';
import { TextAreaField } from '#ui/forms/text-area-field.tsx';
import { useIsOfOneAgency } from '#ui/search/agency-choices.ts';
import { Moment } from '#ui/values/moment.tsx';
import { Reference } from '#ui/values/reference.tsx';
import { StatusTag } from '#ui/values/status-tag.tsx';
import {
  findingTextLength,
  getUrgentOpenings,
  reviewUrgentOpening,
  urgentFindings,
  type UrgentFinding,
  type UrgentOpening,
} from '@diwan/contract/staff/urgent-reading';

function ReviewDialog({ opening, onClose }: { opening: UrgentOpening; onClose: () => void }) {
  const { t } = useTranslation('urgent');
  const form = useForm({ defaultValues: { finding: '', findingText: '' } });
  const refresh = () => queryClient.invalidateQueries({ queryKey: [getUrgentOpenings.name] });
  const review = useAction(reviewUrgentOpening, {
    skipErrorHandling: true,
    onSuccess: async () => {
      showToast(t('review.done'), 'success');
      onClose();
      await refresh();
    },
    onError: (error) => (error.name === 'RecordHasChanged' ? refresh() : undefined),
  });
  const { minimum, maximum } = findingTextLength;
  return (
    <FormDialog
      form={form}
      title={t('review.title', { number: `\u2068${opening.requestNumber}\u2069` })}
      submitLabel={t('review.send')}
      pendingLabel={t('review.pending')}
      cancelLabel={t('review.cancel')}
      isPending={review.isPending}
      error={review.error}
      onResetError={review.reset}
      onSubmit={({ finding, findingText }) =>
        review.mutate({
          body: { openingId: opening.openingId, finding: finding as UrgentFinding, findingText },
        })
      }
      onClose={onClose}
    >
      <p>
        <bdi className="block font-semibold">{opening.readerName}</bdi>
        <span>{t(`reasons.${opening.reason}`)}</span>
      </p>
      <p className="wrap-anywhere">
        <bdi>{opening.reasonText}</bdi>
      </p>
      <FormField
        control={form.control}
        name="finding"
        validate={(finding) => (finding === '' ? t('review.required') : undefined)}
      >
        {(field) => (
          <RadioGroup
            {...field}
            label={t('review.question')}
            choices={urgentFindings.map((value) => ({
              value,
              label: t(`list.findings.${value}`),
            }))}
          />
        )}
      </FormField>
      <FormField
        control={form.control}
        name="findingText"
        validate={(text) =>
          text.trim().length < minimum ? t('review.short', { minimum }) : undefined
        }
      >
        {(field) => (
          <TextAreaField
            {...field}
            label={t('review.words')}
            description={t('review.hint')}
            rows={3}
            maxLength={maximum}
          />
        )}
      </FormField>
    </FormDialog>
  );
}

function ReviewState({ opening, onReview }: { opening: UrgentOpening; onReview: () => void }) {
  const { t } = useTranslation('urgent');
  if (opening.finding === undefined)
    return (
      <div className="flex flex-col items-start gap-2">
        <StatusTag tone="waiting">{t('list.toReview')}</StatusTag>
        {opening.mayReview ? (
          <Button variant="secondary" size="sm" onPress={onReview}>
            {t('list.review')}
          </Button>
        ) : null}
      </div>
    );
  return (
    <>
      <StatusTag tone={opening.finding === 'justified' ? 'done' : 'refused'}>
        {t(`list.findings.${opening.finding}`)}
      </StatusTag>
      <span className="block wrap-anywhere">
        <bdi>{opening.findingText}</bdi>
      </span>
      <span className="block text-sm text-ink-600">
        <span className="block">
          {t('list.reviewedBy', { name: `\u2068${opening.reviewedBy}\u2069` })}
        </span>
        {opening.reviewedAt ? <Moment at={opening.reviewedAt} /> : null}
      </span>
    </>
  );
}

function useColumns(onReview: (opening: UrgentOpening) => void): Column<UrgentOpening>[] {
  const { t } = useTranslation('urgent');
  const isOfOneAgency = useIsOfOneAgency();
  return [
    {
      key: 'request',
      header: t('list.request'),
      isPrimary: true,
      cell: (row) => (
        <>
          <Reference>{row.requestNumber}</Reference>
          <span className="block text-sm">{row.serviceName}</span>
          {isOfOneAgency ? null : (
            <span className="block text-sm text-ink-600">{row.agencyName}</span>
          )}
          <span className="block text-sm text-ink-600">
            <bdi>{row.applicantName}</bdi>
          </span>
        </>
      ),
    },
    {
      key: 'by',
      header: t('list.by'),
      cell: (row) => (
        <>
          <bdi>{row.readerName}</bdi>
          <span className="block text-sm text-ink-600">
            <Moment at={row.at} />
          </span>
        </>
      ),
    },
    {
      key: 'why',
      header: t('list.why'),
      cell: (row) => (
        <>
          <span>{t(`reasons.${row.reason}`)}</span>
          <span className="block wrap-anywhere text-sm text-ink-600">
            <bdi>{row.reasonText}</bdi>
          </span>
        </>
      ),
    },
    {
      key: 'state',
      header: t('list.state'),
      cell: (row) => <ReviewState opening={row} onReview={() => onReview(row)} />,
    },
  ];
}

/** Each use of the urgent right that waits for a review, and those of some days; with their review. */
export function UrgentOpenings({ from, until }: { from: string; until: string }) {
  const { t } = useTranslation('urgent');
  const [reviewed, setReviewed] = useState<UrgentOpening>();
  const list = useCall(getUrgentOpenings, {
    query: { From: from, Until: until },
    keepPrevious: true,
  });
  return (
    <section className="mb-10 flex flex-col gap-4">
      <div>
        <h2 className="text-xl font-semibold">{t('list.title')}</h2>
        <p className="text-ink-600">{t('list.lead')}</p>
      </div>
      <LoadedTable
        list={list}
        failed={t('list.failed')}
        emptyTitle={t('list.none')}
        caption={t('list.title')}
        columns={useColumns(setReviewed)}
        rowKey={(row) => String(row.openingId)}
      />
      {reviewed ? <ReviewDialog opening={reviewed} onClose={() => setReviewed(undefined)} /> : null}
    </section>
  );
}
