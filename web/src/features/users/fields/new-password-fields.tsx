import { useEffect, useState } from 'react';
import { afterPointerUp, watchPointer } from '#lib/browser/interaction.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { PasswordField } from '#ui/forms/password-field.tsx';
import { findPasswordErrors } from '@diwan/contract/people/password';
import { PasswordRules } from './password-rules.tsx';

interface NewPasswordFieldsProps {
  password: string;
  confirm: string;
  /** Words that the password must not consist of. */
  personalNames: readonly string[];
  /** The field names in the request. */
  names: { password: string; confirm: string };
  labels: { password: string; confirm: string };
  onChange: (values: { password?: string; confirm?: string }) => void;
  /** The error of a submitted field. */
  errorOf: (name: string) => string | undefined;
}

/** A new password with its rules, and its confirmation. */
export function NewPasswordFields({
  password,
  confirm,
  personalNames,
  names,
  labels,
  onChange,
  errorOf,
}: NewPasswordFieldsProps) {
  const { t } = useTranslation('errors');
  const [hasLeft, setHasLeft] = useState(false);
  useEffect(watchPointer, []);
  // An empty field is missing, not wrong: `errorOf` says so once the form is submitted.
  const problems = findPasswordErrors(password, { isOptional: true, personalNames });
  const isDifferent = hasLeft && confirm !== '' && confirm !== password;
  return (
    <>
      <PasswordField
        name={names.password}
        label={labels.password}
        autoComplete="new-password"
        value={password}
        onChange={(value) => onChange({ password: value })}
        error={
          errorOf(names.password) ??
          (problems.includes('PasswordIsTooWellKnown')
            ? t('validation.PasswordIsTooWellKnown')
            : undefined)
        }
        description={<PasswordRules password={password} problems={problems} isFirst />}
      />
      <PasswordField
        name={names.confirm}
        label={labels.confirm}
        autoComplete="new-password"
        value={confirm}
        onChange={(value) => onChange({ confirm: value })}
        // Shown immediately, the message would move the button that is being pressed.
        onBlur={() => afterPointerUp(() => setHasLeft(true))}
        error={
          errorOf(names.confirm) ??
          (isDifferent ? t('validation.NewPasswordAndConfirmNewPasswordDoNotMatch') : undefined)
        }
      />
    </>
  );
}
