import { useState } from 'react';
import type { ApiError } from '#lib/api/api-error.ts';
import { messageOf } from '#lib/api/handle-error.ts';
import { identityFlagKey, storeToken } from '#lib/api/session.ts';
import { useAction } from '#lib/api/use-call.ts';
import { isSharedComputer, storeItem } from '#lib/browser/storage.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { useNavigate } from '#lib/router/router-provider.tsx';
import { Button } from '#ui/actions/button.tsx';
import { TextLink } from '#ui/actions/links.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { PasswordField } from '#ui/forms/password-field.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import { declineUAEPassLink, linkUAEPass } from '@diwan/contract/people/accounts';
import { useFieldMessages } from '../fields/field-messages.ts';
import { nextAddress } from './next-address.ts';
import { UAEPassLink } from './uae-pass-link.tsx';

/** Refusals that are shown at a field. */
const fieldOf: Partial<Record<ApiError['name'], string>> = {
  WrongUsernameOrPassword: 'password',
  SecondFactorRequired: 'code',
  SecondFactorWrong: 'code',
};

function LinkForm({ onSignedIn }: { onSignedIn: (token: string) => void }) {
  const { t } = useTranslation(['accounts', 'users']);
  const messages = useFieldMessages();
  const [values, setValues] = useState({ username: '', password: '', code: '' });
  const [asksCode, setAsksCode] = useState(false);
  const link = useAction(linkUAEPass, {
    skipErrorHandling: true,
    onSuccess: ({ token }) => onSignedIn(token),
  });
  const set = (changed: Partial<typeof values>) => {
    setValues({ ...values, ...changed });
    messages.clear(...Object.keys(changed));
  };
  const refuse = (error: ApiError) => {
    const field = fieldOf[error.name];
    if (field === 'code') setAsksCode(true);
    messages.show([], field ? { [field]: [messageOf(error)] } : error.fieldErrors);
  };
  const submit = () => {
    const missing = (['username', 'password'] as const).filter(
      (name) => values[name].trim() === '',
    );
    if (missing.length > 0)
      return messages.show(missing.map((field) => ({ field, code: 'required' })));
    const code = values.code === '' ? undefined : values.code;
    if (!link.isPending)
      link.mutate(
        { body: { ...values, code, isSharedComputer: isSharedComputer() || undefined } },
        { onError: refuse },
      );
  };
  const isOver = link.error?.name === 'IdentityNotConfirmed';
  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {link.error && fieldOf[link.error.name] === undefined ? (
        <Alert tone="danger" isLive>
          {isOver ? t('link.over') : messageOf(link.error)}
        </Alert>
      ) : null}
      {isOver ? <UAEPassLink /> : null}
      <TextField
        name="username"
        label={t('users:login.username')}
        autoComplete="username"
        dir="ltr"
        value={values.username}
        onChange={(username) => set({ username })}
        error={messages.of('username')}
      />
      <PasswordField
        name="password"
        focusIds={['WrongUsernameOrPassword']}
        label={t('users:login.password')}
        autoComplete="current-password"
        value={values.password}
        onChange={(password) => set({ password })}
        error={messages.of('password')}
      />
      {asksCode ? (
        <TextField
          name="code"
          label={t('link.factor')}
          inputMode="numeric"
          autoComplete="one-time-code"
          dir="ltr"
          width="medium"
          value={values.code}
          onChange={(code) => set({ code })}
          error={messages.of('code')}
        />
      ) : null}
      <div>
        <Button type="submit" isPending={link.isPending} pendingLabel={t('register.pending')}>
          {t('link.submit')}
        </Button>
      </div>
      <p>
        <TextLink to="/account/forgot-password">{t('users:login.forgotten')}</TextLink>
      </p>
    </form>
  );
}

/**
 * Links a UAE PASS identity to an account with the same, unverified Emirates ID. The password of
 * the account decides. Decision 0016.
 */
export function LinkAccountPage() {
  const { t } = useTranslation('accounts');
  const navigate = useNavigate();
  usePageTitle(t('link.title'));
  const finishSignIn = (token: string, message: string, isUAEPass: boolean) => {
    storeToken(token);
    if (isUAEPass) storeItem('session', identityFlagKey, 'true');
    showToast(message, 'success');
    void nextAddress().then((address) => navigate(address, { replace: true }));
  };
  const decline = useAction(declineUAEPassLink, {
    skipErrorHandling: true,
    onSuccess: ({ token }) => finishSignIn(token, t('link.made'), true),
  });
  return (
    <div className="page py-8 md:py-16">
      <div className="max-w-110">
        <h1 className="text-2xl">{t('link.title')}</h1>
        <p className="mt-2 mb-6 text-ink-600">{t('link.lead')}</p>
        <LinkForm onSignedIn={(token) => finishSignIn(token, t('link.done'), false)} />
        <section aria-labelledby="not-mine" className="mt-8 border-t border-ink-100 pt-6">
          <h2 id="not-mine" className="text-lg">
            {t('link.notMine')}
          </h2>
          <p className="mt-1 mb-4 text-ink-600">{t('link.notMineWhy')}</p>
          {decline.error ? (
            <div className="mb-4">
              <Alert tone="danger" isLive>
                {decline.error.name === 'IdentityNotConfirmed'
                  ? t('link.over')
                  : messageOf(decline.error)}
              </Alert>
            </div>
          ) : null}
          <Button
            variant="secondary"
            isPending={decline.isPending}
            pendingLabel={t('register.pending')}
            onPress={() => decline.mutate({})}
          >
            {t('link.decline')}
          </Button>
        </section>
      </div>
    </div>
  );
}
