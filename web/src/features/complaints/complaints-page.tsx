import { useState } from 'react';
import { messageOf } from '#lib/api/handle-error.ts';
import { storeReturnUrl, useMayCall } from '#lib/api/session.ts';
import { useAction, useCall } from '#lib/api/use-call.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { useNavigate } from '#lib/router/router-provider.tsx';
import { Button } from '#ui/actions/button.tsx';
import { Card } from '#ui/data/card.tsx';
import { PageHeader } from '#ui/data/page-header.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { FileDrop } from '#ui/files/file-drop.tsx';
import { ComboField } from '#ui/forms/combo-field.tsx';
import { ErrorSummary } from '#ui/forms/error-summary.tsx';
import { RadioGroup } from '#ui/forms/radio-group.tsx';
import { TextAreaField } from '#ui/forms/text-area-field.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import { Reference } from '#ui/values/reference.tsx';
import { getServices } from '@diwan/contract/catalogue/services';
import { createComplaintDocument } from '@diwan/contract/content/complaint-documents';
import {
  complaintLength,
  complaintSubjects,
  sendComplaint,
  type ComplaintSubject,
  findComplaint,
  getMyComplaints,
} from '@diwan/contract/content/complaints';
import type { ReplyOf } from '@diwan/contract/wire/call';
import type { ValidationIssue } from '@diwan/contract/wire/errors';
import { useFieldMessages } from '../users/fields/field-messages.ts';
import { type Proof } from './complaint-files.tsx';
import { MyComplaints, ShownComplaint } from './own-complaints.tsx';
import { useComplaintFiles } from './use-complaint-files.ts';

const emptyValues = {
  subject: '',
  serviceId: '',
  requestNumber: '',
  text: '',
  fullName: '',
  email: '',
};
type Values = typeof emptyValues;

function findIssues(values: Values): ValidationIssue[] {
  const names: (keyof Values)[] = [
    'subject',
    ...(values.subject === 'service' ? (['serviceId'] as const) : []),
    'text',
    'fullName',
    'email',
  ];
  const { minimum } = complaintLength;
  const length = values.text.trim().length;
  return [
    ...names
      .filter((name) => values[name].trim() === '')
      .map((field) => ({ field, code: 'required' as const })),
    ...(length > 0 && length < minimum
      ? [{ field: 'text', code: 'tooShort' as const, params: { minimum } }]
      : []),
  ];
}

function ServiceChoice(field: {
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
}) {
  const { t } = useTranslation('complaints');
  const [typed, setTyped] = useState('');
  const { data } = useCall(getServices, {
    query: { SearchKeyword: typed || undefined, PageSize: 50 },
    keepPrevious: true,
  });
  return (
    <ComboField
      {...field}
      name="serviceId"
      label={t('form.service')}
      description={t('form.serviceHint')}
      placeholder={t('form.findService')}
      onSearch={setTyped}
      choices={(data?.items ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
    />
  );
}

/** Files of a user who is signed in; a visitor is asked to sign in. */
function FilesField({
  files,
  error,
}: {
  files: ReturnType<typeof useComplaintFiles>;
  error: string | undefined;
}) {
  const { t } = useTranslation('complaints');
  const navigate = useNavigate();
  if (useMayCall(createComplaintDocument))
    return (
      <FileDrop
        {...files.field}
        name="documentIds"
        label={t('files.label')}
        isOptional
        error={error}
      />
    );
  const signIn = () => {
    storeReturnUrl('/complaints');
    void navigate('/account/login');
  };
  return (
    <div className="flex flex-col items-start gap-2">
      <p className="text-ink-600">{t('files.signInText')}</p>
      <Button variant="secondary" size="sm" onPress={signIn}>
        {t('files.signIn')}
      </Button>
    </div>
  );
}

function ComplaintForm({ onSent }: { onSent: (sent: ReplyOf<typeof sendComplaint>) => void }) {
  const { t } = useTranslation('complaints');
  const [values, setValues] = useState(emptyValues);
  const messages = useFieldMessages({
    subject: t('form.subject'),
    serviceId: t('form.service'),
    text: t('form.text'),
    fullName: t('form.name'),
    email: t('form.email'),
    documentIds: t('files.label'),
  });
  const files = useComplaintFiles();
  const action = useAction(sendComplaint, {
    skipErrorHandling: true,
    onSuccess: onSent,
    onError: (error) =>
      messages.show(
        [],
        Object.keys(error.fieldErrors).length > 0
          ? error.fieldErrors
          : { form: [messageOf(error)] },
      ),
  });
  const set = (changed: Partial<Values>) => {
    setValues((before) => ({ ...before, ...changed }));
    messages.clear('form', ...Object.keys(changed));
  };
  const submit = () => {
    const issues = findIssues(values);
    messages.show(issues, files.isReady ? {} : { documentIds: [t('files.notReady')] });
    if (issues.length > 0 || !files.isReady || action.isPending) return;
    const { subject, serviceId, ...rest } = values;
    action.mutate({
      body: {
        ...rest,
        documentIds: files.documentIds,
        subject: subject as ComplaintSubject,
        ...(subject === 'service' ? { serviceId: Number(serviceId) } : {}),
      },
    });
  };
  const field = (name: keyof Values) => ({
    name,
    value: values[name],
    onChange: (value: string) => set({ [name]: value }),
    error: messages.of(name),
  });
  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <ErrorSummary key={messages.attempt} errors={messages.summary} />
      <RadioGroup
        {...field('subject')}
        label={t('form.subject')}
        choices={complaintSubjects.map((value) => ({ value, label: t(`subjects.${value}`) }))}
      />
      {values.subject === 'service' ? <ServiceChoice {...field('serviceId')} /> : null}
      {values.subject === 'request' || values.subject === 'payment' ? (
        <TextField
          {...field('requestNumber')}
          label={t('form.requestNumber')}
          isOptional
          dir="ltr"
          maxLength={40}
        />
      ) : null}
      <TextAreaField
        {...field('text')}
        label={t('form.text')}
        description={t('form.textHint')}
        rows={6}
        maxLength={complaintLength.maximum}
      />
      <FilesField files={files} error={messages.of('documentIds')} />
      <TextField
        {...field('fullName')}
        label={t('form.name')}
        autoComplete="name"
        maxLength={200}
      />
      <TextField
        {...field('email')}
        label={t('form.email')}
        description={t('form.emailHint')}
        dir="ltr"
        autoComplete="email"
        maxLength={200}
      />
      <div>
        <Button type="submit" isPending={action.isPending} pendingLabel={t('form.pending')}>
          {t('form.send')}
        </Button>
      </div>
    </form>
  );
}

function Sent({ reference, answerBy }: ReplyOf<typeof sendComplaint>) {
  const { t } = useTranslation('complaints');
  const { day } = useFormat();
  return (
    <div role="status">
      <Alert tone="success" title={t('sent.title')}>
        <p>
          {t('sent.reference')}: <Reference>{reference}</Reference>
        </p>
        <p>{t('sent.answerBy', { day: `\u2068${day(answerBy)}\u2069` })}</p>
        <p>{t('sent.mail')}</p>
      </Alert>
    </div>
  );
}

/** Shows a complaint by its reference and the address of its sender. */
function FollowForm() {
  const { t } = useTranslation('complaints');
  const [values, setValues] = useState({ reference: '', email: '' });
  // What the shown complaint was found with: the fields may have changed since.
  const [proof, setProof] = useState<Proof>();
  const messages = useFieldMessages({
    reference: t('follow.reference'),
    email: t('form.email'),
  });
  const action = useAction(findComplaint, {
    skipErrorHandling: true,
    onError: (error) => messages.show([], { reference: [messageOf(error)] }),
  });
  const field = (name: keyof typeof values) => ({
    name,
    value: values[name],
    onChange: (value: string) => {
      setValues((before) => ({ ...before, [name]: value }));
      messages.clear(name);
    },
    error: messages.of(name),
    dir: 'ltr' as const,
  });
  const submit = () => {
    const missing = (['reference', 'email'] as const).filter((name) => values[name].trim() === '');
    messages.show(missing.map((name) => ({ field: name, code: 'required' })));
    if (missing.length > 0 || action.isPending) return;
    setProof(values);
    action.mutate({ body: values });
  };
  return (
    <Card title={t('follow.title')}>
      <form
        noValidate
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <TextField
          {...field('reference')}
          label={t('follow.reference')}
          description={t('follow.referenceHint')}
          autoComplete="off"
          maxLength={40}
        />
        <TextField
          {...field('email')}
          label={t('form.email')}
          autoComplete="email"
          maxLength={200}
        />
        <div>
          <Button type="submit" variant="secondary" isPending={action.isPending}>
            {t('follow.find')}
          </Button>
        </div>
        {action.data ? <ShownComplaint complaint={action.data} proof={proof} /> : null}
      </form>
    </Card>
  );
}

/** Everybody sends a complaint here and follows it; people who are signed in see theirs. */
export function ComplaintsPage() {
  const { t } = useTranslation('complaints');
  const [sent, setSent] = useState<ReplyOf<typeof sendComplaint>>();
  const hasOwn = useMayCall(getMyComplaints);
  usePageTitle(t('title'));
  return (
    <div className="page pb-16">
      <PageHeader title={t('title')} lead={t('lead')} />
      <div className="flex max-w-form flex-col gap-8">
        {sent ? (
          <>
            <Sent {...sent} />
            <div>
              <Button variant="secondary" onPress={() => setSent(undefined)}>
                {t('sent.another')}
              </Button>
            </div>
          </>
        ) : (
          <Card title={t('form.title')}>
            <ComplaintForm onSent={setSent} />
          </Card>
        )}
        {hasOwn ? <MyComplaints key={sent?.reference} /> : null}
        <FollowForm />
      </div>
    </div>
  );
}
