import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { forgotPassword, resetPassword } from '@diwan/contract/people/accounts';
import { newPasswordIssues } from '@diwan/contract/people/new-account';
import { handleError, messageOf } from '../../../lib/api/handle-error.ts';
import { usePageTitle } from '../../../lib/page/page-title.ts';
import type { SendError } from '../../../lib/api/send-error.ts';
import { useSession } from '../../../lib/api/session.ts';
import { forgetSession } from '../../../lib/auth/sign-out.ts';
import { showToast } from '../../../lib/browser/toasts.ts';
import { useAction } from '../../../lib/api/use-call.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { ErrorSummary } from '../../../ui/forms/error-summary.tsx';
import { PageHeader } from '../../../ui/data/page-header.tsx';
import { TextField } from '../../../ui/forms/text-field.tsx';
import { TextLink } from '../../../ui/actions/text-link.tsx';
import { CodeField, codeOf } from './code-field.tsx';
import { useFieldMessages, type FieldMessages } from './field-messages.ts';
import { NewPasswordFields } from './new-password-fields.tsx';

interface Values {
  account: string;
  code: string;
  newPassword: string;
  confirmNewPassword: string;
}

const nothing: Values = { account: '', code: '', newPassword: '', confirmNewPassword: '' };

/**
 * Two answers: whose password, then the code with a new one. What was typed stays whatever the
 * server says.
 */
function useForgottenPassword(messages: FieldMessages, onChanged: () => void) {
  const [values, setValues] = useState(nothing);
  const [sentAt, setSentAt] = useState<number>();
  const ask = useAction(forgotPassword, { skipErrorHandling: true });
  const reset = useAction(resetPassword, { skipErrorHandling: true });
  const refuse = (error: SendError) => {
    const said =
      error.name === 'VerificationCodeWrong' ? { code: [messageOf(error)] } : error.fieldErrors;
    if (Object.keys(said).length > 0) messages.show([], said);
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
    const ofPassword = newPasswordIssues(values.newPassword, values.confirmNewPassword, []).map(
      (issue) => ({
        ...issue,
        field: issue.field === 'password' ? 'newPassword' : 'confirmNewPassword',
      }),
    );
    const ofCode =
      codeOf(values.code).length === 6
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
      messages.forget(...Object.keys(changed));
    },
    startAgain: () => setSentAt(undefined),
    submit: () => {
      if (ask.isPending || reset.isPending) return;
      if (sentAt === undefined) send();
      else change();
    },
  };
}

/** The owner is sent a code; the page says the same whether there is such an account or not. */
export function ForgotPasswordPage() {
  const { t } = useTranslation(['accounts', 'shell']);
  const navigate = useNavigate();
  const session = useSession();
  const messages = useFieldMessages({
    newPassword: t('forgotten.newPassword'),
    confirmNewPassword: t('forgotten.confirm'),
    code: t('code.label'),
  });
  usePageTitle(t('forgotten.title'));
  const form = useForgottenPassword(messages, () => {
    // The session that this browser may have has ended too.
    if (session) forgetSession();
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
            </div>
            {/* A password manager learns whose password it is. */}
            <input
              type="text"
              name="username"
              autoComplete="username"
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
              ownWords={[values.account]}
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
            <Button variant="secondary" isDisabled={form.isChanging} onPress={form.startAgain}>
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
