import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Ban, Download, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import type { ApiError } from '#lib/api/api-error.ts';
import { saveFile } from '#lib/api/download.ts';
import { send } from '#lib/api/send.ts';
import { mayCall, useSession } from '#lib/api/session.ts';
import { useAction } from '#lib/api/use-call.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { Card } from '#ui/data/card.tsx';
import { KeyValueList } from '#ui/data/key-value-list.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { FormDialog, FormField } from '#ui/forms/form-dialog.tsx';
import { SelectField } from '#ui/forms/select-field.tsx';
import { TextAreaField } from '#ui/forms/text-area-field.tsx';
import { Moment } from '#ui/values/moment.tsx';
import { Reference } from '#ui/values/reference.tsx';
import { StatusTag } from '#ui/values/status-tag.tsx';
import { TypedText } from '#ui/values/typed-text.tsx';
import { getCertificatePath } from '@diwan/contract/content/certificates';
import {
  getCertificates,
  maximumRevocationNote,
  restorationReasons,
  restoreCertificate,
  revocationReasons,
  revokeCertificate,
  type CertificateState,
  type RequestCertificate,
  type RestorationReason,
  type RevocationReason,
} from '@diwan/contract/content/issued-certificates';
import { getRequestById, type RequestRecord } from '@diwan/contract/requests/requests';
import { DownloadOutcome } from './download-invoice.tsx';

const tones = { valid: 'done', expired: 'waiting', revoked: 'refused' } as const;

/** The state of a certificate. */
export function CertificateStateTag({ state }: { state: CertificateState }) {
  const { t } = useTranslation('certificates');
  return <StatusTag tone={tones[state]}>{t(`certificateStates.${state}`)}</StatusTag>;
}

/** Downloads the certificate of a request, with progress and errors beside the button. */
export function DownloadCertificate({
  requestId,
  number,
  isMain = false,
  isSmall = false,
}: {
  requestId: number;
  number: string;
  isMain?: boolean;
  /** In a row of a list. */
  isSmall?: boolean;
}) {
  const { t } = useTranslation('certificates');
  const { mutate, isPending, isSuccess, error } = useMutation<void, ApiError>({
    mutationFn: async () => {
      const filePath = await send(getCertificatePath, {
        query: { RequestId: requestId },
        skipErrorHandling: true,
      });
      await saveFile(filePath, `${number}.pdf`);
    },
  });
  return (
    <div data-no-print className="flex flex-col items-stretch gap-2 sm:items-start">
      <Button
        variant={isMain ? 'primary' : 'secondary'}
        size={isSmall ? 'sm' : undefined}
        aria-label={isSmall ? t('list.downloadName', { number }) : undefined}
        icon={<Download aria-hidden size={isSmall ? 18 : 20} />}
        isPending={isPending}
        onPress={() => mutate()}
      >
        {t(isPending ? 'download.pending' : isSmall ? 'list.download' : 'download.button')}
      </Button>
      <DownloadOutcome done={isSuccess ? t('download.done') : ''} error={error} />
    </div>
  );
}

/** What a certificate says of itself, and what happened to it after its issue. */
export function CertificateDetails({ certificate }: { certificate: RequestCertificate }) {
  const { t } = useTranslation('certificates');
  const { date } = useFormat();
  const { number, state, issuedOn, validUntil, events } = certificate;
  const dayOf = (day: string) => <bdi>{date(`${day}T00:00:00+04:00`)}</bdi>;
  return (
    <div className="flex flex-col gap-4">
      {state === 'revoked' ? <Alert tone="danger">{t('record.revoked')}</Alert> : null}
      <KeyValueList
        items={[
          { label: t('labels.state'), value: <CertificateStateTag state={state} /> },
          { label: t('labels.number'), value: <Reference>{number}</Reference> },
          { label: t('labels.issued'), value: dayOf(issuedOn) },
          {
            label: t('labels.validUntil'),
            value: validUntil ? dayOf(validUntil) : t('labels.noEnd'),
          },
        ]}
      />
      {events.length > 0 ? (
        <section className="flex flex-col gap-2">
          <h3 className="text-base">{t('record.history')}</h3>
          <ol className="flex flex-col gap-3">
            {events.map((event) => (
              <li key={event.at} className="border-s-2 border-ink-200 ps-3">
                <p className="font-semibold">{t(`record.events.${event.action}`)}</p>
                <p className="text-sm text-ink-600">
                  <Moment at={event.at} />
                  {event.by ? (
                    <>
                      {' · '}
                      <bdi>{event.by}</bdi>
                    </>
                  ) : null}
                </p>
                {event.reason === 'other' ? null : <p>{t(`reasons.${event.reason}`)}</p>}
                {event.note ? <TypedText>{event.note}</TypedText> : null}
              </li>
            ))}
          </ol>
        </section>
      ) : null}
    </div>
  );
}

/** The certificate of a request for staff, who can revoke it or make it valid again. */
export function StaffCertificate({ record }: { record: RequestRecord }) {
  const { t } = useTranslation('certificates');
  const session = useSession();
  const [isOpen, setIsOpen] = useState(false);
  const { certificate, requestId } = record;
  if (!certificate) return null;
  const action = certificate.state === 'revoked' ? 'restore' : 'revoke';
  return (
    <Card title={t('record.staffTitle')}>
      <div className="flex flex-col gap-4">
        <CertificateDetails certificate={certificate} />
        <div className="flex flex-wrap gap-3">
          <DownloadCertificate requestId={requestId} number={certificate.number} />
          {mayCall(session, revokeCertificate) ? (
            <Button
              variant={action === 'revoke' ? 'danger' : 'secondary'}
              icon={
                action === 'revoke' ? (
                  <Ban aria-hidden size={18} />
                ) : (
                  <RotateCcw aria-hidden size={18} />
                )
              }
              onPress={() => setIsOpen(true)}
            >
              {t(`${action}.open`)}
            </Button>
          ) : null}
        </div>
      </div>
      {isOpen ? (
        <ChangeDialog
          action={action}
          requestId={requestId}
          number={certificate.number}
          onClose={() => setIsOpen(false)}
        />
      ) : null}
    </Card>
  );
}

interface ChangeValues {
  reason: string;
  note: string;
}

function useCertificateChange(action: 'revoke' | 'restore', onClose: () => void) {
  const { t } = useTranslation('certificates');
  const client = useQueryClient();
  const refresh = () =>
    Promise.all(
      [getRequestById, getCertificates].map(({ name }) =>
        client.invalidateQueries({ queryKey: [name] }),
      ),
    );
  const options = {
    skipErrorHandling: true,
    onSuccess: async () => {
      await refresh();
      showToast(t(`${action}.done`), 'success');
      onClose();
    },
    onError: (error: ApiError) => (error.name === 'RecordHasChanged' ? refresh() : undefined),
  };
  const revoke = useAction(revokeCertificate, options);
  const restore = useAction(restoreCertificate, options);
  const { isPending, error, reset } = action === 'revoke' ? revoke : restore;
  return {
    isPending,
    error,
    reset,
    submit(requestId: number, { reason, note }: ChangeValues) {
      if (action === 'revoke')
        revoke.mutate({ body: { requestId, reason: reason as RevocationReason, note } });
      else restore.mutate({ body: { requestId, reason: reason as RestorationReason, note } });
    },
  };
}

/** Asks for the reason, which the applicant reads. */
function ChangeDialog({
  action,
  requestId,
  number,
  onClose,
}: {
  action: 'revoke' | 'restore';
  requestId: number;
  number: string;
  onClose: () => void;
}) {
  const { t } = useTranslation('certificates');
  const form = useForm<ChangeValues>({ defaultValues: { reason: '', note: '' } });
  const reason = useWatch({ control: form.control, name: 'reason' });
  const change = useCertificateChange(action, onClose);
  const reasons = action === 'revoke' ? revocationReasons : restorationReasons;
  return (
    <FormDialog
      form={form}
      // U+2060: a phone breaks the title beside the number, not at a hyphen in it.
      title={t(`${action}.title`, { number: `\u2068${number.replaceAll('-', '-\u2060')}\u2069` })}
      submitLabel={t(`${action}.submit`)}
      cancelLabel={t(`${action}.cancel`)}
      isDangerous={action === 'revoke'}
      isPending={change.isPending}
      error={change.error}
      onResetError={change.reset}
      onSubmit={(values) => change.submit(requestId, values)}
      onClose={onClose}
    >
      <p>{t(`${action}.text`)}</p>
      <FormField
        control={form.control}
        name="reason"
        validate={(chosen) => (chosen === '' ? t('revoke.choose') : undefined)}
      >
        {(field) => (
          <SelectField
            {...field}
            label={t('revoke.reason')}
            choices={reasons.map((each) => ({ value: each, label: t(`reasons.${each}`) }))}
          />
        )}
      </FormField>
      <FormField
        control={form.control}
        name="note"
        validate={(text, { reason: chosen }) =>
          chosen === 'other' && text.trim() === '' ? t('revoke.noteMissing') : undefined
        }
      >
        {(field) => (
          <TextAreaField
            {...field}
            label={t('revoke.note')}
            description={t('revoke.noteHint')}
            rows={3}
            maxLength={maximumRevocationNote}
            isOptional={reason !== 'other'}
          />
        )}
      </FormField>
    </FormDialog>
  );
}
