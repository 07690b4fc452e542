import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { queryClient } from '#lib/api/query-client.ts';
import { useMayCall } from '#lib/api/session.ts';
import { useAction, useCall } from '#lib/api/use-call.ts';
import { useSearchFilters } from '#lib/browser/search-params.ts';
import { serverToday } from '#lib/browser/server-time.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { AdminList, adminPageSize } from '#ui/data/admin-list.tsx';
import type { Column } from '#ui/data/data-table.tsx';
import { FileDrop } from '#ui/files/file-drop.tsx';
import { Checkbox } from '#ui/forms/checkbox.tsx';
import { FormDialog, FormField } from '#ui/forms/form-dialog.tsx';
import { TextAreaField } from '#ui/forms/text-area-field.tsx';
import { useIsOfOneAgency } from '#ui/search/agency-choices.ts';
import { Moment } from '#ui/values/moment.tsx';
import { EmailAddress, Reference } from '#ui/values/reference.tsx';
import { StatusTag } from '#ui/values/status-tag.tsx';
import {
  answerComplaint,
  complaintLength,
  complaintStates,
  getComplaints,
  type Complaint,
} from '@diwan/contract/content/complaints';
import { ComplaintFiles } from './complaint-files.tsx';
import { useComplaintFiles } from './use-complaint-files.ts';

function AnswerDialog({ complaint, onClose }: { complaint: Complaint; onClose: () => void }) {
  const { t } = useTranslation('complaints');
  const form = useForm({ defaultValues: { answer: '', isClosed: true } });
  const files = useComplaintFiles();
  const [areFilesMissing, setAreFilesMissing] = useState(false);
  const refresh = () => queryClient.invalidateQueries({ queryKey: [getComplaints.name] });
  const send = useAction(answerComplaint, {
    skipErrorHandling: true,
    onSuccess: async () => {
      showToast(t('staff.done'), 'success');
      onClose();
      await refresh();
    },
    onError: (error) => (error.name === 'RecordHasChanged' ? refresh() : undefined),
  });
  const { minimum, maximum } = complaintLength;
  return (
    <FormDialog
      form={form}
      title={t('staff.replyTitle', { reference: `\u2068${complaint.reference}\u2069` })}
      submitLabel={t('staff.send')}
      pendingLabel={t('staff.pending')}
      cancelLabel={t('staff.cancel')}
      isPending={send.isPending}
      error={send.error}
      onResetError={send.reset}
      onSubmit={(values) => {
        setAreFilesMissing(!files.isReady);
        if (!files.isReady) return;
        const { complaintId, version } = complaint;
        send.mutate({
          body: { complaintId, version, ...values, documentIds: files.documentIds },
        });
      }}
      onClose={onClose}
    >
      <p className="whitespace-pre-line wrap-anywhere">
        <bdi>{complaint.text}</bdi>
      </p>
      <FormField
        control={form.control}
        name="answer"
        validate={(text) =>
          text.trim().length < minimum ? t('staff.short', { minimum }) : undefined
        }
      >
        {(field) => (
          <TextAreaField
            {...field}
            label={t('staff.answer')}
            description={t('staff.answerHint')}
            rows={6}
            maxLength={maximum}
          />
        )}
      </FormField>
      <FileDrop
        {...files.field}
        label={t('files.label')}
        isOptional
        error={areFilesMissing && !files.isReady ? t('files.notReady') : undefined}
      />
      <FormField control={form.control} name="isClosed">
        {(field) => <Checkbox {...field} label={t('staff.close')} />}
      </FormField>
    </FormDialog>
  );
}

const tones = { received: 'waiting', answered: 'progress', closed: 'done' } as const;

function useColumns(onAnswer: (complaint: Complaint) => void): Column<Complaint>[] {
  const { t } = useTranslation('complaints');
  const { day } = useFormat();
  const mayAnswer = useMayCall(answerComplaint);
  const today = serverToday();
  const isOfOneAgency = useIsOfOneAgency();
  return [
    {
      key: 'what',
      header: t('staff.what'),
      isPrimary: true,
      cell: (row) => (
        <>
          <Reference>{row.reference}</Reference>
          <span className="block whitespace-pre-line wrap-anywhere">
            <bdi>{row.text}</bdi>
          </span>
          <ComplaintFiles documents={row.documents} />
          {row.answers.map(({ text, at, documents }) => (
            <span key={at} className="mt-2 block border-s-2 border-ink-100 ps-3">
              <bdi className="whitespace-pre-line wrap-anywhere">{text}</bdi>
              <span className="block text-sm text-ink-600">
                <Moment at={at} />
              </span>
              <ComplaintFiles documents={documents} />
            </span>
          ))}
        </>
      ),
    },
    {
      key: 'about',
      header: t('staff.about'),
      cell: (row) => (
        <>
          <span>{row.serviceName ?? t(`subjects.${row.subject}`)}</span>
          {row.requestNumber ? (
            <span className="block">
              <Reference>{row.requestNumber}</Reference>
            </span>
          ) : null}
          {isOfOneAgency ? null : (
            <span className="block text-sm text-ink-600">
              {row.agencyName ?? t('staff.portal')}
            </span>
          )}
        </>
      ),
    },
    {
      key: 'from',
      header: t('staff.from'),
      cell: (row) => (
        <>
          <bdi>{row.fullName}</bdi>
          <span className="block text-sm">
            <EmailAddress>{row.email}</EmailAddress>
          </span>
          <span className="block text-sm text-ink-600">
            <Moment at={row.at} />
          </span>
        </>
      ),
    },
    {
      key: 'state',
      header: t('staff.state'),
      cell: (row) => (
        <div className="flex flex-col items-start gap-2">
          <StatusTag tone={tones[row.state]}>{t(`states.${row.state}`)}</StatusTag>
          {row.state === 'closed' ? null : (
            <span className="text-sm text-ink-600">
              <span>{t('staff.due')}</span> <span>{day(row.answerBy)}</span>
              {row.state === 'received' && row.answerBy < today ? (
                <strong className="block text-ink-900">{t('staff.late')}</strong>
              ) : null}
            </span>
          )}
          {mayAnswer && row.state !== 'closed' ? (
            <Button variant="secondary" size="sm" onPress={() => onAnswer(row)}>
              {t('staff.reply')}
            </Button>
          ) : null}
        </div>
      ),
    },
  ];
}

/** The complaints that an administrator answers, those due first. */
export function AdminComplaintsPage() {
  const { t } = useTranslation('complaints');
  const [answered, setAnswered] = useState<Complaint>();
  const filters = useSearchFilters('state');
  const State = complaintStates.find((state) => state === filters.values.state);
  const list = useCall(getComplaints, {
    query: { State, PageNumber: filters.page, Take: adminPageSize },
    keepPrevious: true,
  });
  return (
    <>
      <AdminList
        title={t('title')}
        lead={t('staff.lead')}
        filters={filters}
        filter={{
          name: 'state',
          label: t('staff.state'),
          any: t('staff.anyState'),
          choices: complaintStates.map((value) => ({ value, label: t(`states.${value}`) })),
        }}
        list={list}
        emptyTitle={t('staff.none')}
        columns={useColumns(setAnswered)}
        rowKey={(row) => row.reference}
      />
      {answered ? (
        <AnswerDialog complaint={answered} onClose={() => setAnswered(undefined)} />
      ) : null}
    </>
  );
}
