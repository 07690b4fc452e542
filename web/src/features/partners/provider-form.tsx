import { useState, type ReactNode } from 'react';
import type { ApiError } from '#lib/api/api-error.ts';
import { messageOf } from '#lib/api/handle-error.ts';
import { useCall } from '#lib/api/use-call.ts';
import { containsText } from '#lib/i18n/normalize.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { ErrorAlert } from '#ui/feedback/alert.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { FileDrop } from '#ui/files/file-drop.tsx';
import { CheckboxGroup } from '#ui/forms/checkbox.tsx';
import { ErrorSummary } from '#ui/forms/error-summary.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import { governmentAgencyCollection } from '@diwan/contract/catalogue/agencies';
import {
  partnerDocumentNames,
  partnerDocumentTypes,
} from '@diwan/contract/people/partner-registration';
import { issuesOf, type ProviderValues } from './provider-form-values.ts';
import { usePartnerUploads } from './use-partner-uploads.ts';

interface ProviderAgenciesProps {
  value: readonly string[];
  onChange: (value: string[]) => void;
  error?: string;
}

/** The agencies of a provider, with a search; selected agencies stay visible. */
function ProviderAgencies({ value, onChange, error }: ProviderAgenciesProps) {
  const { t } = useTranslation('partners');
  const agencies = useCall(governmentAgencyCollection, {});
  const [text, setText] = useState('');
  // Agencies that were selected initially come first; newly selected ones keep their position.
  const [before] = useState(value);
  if (agencies.error)
    return (
      <ErrorState
        error={agencies.error}
        onRetry={agencies.refetch}
        isRetrying={agencies.isRefetching}
      />
    );
  if (!agencies.data) return <SkeletonRows count={3} />;
  const isBefore = ({ id }: { id: number }) => before.includes(String(id));
  const shown = [
    ...agencies.data.filter(isBefore),
    ...agencies.data.filter((agency) => !isBefore(agency)),
  ].filter(
    ({ id, name }) => text.trim() === '' || containsText(name, text) || value.includes(String(id)),
  );
  const hidden = value.filter((id) => !shown.some((agency) => String(agency.id) === id));
  return (
    <div className="flex flex-col gap-3">
      <TextField
        label={t('form.findAgency')}
        isLabelHidden
        isOptional
        placeholder={t('form.findAgency')}
        value={text}
        onChange={setText}
        maxLength={200}
      />
      <div className="max-h-96 overflow-y-auto rounded-md border border-ink-200 p-4">
        <CheckboxGroup
          name="agencyIds"
          label={t('form.agencyIds')}
          description={t('form.agenciesHint')}
          value={value}
          error={error}
          choices={shown.map(({ id, name }) => ({ value: String(id), label: name }))}
          onChange={(next) => onChange([...hidden, ...next])}
        />
      </div>
    </div>
  );
}

interface ProviderFormProps {
  initial: ProviderValues;
  /** Submitted documents stay unless they are replaced. */
  hasDocuments: boolean;
  submitLabel: string;
  isPending: boolean;
  error: ApiError | null;
  onClearError: () => void;
  onSubmit: (values: ProviderValues, documentIds: string[]) => void;
  /**
   * A further condition at the end of the form, for example the terms; `message` is its error
   * message.
   */
  end?: {
    content: (error: string | undefined) => ReactNode;
    isRight: boolean;
    focusId: string;
    message: string;
  };
}

const section = 'flex flex-col gap-5';

const fieldNames = [
  'nameAr',
  'nameEn',
  'nameUr',
  'licenceNumber',
  'agencyIds',
  'contactName',
  'contactEmail',
  'contactPhone',
] as const satisfies readonly (keyof ProviderValues)[];

type Documents = ReturnType<typeof usePartnerUploads>;
type DocumentName = (typeof partnerDocumentNames)[number];

/** What a provider types and uploads, and what is wrong with it after the first attempt to send it. */
function useProviderForm({
  initial,
  hasDocuments,
  isPending,
  error,
  onClearError,
  onSubmit,
  end,
}: ProviderFormProps) {
  const { t } = useTranslation(['partners', 'errors']);
  const [values, setValues] = useState(initial);
  const [attempt, setAttempt] = useState(0);
  const documents = usePartnerUploads();
  const issues = issuesOf(values);
  const missing = hasDocuments
    ? []
    : partnerDocumentNames.filter((name) => !documents.isThere(name));
  const ofServer = (name: string) => error?.fieldErrors[name]?.[0];
  const errorOf = (name: keyof ProviderValues): string | undefined => {
    const issue = attempt > 0 ? issues.find(({ field }) => field === name) : undefined;
    if (issue) return t(`validation.${issue.code}`, { ns: 'errors', ...issue.params });
    return name === 'licenceNumber' && error?.name === 'LicenceNumberInUse'
      ? messageOf(error)
      : ofServer(name);
  };
  const documentError = (name: DocumentName) =>
    attempt > 0 && missing.includes(name) && !documents.isSending
      ? t('validation.attachmentMissing', { ns: 'errors' })
      : ofServer(`documents.${name}`);
  const endError = attempt > 0 && end && !end.isRight ? end.message : undefined;
  const change = (part: Partial<ProviderValues>) => {
    setValues({ ...values, ...part });
    if (error) onClearError();
  };
  return {
    values,
    documents,
    attempt,
    errorOf,
    documentError,
    endError,
    change,
    /** The props of a text field. */
    field: (name: Exclude<keyof ProviderValues, 'agencyIds'>) => ({
      name,
      label: t(`form.${name}`),
      value: values[name],
      error: errorOf(name),
      onChange: (value: string) => change({ [name]: value }),
    }),
    submit: () => {
      setAttempt(attempt + 1);
      const isComplete = issues.length === 0 && missing.length === 0 && (!end || end.isRight);
      if (isComplete && !isPending && !documents.isSending) onSubmit(values, documents.documentIds);
    },
  };
}

type Fields = Pick<ReturnType<typeof useProviderForm>, 'field'>;

/** All errors of the form, with links to their fields. */
function useErrorSummary(
  { errorOf, documentError, endError }: ReturnType<typeof useProviderForm>,
  end: ProviderFormProps['end'],
) {
  const { t } = useTranslation('partners');
  const all: { focusId: string; label?: string; message: string | undefined }[] = [
    ...fieldNames.map((name) => ({
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
  return all.flatMap(({ focusId, label, message }) =>
    message ? [{ focusId, message: label ? `${label}: ${message}` : message }] : [],
  );
}

function NameFields({ field }: Fields) {
  const { t } = useTranslation('partners');
  return (
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
  );
}

function ContactFields({ field }: Fields) {
  const { t } = useTranslation('partners');
  return (
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
  );
}

function DocumentFields({
  documents,
  hasDocuments,
  errorOf,
}: {
  documents: Documents;
  hasDocuments: boolean;
  errorOf: (name: DocumentName) => string | undefined;
}) {
  const { t } = useTranslation('partners');
  return (
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
          maximumCount={documents.maximumCountOf(name)}
          files={documents.fileOf(name)}
          error={errorOf(name)}
          onAdd={(files) => documents.add(name, files)}
          onCancel={() => documents.remove(name)}
          onRemove={() => documents.remove(name)}
          onRetry={() => documents.retry(name)}
        />
      ))}
    </section>
  );
}

/** The form of a service provider, for registration and for corrections. */
export function ProviderForm(props: ProviderFormProps) {
  const { hasDocuments, submitLabel, isPending, error, end } = props;
  const { t } = useTranslation('partners');
  const form = useProviderForm(props);
  const { values, documents, attempt } = form;
  const errors = useErrorSummary(form, end);
  const isElsewhere =
    error && error.name !== 'LicenceNumberInUse' && Object.keys(error.fieldErrors).length === 0;
  return (
    <form
      noValidate
      className="flex flex-col gap-10"
      onSubmit={(event) => {
        event.preventDefault();
        form.submit();
      }}
    >
      {errors.length > 0 ? <ErrorSummary key={attempt} errors={errors} /> : null}
      <ErrorAlert error={isElsewhere ? error : null} />
      <NameFields field={form.field} />
      <section className={section}>
        <h2 className="text-lg">{t('form.agencies')}</h2>
        <ProviderAgencies
          value={values.agencyIds}
          onChange={(agencyIds) => form.change({ agencyIds })}
          error={form.errorOf('agencyIds')}
        />
      </section>
      <ContactFields field={form.field} />
      <DocumentFields
        documents={documents}
        hasDocuments={hasDocuments}
        errorOf={form.documentError}
      />
      {end?.content(form.endError)}
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
