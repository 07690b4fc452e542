import { useState } from 'react';
import { useFieldMessages } from '#features/users/fields/field-messages.ts';
import { messageOf } from '#lib/api/handle-error.ts';
import { useAction, useCall } from '#lib/api/use-call.ts';
import { goTo } from '#lib/browser/navigation.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { Button } from '#ui/actions/button.tsx';
import { LinkButton } from '#ui/actions/links.tsx';
import { PageHeader } from '#ui/data/page-header.tsx';
import { Alert, ErrorAlert } from '#ui/feedback/alert.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { Checkbox } from '#ui/forms/checkbox.tsx';
import { ErrorSummary } from '#ui/forms/error-summary.tsx';
import { PasswordField } from '#ui/forms/password-field.tsx';
import { RadioGroup } from '#ui/forms/radio-group.tsx';
import { TextAreaField } from '#ui/forms/text-area-field.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import { getProfile } from '@diwan/contract/people/users';
import {
  openUrgently,
  urgentMinutes,
  urgentReasons,
  urgentTextLength,
  type UrgentReason,
} from '@diwan/contract/staff/urgent-reading';
import type { ValidationIssue } from '@diwan/contract/wire/errors';
import { detailsLink } from '../data/details-link.ts';

const emptyValues = {
  requestNumber: '',
  reason: '',
  reasonText: '',
  password: '',
  isConfirmed: false,
};
type Values = typeof emptyValues;

// The field beside which an error is shown.
const fieldOf: Readonly<Record<string, keyof Values>> = {
  RequestNotFound: 'requestNumber',
  RequestInScope: 'requestNumber',
  IncorrectPassword: 'password',
};

function findIssues(values: Values, hasPassword: boolean): ValidationIssue[] {
  const names = ['requestNumber', 'reason', 'reasonText', ...(hasPassword ? ['password'] : [])];
  const missing = names.filter((name) => String(values[name as keyof Values]).trim() === '');
  const { minimum } = urgentTextLength;
  const isShort = values.reasonText.trim().length < minimum;
  return [
    ...missing.map((field) => ({ field, code: 'required' as const })),
    ...(isShort ? [{ field: 'reasonText', code: 'tooShort' as const, params: { minimum } }] : []),
    ...(values.isConfirmed ? [] : [{ field: 'isConfirmed', code: 'required' as const }]),
  ];
}

function UrgentForm({ hasPassword }: { hasPassword: boolean }) {
  const { t } = useTranslation('urgent');
  const [values, setValues] = useState(emptyValues);
  const messages = useFieldMessages(
    {
      requestNumber: t('page.number'),
      reason: t('page.reason'),
      reasonText: t('page.words'),
      password: t('page.password'),
    },
    { 'isConfirmed required': t('page.confirmRequired') },
  );
  const action = useAction(openUrgently, {
    skipErrorHandling: true,
    onSuccess: ({ requestNumber }) => {
      const { to, state } = detailsLink(requestNumber);
      return goTo(to, { state });
    },
    onError: (error) => {
      const field = fieldOf[error.name];
      messages.show([], field ? { [field]: [messageOf(error)] } : error.fieldErrors);
    },
  });
  const set = (changed: Partial<Values>) => {
    setValues((before) => ({ ...before, ...changed }));
    messages.clear(...Object.keys(changed));
  };
  const submit = () => {
    const issues = findIssues(values, hasPassword);
    messages.show(issues);
    if (issues.length > 0 || action.isPending) return;
    const { password, reason, ...rest } = values;
    action.mutate({
      body: {
        ...rest,
        reason: reason as UrgentReason,
        isConfirmed: true,
        ...(hasPassword ? { password } : {}),
      },
    });
  };
  return (
    <form
      noValidate
      className="flex max-w-form flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Alert tone="warning" title={t('page.warningTitle')}>
        {t('page.warning')}
      </Alert>
      <ErrorSummary key={messages.attempt} errors={messages.summary} />
      {messages.summary.length > 0 ? null : <ErrorAlert error={action.error} />}
      <TextField
        name="requestNumber"
        label={t('page.number')}
        dir="ltr"
        autoComplete="off"
        maxLength={40}
        value={values.requestNumber}
        onChange={(requestNumber) => set({ requestNumber })}
        error={messages.of('requestNumber')}
      />
      <RadioGroup
        name="reason"
        label={t('page.reason')}
        value={values.reason}
        onChange={(reason) => set({ reason })}
        error={messages.of('reason')}
        choices={urgentReasons.map((value) => ({ value, label: t(`reasons.${value}`) }))}
      />
      <TextAreaField
        name="reasonText"
        label={t('page.words')}
        description={t('page.wordsHint')}
        rows={3}
        maxLength={urgentTextLength.maximum}
        value={values.reasonText}
        onChange={(reasonText) => set({ reasonText })}
        error={messages.of('reasonText')}
      />
      {hasPassword ? (
        <PasswordField
          name="password"
          label={t('page.password')}
          description={t('page.passwordHint')}
          autoComplete="current-password"
          value={values.password}
          onChange={(password) => set({ password })}
          error={messages.of('password')}
        />
      ) : null}
      <Checkbox
        name="isConfirmed"
        isRequired
        label={t('page.confirm')}
        value={values.isConfirmed}
        onChange={(isConfirmed) => set({ isConfirmed })}
        error={messages.of('isConfirmed')}
      />
      <div>
        <Button
          type="submit"
          variant="danger"
          isPending={action.isPending}
          pendingLabel={t('page.pending')}
        >
          {t('page.open')}
        </Button>
      </div>
    </form>
  );
}

/** Opens one request outside of the own scope by the urgent right, after a loud confirmation. */
export function UrgentReadingPage() {
  const { t } = useTranslation(['urgent', 'shell', 'requests']);
  const profile = useCall(getProfile, {});
  usePageTitle(t('title'));
  return (
    <div className="page pb-16">
      <PageHeader
        title={t('title')}
        lead={t('page.lead', { minutes: urgentMinutes })}
        crumbs={[
          { label: t('shell:navigation.newRequests'), to: '/requests/new' },
          { label: t('title') },
        ]}
      />
      {profile.data?.readsUrgently ? (
        <UrgentForm hasPassword={profile.data.hasPassword} />
      ) : profile.data ? (
        <EmptyState
          title={t('page.noRightTitle')}
          action={<LinkButton to="/requests/all">{t('requests:record.toList')}</LinkButton>}
        >
          {t('page.noRight')}
        </EmptyState>
      ) : profile.error ? (
        <ErrorState
          error={profile.error}
          onRetry={profile.refetch}
          isRetrying={profile.isRefetching}
        />
      ) : (
        <SkeletonRows count={4} />
      )}
    </div>
  );
}
