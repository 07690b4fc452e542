import { uaePassIntegration } from '@diwan/contract/people/users';
import { remember } from '../../../lib/browser/browser-memory.ts';
import { messageOf } from '../../../lib/api/handle-error.ts';
import type { IdentityReturn } from '../../../lib/auth/identity-return.ts';
import { send } from '../../../lib/api/send.ts';
import { SendError, type SendErrorName } from '../../../lib/api/send-error.ts';
import { decodeToken, identityFlagKey, storeToken } from '../../../lib/api/session.ts';
import { forgetSession, signOut } from '../../../lib/auth/sign-out.ts';
import { showToast } from '../../../lib/browser/toasts.ts';

/** As long as the contract takes it; anything else is not worth a call. */
const isUsable = (text: string) => text.length > 0 && text.length <= 2000;

async function exchange({ code, state }: IdentityReturn): Promise<string> {
  const isWhole = isUsable(code) && isUsable(state);
  const { token } = isWhole
    ? await send(uaePassIntegration, { query: { code, state }, skipErrorHandling: true })
    : { token: '' };
  if (decodeToken(token) === null) throw new SendError(400, 'IdentityNotConfirmed', '');
  return token;
}

/**
 * There is no form whose fields could be mended: a code that the server cannot read is one that it
 * cannot confirm.
 */
function faultOf(error: unknown): SendError {
  if (!(error instanceof SendError)) return new SendError(500, 'InternalServerError', '');
  return error.name === 'ValidationFailed' ? new SendError(400, 'IdentityNotConfirmed', '') : error;
}

/**
 * Takes the code to the server for a session; whoever was signed in here before is signed out.
 * Answers with what went wrong, or null. Source: specification §2, §4.
 */
export async function completeSignIn(returned: IdentityReturn): Promise<SendErrorName | null> {
  signOut();
  try {
    storeToken(await exchange(returned));
    remember('session', identityFlagKey, 'true');
    return null;
  } catch (error) {
    const fault = faultOf(error);
    forgetSession();
    // A page says it.
    if (fault.name !== 'LinkConfirmationRequired') showToast(messageOf(fault), 'danger');
    return fault.name;
  }
}
