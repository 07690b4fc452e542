import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { passwordFaults } from '@diwan/contract/people/password';
import { PasswordField } from '../../../ui/forms/password-field.tsx';
import { ChangePasswordRules } from '../account/change-password-rules.tsx';

interface NewPasswordFieldsProps {
  password: string;
  confirm: string;
  /** Names that must not be most of it. */
  ownWords: readonly string[];
  /** What the two are called where they are sent. */
  names: { password: string; confirm: string };
  labels: { password: string; confirm: string };
  onChange: (values: { password?: string; confirm?: string }) => void;
  /** What is wrong with a field that was sent. */
  errorOf: (name: string) => string | undefined;
}

/** A password that is chosen, with its rules ticked while it is typed, and once more. */
export function NewPasswordFields({
  password,
  confirm,
  ownWords,
  names,
  labels,
  onChange,
  errorOf,
}: NewPasswordFieldsProps) {
  const { t } = useTranslation('errors');
  const [hasLeft, setHasLeft] = useState(false);
  const faults = passwordFaults(password, { ownWords });
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
          (faults.includes('PasswordIsTooWellKnown')
            ? t('validation.PasswordIsTooWellKnown')
            : undefined)
        }
        description={<ChangePasswordRules password={password} faults={faults} isFirst />}
      />
      <PasswordField
        name={names.confirm}
        label={labels.confirm}
        autoComplete="new-password"
        value={confirm}
        onChange={(value) => onChange({ confirm: value })}
        onBlur={() => setHasLeft(true)}
        error={
          errorOf(names.confirm) ??
          (isDifferent ? t('validation.NewPasswordAndConfirmNewPasswordDoNotMatch') : undefined)
        }
      />
    </>
  );
}
