import { login } from '@diwan/contract/users';
import { storeToken } from '../../lib/session.ts';
import { useAction } from '../../lib/use-call.ts';

export function useLogin(onSuccess: () => void) {
  return useAction(login, {
    onSuccess: ({ token }) => {
      storeToken(token);
      onSuccess();
    },
  });
}
