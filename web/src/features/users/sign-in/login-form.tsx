import { useId, useEffect, useRef, useState } from 'react';
import { Controller, useForm } from 'react-hook-form';
import type { ApiError } from '#lib/api/api-error.ts';
import { messageOf, handleError } from '#lib/api/handle-error.ts';
import { storeToken } from '#lib/api/session.ts';
import { useAction } from '#lib/api/use-call.ts';
import { isSharedComputer } from '#lib/browser/storage.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { ErrorAlert } from '#ui/feedback/alert.tsx';
import { PasswordField } from '#ui/forms/password-field.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import { login } from '@diwan/contract/people/users';

/** Requesting the second step is not an error; other errors are handled centrally. */
function handleLoginError(error: ApiError): void {
  if (error.name === 'SecondFactorRequired') return;
  error.skipErrorHandling = false;
  handleError(error);
}

/** The caller handles errors with `handleLoginError`. */
function useLogin(onSuccess: () => void) {
  return useAction(login, {
    skipErrorHandling: true,
    onSuccess: ({ token }) => {
      storeToken(token);
      onSuccess();
    },
  });
}

interface SecondFactorStepProps {
  /** The error of the last code; null before the first. */
  error: ApiError | null;
  isPending: boolean;
  onCode: (code: string) => void;
  /** Called when the input changes, so that the last error can be cleared. */
  onChange: () => void;
  onBack: () => void;
}

/**
 * The second step of a sign-in: one field for a code of the app or a recovery code. Rendered in
 * place of the first form.
 */
function SecondFactorStep({ error, isPending, onCode, onChange, onBack }: SecondFactorStepProps) {
  const { t } = useTranslation('users');
  const [code, setCode] = useState('');
  const [isRecovery, setIsRecovery] = useState(false);
  const [isBlank, setIsBlank] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  // Moves the focus from the pressed button to the field.
  useEffect(() => field.current?.focus(), []);
  const isWrong = error?.name === 'SecondFactorWrong';
  const change = (value: string) => {
    setCode(value);
    setIsBlank(false);
    if (error) onChange();
  };
  const send = () => {
    if (code.trim() === '') setIsBlank(true);
    else if (!isPending) onCode(code);
    field.current?.focus();
  };
  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <div>
        <h2 className="text-lg">{t('login.codeTitle')}</h2>
        {isRecovery ? null : <p className="mt-1 text-ink-600">{t('login.codeLead')}</p>}
      </div>
      <ErrorAlert error={error && !isWrong ? error : null} />
      <TextField
        ref={field}
        name="code"
        label={t(isRecovery ? 'login.recoveryCode' : 'login.code')}
        description={t(isRecovery ? 'login.recoveryHint' : 'login.codeHint')}
        value={code}
        onChange={change}
        inputMode="numeric"
        autoComplete="one-time-code"
        dir="ltr"
        maxLength={40}
        width="medium"
        focusIds={['SecondFactorWrong']}
        error={isBlank ? t('login.codeRequired') : isWrong ? messageOf(error) : undefined}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" isPending={isPending} pendingLabel={t('login.pending')}>
          {t('login.submit')}
        </Button>
        <Button variant="secondary" isDisabled={isPending} onPress={onBack}>
          {t('login.back')}
        </Button>
      </div>
      <div>
        <button
          type="button"
          className="link min-h-11"
          onClick={() => {
            setIsRecovery(!isRecovery);
            change('');
            field.current?.focus();
          }}
        >
          {t(isRecovery ? 'login.useApp' : 'login.useRecovery')}
        </button>
        <p className="mt-2 text-sm text-ink-600">{t('login.noCode')}</p>
      </div>
    </form>
  );
}

interface Credentials {
  username: string;
  password: string;
}

interface LoginFormProps {
  onSignedIn: () => void;
  /** Another sign-in button is above the form. */
  isSecond: boolean;
  /** The credentials were correct and a code is required. */
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
      { body: { ...getValues(), code, isSharedComputer: isSharedComputer() || undefined } },
      {
        onError: (error) => {
          // If the password was changed in the meantime, it is requested again.
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
      <ErrorAlert error={login.error && !isRefused ? login.error : null} />
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
