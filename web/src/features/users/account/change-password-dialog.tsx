import { useEffect, useId, useState } from 'react';
import type { ApiError } from '#lib/api/api-error.ts';
import { handleError, messageOf } from '#lib/api/handle-error.ts';
import { useSession } from '#lib/api/session.ts';
import { useAction } from '#lib/api/use-call.ts';
import { focusOn } from '#lib/browser/focus-on.ts';
import { afterPointerUp, watchPointer } from '#lib/browser/interaction.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { PasswordField } from '#ui/forms/password-field.tsx';
import {
  findPasswordChangeErrors,
  type PasswordChange,
  type PasswordError,
} from '@diwan/contract/people/password';
import { changeUserPassword } from '@diwan/contract/people/users';
import { PasswordRules } from '../fields/password-rules.tsx';

type PasswordFieldName = keyof PasswordChange;

const emptyValues: PasswordChange = { oldPassword: '', newPassword: '', confirmNewPassword: '' };

interface PasswordChangeState {
  values: PasswordChange;
  problems: Record<PasswordFieldName, PasswordError[]>;
  /** The error of a field that was left or submitted; none while the user is typing. */
  problemOf: (name: PasswordFieldName) => PasswordError | undefined;
  /** The server's message about the old password. */
  wrongOld: string | undefined;
  canSend: boolean;
  isPending: boolean;
  change: (name: PasswordFieldName, value: string) => void;
  leave: (name: PasswordFieldName) => void;
  send: () => void;
}

/**
 * Only a wrong old password has a message; 401 and 403 lead to another page. Source: specification
 * §8; decision 0038.
 */
function handleRefusal(error: ApiError): void {
  if (error.name === 'IncorrectPassword') focusOn(error.name);
  else if (error.status === 401 || error.status === 403)
    handleError(Object.assign(error, { skipErrorHandling: false }));
}

/** Specification §5 and §8. */
function usePasswordChange(onChanged: () => void): PasswordChangeState {
  const session = useSession();
  const [values, setValues] = useState(emptyValues);
  const [left, setLeft] = useState<readonly PasswordFieldName[]>([]);
  useEffect(watchPointer, []);
  const action = useAction(changeUserPassword, {
    skipErrorHandling: true,
    onSuccess: onChanged,
    onError: handleRefusal,
  });
  const problems = findPasswordChangeErrors(
    values,
    session ? [session.displayName, ...session.fullName.split(/\s+/)] : [],
  );
  const { error } = action;
  const isWrongOld = error?.name === 'IncorrectPassword';
  const wrongOld = isWrongOld ? messageOf(error) : undefined;
  const canSend =
    Object.values(problems).every((list) => list.length === 0) && wrongOld === undefined;
  return {
    values,
    problems,
    wrongOld,
    canSend,
    isPending: action.isPending,
    problemOf: (name) => (left.includes(name) ? problems[name][0] : undefined),
    change: (name, value) => {
      setValues({ ...values, [name]: value });
      if (name === 'oldPassword' && isWrongOld) action.reset();
    },
    // Leaving an empty field is not an error yet. Shown immediately, the message would move the
    // button that is being pressed.
    leave: (name) => {
      if (values[name] !== '') afterPointerUp(() => setLeft((before) => [...before, name]));
    },
    send: () => {
      setLeft(['oldPassword', 'newPassword', 'confirmNewPassword']);
      if (canSend && !action.isPending) action.mutate({ body: values });
    },
  };
}

function ChangePasswordForm({ id, state }: { id: string; state: PasswordChangeState }) {
  const { t } = useTranslation('users');
  const { t: errors } = useTranslation('errors');
  const session = useSession();
  const { values, problems, problemOf, wrongOld } = state;
  const field = (name: PasswordFieldName) => {
    const problem = problemOf(name);
    return {
      name,
      value: values[name],
      onChange: (value: string) => state.change(name, value),
      onBlur: () => state.leave(name),
      label: t(`password.${name}`),
      error: problem ? errors(`validation.${problem}`) : undefined,
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
      {/* Password managers read the user name here. */}
      <input
        type="text"
        name="username"
        autoComplete="username"
        aria-label={t('login.username')}
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
          <PasswordRules password={values.newPassword} problems={problems.newPassword} />
        }
      />
      <PasswordField {...field('confirmNewPassword')} autoComplete="new-password" />
    </form>
  );
}

function OpenDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('users');
  const form = useId();
  const state = usePasswordChange(() => {
    showToast(t('password.PasswordHasChangedSuccessfully'), 'success');
    onClose();
  });
  return (
    <ConfirmDialog
      title={t('password.title')}
      formId={form}
      confirmLabel={t('password.submit')}
      pendingLabel={t('password.pending')}
      cancelLabel={t('password.cancel')}
      cancelVariant="secondary"
      isPending={state.isPending}
      isDisabled={!state.canSend}
      onClose={onClose}
    >
      <p className="mb-5 text-ink-600">{t('password.lead')}</p>
      <ChangePasswordForm id={form} state={state} />
    </ConfirmDialog>
  );
}

/** The input is discarded when the dialog closes. */
export function ChangePasswordDialog({
  isOpen,
  onClose,
}: {
  isOpen: boolean;
  onClose: () => void;
}) {
  return isOpen ? <OpenDialog onClose={onClose} /> : null;
}
