import { useState } from 'react';
import {
  passwordChangeFaults,
  type PasswordChange,
  type PasswordFault,
} from '@diwan/contract/people/password';
import { changeUserPassword } from '@diwan/contract/people/users';
import { messageOf } from '../../../lib/api/handle-error.ts';
import { useSession } from '../../../lib/api/session.ts';
import { useAction } from '../../../lib/api/use-call.ts';

export type PasswordFieldName = keyof PasswordChange;

const nothing: PasswordChange = { oldPassword: '', newPassword: '', confirmNewPassword: '' };

export interface PasswordChangeState {
  values: PasswordChange;
  faults: Record<PasswordFieldName, PasswordFault[]>;
  /**
   * What is wrong with a field that was left, or was sent; nothing while somebody is still at it.
   */
  faultOf: (name: PasswordFieldName) => PasswordFault | undefined;
  /** What the server said of the old password, in its own words. */
  wrongOld: string | undefined;
  canSend: boolean;
  isPending: boolean;
  change: (name: PasswordFieldName, value: string) => void;
  leave: (name: PasswordFieldName) => void;
  send: () => void;
}

/**
 * Specification §5 and §8: only a wrong old password is shown here, every other refusal is handled
 * where all are.
 */
export function usePasswordChange(onChanged: () => void): PasswordChangeState {
  const session = useSession();
  const [values, setValues] = useState(nothing);
  const [left, setLeft] = useState<readonly PasswordFieldName[]>([]);
  const action = useAction(changeUserPassword, { onSuccess: onChanged });
  const faults = passwordChangeFaults(
    values,
    session ? [session.displayName, ...session.fullName.split(/\s+/)] : [],
  );
  const wrongOld = action.error?.name === 'IncorrectPassword' ? messageOf(action.error) : undefined;
  const canSend =
    Object.values(faults).every((list) => list.length === 0) && wrongOld === undefined;
  return {
    values,
    faults,
    wrongOld,
    canSend,
    isPending: action.isPending,
    faultOf: (name) => (left.includes(name) ? faults[name][0] : undefined),
    change: (name, value) => {
      setValues({ ...values, [name]: value });
      if (name === 'oldPassword' && action.error) action.reset();
    },
    // Passing through an empty field on the way to another is no mistake yet.
    leave: (name) => {
      if (values[name] !== '') setLeft([...left, name]);
    },
    send: () => {
      setLeft(['oldPassword', 'newPassword', 'confirmNewPassword']);
      if (canSend && !action.isPending) action.mutate({ body: values });
    },
  };
}
