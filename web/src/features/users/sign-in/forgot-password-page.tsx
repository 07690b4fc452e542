import { useState } from 'react';
import type { ApiError } from '#lib/api/api-error.ts';
import { handleError, messageOf } from '#lib/api/handle-error.ts';
import { useSession } from '#lib/api/session.ts';
import { useAction } from '#lib/api/use-call.ts';
import { clearSession } from '#lib/auth/sign-out.ts';
import { useUAEPass } from '#lib/auth/uae-pass.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { useLocation, useNavigate } from '#lib/router/router-provider.tsx';
import { Button } from '#ui/actions/button.tsx';
import { TextLink } from '#ui/actions/links.tsx';
import { PageHeader } from '#ui/data/page-header.tsx';
import { ErrorSummary } from '#ui/forms/error-summary.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import { forgotPassword, resetPassword } from '@diwan/contract/people/accounts';
import { findNewPasswordIssues } from '@diwan/contract/people/new-account';
import { CodeField, normalizeCode } from '../fields/code-field.tsx';
import { useFieldMessages, type FieldMessages } from '../fields/field-messages.ts';
import { NewPasswordFields } from '../fields/new-password-fields.tsx';

interface Values {
  account: string;
  code: string;
  newPassword: string;
  confirmNewPassword: string;
}

const emptyValues: Values = { account: '', code: '', newPassword: '', confirmNewPassword: '' };

function decodeHash(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1)).slice(0, 300);
  } catch {
    return '';
  }
}

/**
 * Two steps: the account, then the code with a new password. The input is preserved after errors.
 */
function useForgottenPassword(messages: FieldMessages, onChanged: () => void) {
  // The link in a message that already holds a code names the account.
  const account = decodeHash(useLocation().hash);
  const [values, setValues] = useState({ ...emptyValues, account });
  const [sentAt, setSentAt] = useState(() => (account === '' ? undefined : Date.now()));
  const ask = useAction(forgotPassword, { skipErrorHandling: true });
  const reset = useAction(resetPassword, { skipErrorHandling: true });
  const refuse = (error: ApiError) => {
    const messagesByField =
      error.name === 'VerificationCodeWrong' ? { code: [messageOf(error)] } : error.fieldErrors;
    if (Object.keys(messagesByField).length > 0) messages.show([], messagesByField);
    else handleError(Object.assign(error, { skipErrorHandling: false }));
  };
  const send = () => {
    if (values.account.trim() === '')
      return messages.show([{ field: 'account', code: 'required' }]);
    ask.mutate(
      { body: { account: values.account } },
      {
        onSuccess: () => {
          setSentAt(Date.now());
          messages.show([]);
        },
        onError: refuse,
      },
    );
  };
  const change = () => {
    const ofPassword = findNewPasswordIssues(values.newPassword, values.confirmNewPassword, []).map(
      (issue) => ({
        ...issue,
        field: issue.field === 'password' ? 'newPassword' : 'confirmNewPassword',
      }),
    );
    const ofCode =
      normalizeCode(values.code).length === 6
        ? []
        : [
            {
              field: 'code',
              code: values.code === '' ? 'required' : 'tooShort',
              params: { minimum: 6 },
            } as const,
          ];
    if (ofPassword.length + ofCode.length > 0) return messages.show([...ofCode, ...ofPassword]);
    reset.mutate({ body: values }, { onSuccess: onChanged, onError: refuse });
  };
  return {
    values,
    sentAt,
    isAsking: ask.isPending,
    isChanging: reset.isPending,
    send,
    set: (changed: Partial<Values>) => {
      setValues((before) => ({ ...before, ...changed }));
      messages.clear(...Object.keys(changed));
    },
    reset: () => setSentAt(undefined),
    submit: () => {
      if (ask.isPending || reset.isPending) return;
      if (sentAt === undefined) send();
      else change();
    },
  };
}

/** Sends a code to the account's owner; the page is the same whether the account exists or not. */
export function ForgotPasswordPage() {
  const { t } = useTranslation(['accounts', 'shell']);
  const navigate = useNavigate();
  const session = useSession();
  const isUAEPassEnabled = useUAEPass();
  const messages = useFieldMessages({
    newPassword: t('forgotten.newPassword'),
    confirmNewPassword: t('forgotten.confirm'),
    code: t('code.label'),
  });
  usePageTitle(t('forgotten.title'));
  const form = useForgottenPassword(messages, () => {
    // A session of this browser has ended too.
    if (session) clearSession();
    void navigate('/account/login', { replace: true });
    showToast(t('forgotten.done'), 'success');
  });
  const { values, sentAt, set } = form;
  return (
    <div className="page pb-16">
      <PageHeader
        title={t('forgotten.title')}
        lead={t('forgotten.lead')}
        crumbs={[
          { label: t('shell:navigation.home'), to: '/home' },
          { label: t('shell:login'), to: '/account/login' },
          { label: t('forgotten.title') },
        ]}
      />
      <form
        noValidate
        className="flex max-w-form flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          form.submit();
        }}
      >
        <ErrorSummary key={messages.attempt} errors={messages.summary} />
        {sentAt === undefined ? (
          <TextField
            name="account"
            label={t('forgotten.account')}
            description={t('forgotten.accountHint')}
            autoComplete="username"
            dir="ltr"
            maxLength={254}
            value={values.account}
            onChange={(account) => set({ account })}
            error={messages.of('account')}
          />
        ) : (
          <>
            <div role="status">
              <p>
                {t('forgotten.sent')}{' '}
                <bdi dir="auto" className="font-semibold break-all">
                  {values.account}
                </bdi>
              </p>
              <p className="mt-1 text-ink-600">{t('forgotten.notCome')}</p>
              {isUAEPassEnabled ? (
                <p className="mt-1 text-ink-600">{t('forgotten.onlyUAEPass')}</p>
              ) : null}
            </div>
            {/* Password managers read the user name here. */}
            <input
              type="text"
              name="username"
              autoComplete="username"
              aria-label={t('forgotten.account')}
              value={values.account}
              readOnly
              hidden
            />
            <CodeField
              value={values.code}
              onChange={(code) => set({ code })}
              error={messages.of('code')}
              sentAt={sentAt}
              onResend={form.send}
              isResending={form.isAsking}
            />
            <NewPasswordFields
              password={values.newPassword}
              confirm={values.confirmNewPassword}
              personalNames={[values.account]}
              names={{ password: 'newPassword', confirm: 'confirmNewPassword' }}
              errorOf={messages.of}
              labels={{ password: t('forgotten.newPassword'), confirm: t('forgotten.confirm') }}
              onChange={({ password, confirm }) =>
                set(
                  password === undefined
                    ? { confirmNewPassword: confirm ?? '' }
                    : { newPassword: password },
                )
              }
            />
          </>
        )}
        <div className="flex flex-wrap gap-3">
          <Button
            type="submit"
            isPending={form.isChanging || (form.isAsking && sentAt === undefined)}
            pendingLabel={t('register.pending')}
          >
            {t(sentAt === undefined ? 'forgotten.send' : 'forgotten.submit')}
          </Button>
          {sentAt === undefined ? null : (
            <Button variant="secondary" isDisabled={form.isChanging} onPress={form.reset}>
              {t('forgotten.other')}
            </Button>
          )}
        </div>
        <p className="text-ink-600">
          <TextLink to="/account/login">{t('forgotten.back')}</TextLink>
        </p>
      </form>
    </div>
  );
}
