import { login } from '@diwan/contract/people/users';
import { handleError } from '../../../lib/api/handle-error.ts';
import type { SendError } from '../../../lib/api/send-error.ts';
import { storeToken } from '../../../lib/api/session.ts';
import { useAction } from '../../../lib/api/use-call.ts';

/**
 * That a second step is asked for is no error to anybody; the rest is handled where all errors are.
 */
export function handleLoginError(error: SendError): void {
  if (error.name === 'SecondFactorRequired') return;
  error.skipErrorHandling = false;
  handleError(error);
}

/** Errors are for `handleLoginError`. */
export function useLogin(onSuccess: () => void) {
  return useAction(login, {
    skipErrorHandling: true,
    onSuccess: ({ token }) => {
      storeToken(token);
      onSuccess();
    },
  });
}
