import { useId } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { messageOf } from '../../../lib/api/handle-error.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { PasswordField } from '../../../ui/forms/password-field.tsx';
import { TextField } from '../../../ui/forms/text-field.tsx';
import { SecondFactorStep } from '../second-factor/second-factor-step.tsx';
import { handleLoginError, useLogin } from '../admin/users.data.ts';

interface Credentials {
  username: string;
  password: string;
}

interface LoginFormProps {
  onSignedIn: () => void;
  /** Another way to sign in stands over it. */
  isSecond: boolean;
  /** Username and password were right, and a code is asked for: nothing else matters now. */
  asksCode: boolean;
  onAsksCode: (asksCode: boolean) => void;
}

export function LoginForm({ onSignedIn, isSecond, asksCode, onAsksCode }: LoginFormProps) {
  const { t } = useTranslation('users');
  const labelledBy = useId();
  const login = useLogin(onSignedIn);
  const { control, handleSubmit, getValues } = useForm<Credentials>({
    defaultValues: { username: '', password: '' },
  });
  const isRefused = login.error?.name === 'WrongUsernameOrPassword';
  const notBlank = (key: 'usernameRequired' | 'passwordRequired') => (value: string) =>
    value.trim() !== '' || key;
  const send = (code?: string) => {
    if (login.isPending) return;
    login.mutate(
      { body: { ...getValues(), code } },
      {
        onError: (error) => {
          // A password that was changed meanwhile is asked for again.
          if (error.name === 'SecondFactorRequired' || error.name === 'WrongUsernameOrPassword')
            onAsksCode(error.name === 'SecondFactorRequired');
          handleLoginError(error);
        },
      },
    );
  };
  if (asksCode)
    return (
      <SecondFactorStep
        error={login.error?.name === 'SecondFactorRequired' ? null : login.error}
        isPending={login.isPending}
        onCode={send}
        onChange={login.reset}
        onBack={() => {
          login.reset();
          onAsksCode(false);
        }}
      />
    );
  return (
    <form
      noValidate
      aria-labelledby={labelledBy}
      className="flex flex-col gap-5"
      onSubmit={(event) => void handleSubmit(() => send())(event)}
    >
      <h2 id={labelledBy} className="sr-only">
        {t('login.title')}
      </h2>
      {login.error && !isRefused ? (
        <Notice tone="danger" isLive>
          {messageOf(login.error)}
        </Notice>
      ) : null}
      <Controller
        name="username"
        control={control}
        rules={{ validate: notBlank('usernameRequired') }}
        render={({ field, fieldState }) => (
          <TextField
            {...field}
            label={t('login.username')}
            autoComplete="username"
            dir="ltr"
            error={fieldState.error?.message ? t(`login.${fieldState.error.message}`) : undefined}
          />
        )}
      />
      <Controller
        name="password"
        control={control}
        rules={{ validate: notBlank('passwordRequired') }}
        render={({ field, fieldState }) => (
          <PasswordField
            {...field}
            label={t('login.password')}
            autoComplete="current-password"
            focusIds={['WrongUsernameOrPassword']}
            onChange={(value) => {
              field.onChange(value);
              if (login.error) login.reset();
            }}
            error={
              fieldState.error?.message
                ? t(`login.${fieldState.error.message}`)
                : isRefused
                  ? messageOf(login.error)
                  : undefined
            }
          />
        )}
      />
      <Button
        type="submit"
        variant={isSecond ? 'secondary' : 'primary'}
        isFullWidth
        isPending={login.isPending}
        pendingLabel={t('login.pending')}
      >
        {t('login.submit')}
      </Button>
    </form>
  );
}
