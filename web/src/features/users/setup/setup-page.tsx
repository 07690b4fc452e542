import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { handleError, messageOf } from '#lib/api/handle-error.ts';
import { storeToken } from '#lib/api/session.ts';
import { useAction, useCall } from '#lib/api/use-call.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { useNavigate } from '#lib/router/router-provider.tsx';
import { Button } from '#ui/actions/button.tsx';
import { TextLink } from '#ui/actions/links.tsx';
import { PageHeader } from '#ui/data/page-header.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { ErrorSummary } from '#ui/forms/error-summary.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import { checkNewAccount } from '@diwan/contract/people/new-account';
import { getSetupState, setUpPortal } from '@diwan/contract/people/setup';
import { pages } from '@diwan/contract/portal/pages';
import { ContactFields, SignInFields } from '../fields/account-fields.tsx';
import { useFieldMessages } from '../fields/field-messages.ts';
import { SharedComputerChoice } from '../identity/shared-computer-choice.tsx';

const emptyValues = {
  code: '',
  fullName: '',
  email: '',
  phoneNumber: '',
  username: '',
  password: '',
  confirmPassword: '',
};
type Values = typeof emptyValues;

/** Refusals that concern one field. */
const fieldOf: Partial<Record<string, keyof Values>> = {
  SetupCodeWrong: 'code',
  UsernameTaken: 'username',
};

/** The state of the form. The input is preserved after errors. */
function useSetup(onDone: () => void) {
  const { t } = useTranslation(['setup', 'accounts']);
  const client = useQueryClient();
  const [values, setValues] = useState(emptyValues);
  const messages = useFieldMessages({
    code: t('code'),
    fullName: t('accounts:register.managerName'),
    email: t('accounts:register.email'),
    phoneNumber: t('accounts:register.phoneNumber'),
    username: t('accounts:register.username'),
    password: t('accounts:register.password'),
    confirmPassword: t('accounts:register.confirmPassword'),
  });
  const create = useAction(setUpPortal, { skipErrorHandling: true });
  const submit = () => {
    const issues = [
      ...(values.code.trim() === '' ? [{ field: 'code', code: 'required' } as const] : []),
      ...checkNewAccount(values).issues,
    ];
    if (issues.length > 0) return messages.show(issues);
    create.mutate(
      { body: values },
      {
        onSuccess: ({ token }) => {
          storeToken(token);
          void client.invalidateQueries({ queryKey: [getSetupState.name] });
          onDone();
        },
        onError: (error) => {
          const field = fieldOf[error.name];
          const byField = field ? { [field]: [messageOf(error)] } : error.fieldErrors;
          if (Object.keys(byField).length > 0) messages.show([], byField);
          else handleError(Object.assign(error, { skipErrorHandling: false }));
        },
      },
    );
  };
  return {
    values,
    messages,
    isPending: create.isPending,
    submit,
    change: (changed: Partial<Values>) => {
      setValues((before) => ({ ...before, ...changed }));
      messages.clear(...Object.keys(changed));
    },
  };
}

function SetupForm() {
  const { t } = useTranslation(['setup', 'accounts']);
  const navigate = useNavigate();
  const state = useSetup(() => {
    showToast(t('done'), 'success');
    void navigate(pages.adminDashboard.path, { replace: true });
  });
  const { values, messages, change, submit, isPending } = state;
  return (
    <form
      noValidate
      className="flex max-w-form flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending) submit();
      }}
    >
      <ErrorSummary key={messages.attempt} errors={messages.summary} />
      <TextField
        name="code"
        focusIds={['SetupCodeWrong']}
        label={t('code')}
        description={t('codeHint')}
        autoComplete="one-time-code"
        dir="ltr"
        width="medium"
        maxLength={100}
        value={values.code}
        onChange={(code) => change({ code })}
        error={messages.of('code')}
      />
      <TextField
        name="fullName"
        label={t('accounts:register.managerName')}
        autoComplete="name"
        dir="auto"
        maxLength={200}
        value={values.fullName}
        onChange={(fullName) => change({ fullName })}
        error={messages.of('fullName')}
      />
      <ContactFields state={state} />
      <SignInFields state={state} />
      <SharedComputerChoice />
      <div className="mt-2">
        <Button type="submit" isPending={isPending} pendingLabel={t('accounts:register.pending')}>
          {t('submit')}
        </Button>
      </div>
    </form>
  );
}

/** The first page of an empty portal: creates the first administrator with the setup code. */
export function SetupPage() {
  const { t } = useTranslation(['setup', 'shell']);
  const state = useCall(getSetupState, {});
  usePageTitle(t('title'));
  return (
    <div className="page pb-16">
      <PageHeader title={t('title')} lead={t(state.data?.isOpen === false ? 'closed' : 'lead')} />
      {state.error && !state.data ? (
        <ErrorState
          error={state.error}
          title={t('failed')}
          onRetry={state.refetch}
          isRetrying={state.isRefetching}
        />
      ) : !state.data ? (
        <SkeletonRows count={6} />
      ) : state.data.isOpen ? (
        <>
          <div className="mb-8 max-w-form">
            <Alert tone="info" title={t('whereTitle')}>
              <p>{t('where')}</p>
              <p dir="ltr" className="mt-2 w-fit font-mono text-sm">
                npm run diwan -- create-admin
              </p>
            </Alert>
          </div>
          <SetupForm />
        </>
      ) : (
        <p>
          <TextLink to="/account/login">{t('shell:login')}</TextLink>
        </p>
      )}
    </div>
  );
}
