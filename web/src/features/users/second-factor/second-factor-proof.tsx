import { useState, type ReactNode } from 'react';
import type { ApiError } from '#lib/api/api-error.ts';
import { messageOf } from '#lib/api/handle-error.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { ErrorAlert } from '#ui/feedback/alert.tsx';
import { PasswordField } from '#ui/forms/password-field.tsx';
import { TextField } from '#ui/forms/text-field.tsx';

export interface Proof {
  password?: string;
  code?: string;
}

interface SecondFactorProofProps {
  id: string;
  asksPassword: boolean;
  /** The label of the code field; absent where no code is required. */
  codeLabel?: string;
  error: ApiError | null;
  onChange: () => void;
  onProof: (proof: Proof) => void;
  children?: ReactNode;
}

const answersFor = { password: 'IncorrectPassword', code: 'SecondFactorWrong' } as const;

/**
 * The password, a code, or both, which the server requires to change the second factor. Submitted
 * by a button with this form's id.
 */
export function SecondFactorProof({
  id,
  asksPassword,
  codeLabel,
  error,
  onChange,
  onProof,
  children,
}: SecondFactorProofProps) {
  const { t } = useTranslation('security');
  const [values, setValues] = useState({ password: '', code: '' });
  const [isSent, setIsSent] = useState(false);
  const required = { password: asksPassword, code: codeLabel !== undefined };
  const isBlank = {
    password: required.password && values.password === '',
    code: required.code && values.code.trim() === '',
  };
  const field = (name: keyof typeof values, blank: string) => ({
    name,
    value: values[name],
    focusIds: [answersFor[name]],
    onChange: (value: string) => {
      setValues({ ...values, [name]: value });
      if (error) onChange();
    },
    error:
      isSent && isBlank[name]
        ? blank
        : error?.name === answersFor[name]
          ? messageOf(error)
          : undefined,
  });
  const send = () => {
    setIsSent(true);
    if (!isBlank.password && !isBlank.code)
      onProof({
        ...(required.password ? { password: values.password } : {}),
        ...(required.code ? { code: values.code } : {}),
      });
  };
  const isElsewhere = error !== null && !Object.values<string>(answersFor).includes(error.name);
  return (
    <form
      id={id}
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {children}
      <ErrorAlert error={isElsewhere ? error : null} />
      {required.password ? (
        <PasswordField
          {...field('password', t('factor.passwordRequired'))}
          label={t('factor.password')}
          autoComplete="current-password"
        />
      ) : null}
      {codeLabel === undefined ? null : (
        <TextField
          {...field('code', t('setup.codeRequired'))}
          label={codeLabel}
          inputMode="numeric"
          autoComplete="one-time-code"
          dir="ltr"
          maxLength={40}
          width="medium"
        />
      )}
    </form>
  );
}
