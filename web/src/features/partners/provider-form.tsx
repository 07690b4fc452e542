import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import {
  partnerDocumentNames,
  partnerDocumentTypes,
} from '@diwan/contract/people/partner-registration';
import { messageOf } from '../../lib/api/handle-error.ts';
import type { SendError } from '../../lib/api/send-error.ts';
import { Button } from '../../ui/actions/button.tsx';
import { ErrorSummary } from '../../ui/forms/error-summary.tsx';
import { FileDrop } from '../../ui/files/file-drop.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { TextField } from '../../ui/forms/text-field.tsx';
import { ProviderAgencies } from './provider-agencies.tsx';
import { useProviderDocuments } from './provider-documents.ts';
import { issuesOf, type ProviderValues } from './provider-form-values.ts';

interface ProviderFormProps {
  initial: ProviderValues;
  /** Documents that were sent before stay unless they are sent again. */
  hasDocuments: boolean;
  submitLabel: string;
  isPending: boolean;
  error: SendError | null;
  onForget: () => void;
  onSubmit: (values: ProviderValues, documentIds: string[]) => void;
  /**
   * What else must be right before it is sent, such as the terms; `fault` is what is missing then.
   */
  end?: {
    content: (error: string | undefined) => ReactNode;
    isRight: boolean;
    focusId: string;
    fault: string;
  };
}

const section = 'flex flex-col gap-5';

/**
 * What a service provider says of itself, and its documents; to register, and to mend what was
 * asked again.
 */
export function ProviderForm({
  initial,
  hasDocuments,
  submitLabel,
  isPending,
  error,
  onForget,
  onSubmit,
  end,
}: ProviderFormProps) {
  const { t } = useTranslation(['partners', 'errors']);
  const [values, setValues] = useState(initial);
  const [attempt, setAttempt] = useState(0);
  const documents = useProviderDocuments();
  const issues = issuesOf(values);
  const missing = hasDocuments
    ? []
    : partnerDocumentNames.filter((name) => !documents.isThere(name));
  const ofServer = (name: string) => error?.fieldErrors[name]?.[0];
  const errorOf = (name: string): string | undefined => {
    const issue = attempt > 0 ? issues.find(({ field }) => field === name) : undefined;
    if (issue) return t(`validation.${issue.code}`, { ns: 'errors', ...issue.params });
    return name === 'licenceNumber' && error?.name === 'LicenceNumberInUse'
      ? messageOf(error)
      : ofServer(name);
  };
  const documentError = (name: (typeof partnerDocumentNames)[number]) =>
    attempt > 0 && missing.includes(name) && !documents.isSending
      ? t('validation.attachmentMissing', { ns: 'errors' })
      : ofServer(`documents.${name}`);
  const endError = attempt > 0 && end && !end.isRight ? end.fault : undefined;
  const all: { focusId: string; label?: string; message: string | undefined }[] = [
    ...(
      [
        'nameAr',
        'nameEn',
        'nameUr',
        'licenceNumber',
        'agencyIds',
        'contactName',
        'contactEmail',
        'contactPhone',
      ] as const
    ).map((name) => ({
      focusId: name,
      label: t(`form.${name === 'agencyIds' ? 'agencies' : name}`),
      message: errorOf(name),
    })),
    ...partnerDocumentNames.map((name) => ({
      focusId: `documents.${name}`,
      label: t(`documents.${name}`),
      message: documentError(name),
    })),
    ...(end ? [{ focusId: end.focusId, message: endError }] : []),
  ];
  const shown = all.flatMap(({ focusId, label, message }) =>
    message ? [{ focusId, message: label ? `${label}: ${message}` : message }] : [],
  );
  const change = (part: Partial<ProviderValues>) => {
    setValues({ ...values, ...part });
    if (error) onForget();
  };
  const field = (name: Exclude<keyof ProviderValues, 'agencyIds'>) => ({
    name,
    label: t(`form.${name}`),
    value: values[name],
    error: errorOf(name),
    onChange: (value: string) => change({ [name]: value }),
  });
  const submit = () => {
    setAttempt(attempt + 1);
    if (
      isPending ||
      documents.isSending ||
      issues.length > 0 ||
      missing.length > 0 ||
      (end && !end.isRight)
    )
      return;
    onSubmit(values, documents.documentIds);
  };
  const isElsewhere =
    error && error.name !== 'LicenceNumberInUse' && Object.keys(error.fieldErrors).length === 0;
  return (
    <form
      noValidate
      className="flex flex-col gap-10"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {shown.length > 0 ? <ErrorSummary key={attempt} errors={shown} /> : null}
      {isElsewhere ? (
        <Notice tone="danger" isLive>
          {messageOf(error)}
        </Notice>
      ) : null}
      <section className={section}>
        <h2 className="text-lg">{t('form.provider')}</h2>
        <TextField {...field('nameAr')} dir="auto" maxLength={200} autoComplete="off" />
        <TextField {...field('nameEn')} dir="auto" maxLength={200} autoComplete="organization" />
        <TextField {...field('nameUr')} isOptional dir="auto" maxLength={200} autoComplete="off" />
        <TextField
          {...field('licenceNumber')}
          dir="auto"
          width="medium"
          maxLength={40}
          description={t('form.licenceHint')}
          autoComplete="off"
        />
      </section>
      <section className={section}>
        <h2 className="text-lg">{t('form.agencies')}</h2>
        <ProviderAgencies
          value={values.agencyIds}
          onChange={(agencyIds) => change({ agencyIds })}
          error={errorOf('agencyIds')}
        />
      </section>
      <section className={section}>
        <h2 className="text-lg">{t('form.contact')}</h2>
        <p className="text-ink-600">{t('form.contactHint')}</p>
        <TextField {...field('contactName')} dir="auto" maxLength={200} autoComplete="name" />
        <TextField
          {...field('contactEmail')}
          type="email"
          dir="ltr"
          maxLength={254}
          autoComplete="email"
        />
        <TextField
          {...field('contactPhone')}
          type="tel"
          inputMode="tel"
          dir="ltr"
          width="medium"
          maxLength={40}
          autoComplete="tel"
        />
      </section>
      <section className={section}>
        <h2 className="text-lg">{t('form.documents')}</h2>
        {hasDocuments ? <p className="text-ink-600">{t('form.documentsStay')}</p> : null}
        {partnerDocumentNames.map((name) => (
          <FileDrop
            key={name}
            name={`documents.${name}`}
            label={t(`documents.${name}`)}
            description={t(`documents.${name}Hint`)}
            isOptional={hasDocuments}
            accept={partnerDocumentTypes}
            maximumCount={documents.roomFor(name)}
            files={documents.fileOf(name)}
            error={documentError(name)}
            onAdd={(files) => documents.add(name, files)}
            onCancel={() => documents.remove(name)}
            onRemove={() => documents.remove(name)}
            onRetry={() => documents.retry(name)}
          />
        ))}
      </section>
      {end?.content(endError)}
      <div className="flex flex-col items-start gap-2">
        <Button type="submit" size="lg" isPending={isPending}>
          {submitLabel}
        </Button>
        <p role="status" className="text-sm text-ink-600">
          {attempt > 0 && documents.isSending ? t('form.stillSending') : ''}
        </p>
      </div>
    </form>
  );
}
