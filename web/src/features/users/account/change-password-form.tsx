import { useTranslation } from 'react-i18next';
import { useSession } from '../../../lib/api/session.ts';
import { PasswordField } from '../../../ui/forms/password-field.tsx';
import { ChangePasswordRules } from './change-password-rules.tsx';
import type { PasswordChangeState, PasswordFieldName } from './change-password-state.ts';

export function ChangePasswordForm({ id, state }: { id: string; state: PasswordChangeState }) {
  const { t } = useTranslation('users');
  const { t: errors } = useTranslation('errors');
  const session = useSession();
  const { values, faults, faultOf, wrongOld } = state;
  const field = (name: PasswordFieldName) => {
    const fault = faultOf(name);
    return {
      name,
      value: values[name],
      onChange: (value: string) => state.change(name, value),
      onBlur: () => state.leave(name),
      label: t(`password.${name}`),
      error: fault ? errors(`validation.${fault}`) : undefined,
    };
  };
  const old = field('oldPassword');
  return (
    <form
      id={id}
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        state.send();
      }}
    >
      {/* A password manager learns whose password it is. */}
      <input
        type="text"
        name="username"
        autoComplete="username"
        value={session?.displayName ?? ''}
        readOnly
        hidden
      />
      <PasswordField
        {...old}
        error={wrongOld ?? old.error}
        autoComplete="current-password"
        focusIds={['IncorrectPassword']}
      />
      <PasswordField
        {...field('newPassword')}
        autoComplete="new-password"
        description={
          <ChangePasswordRules password={values.newPassword} faults={faults.newPassword} />
        }
      />
      <PasswordField {...field('confirmNewPassword')} autoComplete="new-password" />
    </form>
  );
}
