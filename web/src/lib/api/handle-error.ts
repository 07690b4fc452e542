import i18next from 'i18next';
import { focusOn } from '../browser/focus-on.ts';
import { currentAddress, goTo } from '../browser/navigation.ts';
import { explanationOfRefusal } from './restriction.ts';
import { SendError } from './send-error.ts';
import { hasOwnWaiting, keepReturnUrl, storeToken } from './session.ts';
import { showToast } from '../browser/toasts.ts';

/** What the error brings besides its words: by what support finds it, or when to try again. */
function detailOf({ requestId, retryAfter }: SendError): string {
  // The beginning finds it in the log too, and can be read out on the phone.
  if (requestId)
    return ` ${i18next.t('reference', { ns: 'errors', requestId: requestId.slice(0, 8) })}`;
  if (!retryAfter) return '';
  const [words, seconds] =
    retryAfter <= 90
      ? (['tryInSeconds', 1] as const)
      : retryAfter <= 5400
        ? (['tryInMinutes', 60] as const)
        : (['tryInHours', 3600] as const);
  return ` ${i18next.t(words, { ns: 'errors', count: Math.ceil(retryAfter / seconds) })}`;
}

/**
 * The words for an error; the server's own come first, because they are already in the person's
 * language.
 */
export function messageOf(error: unknown): string {
  if (!(error instanceof SendError))
    return i18next.t('refusals.InternalServerError', { ns: 'errors' });
  return `${error.message || i18next.t(`refusals.${error.name}`, { ns: 'errors' })}${detailOf(error)}`;
}

let forget = (): void => undefined;

/** What it takes to forget a session; handed over, because what keeps it hears of errors itself. */
export function setForget(forgetSession: () => void): void {
  forget = forgetSession;
}

let leaving: Promise<void> | undefined;

/**
 * What was shown is forgotten when it is shown no more: until then the page would ask for it again,
 * on nobody's behalf.
 */
async function leave(): Promise<void> {
  // Who acted for somebody goes on as themselves: the guard of the counter sees to it.
  if (hasOwnWaiting()) {
    storeToken(null);
    return goTo('/requests/counter');
  }
  if (!window.location.pathname.startsWith('/account/login')) keepReturnUrl(currentAddress());
  storeToken(null);
  await goTo('/account/login');
  forget();
  showToast(i18next.t('refusals.YouHaveToLoginFirst', { ns: 'errors' }), 'danger');
}

/**
 * Logs out, however many calls are refused at once, and lets the person sign in and come back.
 * Source: specification §8.
 */
export function goToLogin(): void {
  leaving ??= leave().finally(() => (leaving = undefined));
}

function handleBadRequest(error: SendError): void {
  const messages = Object.values(error.fieldErrors).flat();
  for (const message of messages) showToast(message, 'danger');
  if (messages.length > 0) return;
  focusOn(error.name);
  showToast(messageOf(error), 'danger');
}

/** The one place that decides what an error does. Source: specification §8. */
export function handleError(error: unknown): void {
  if (error instanceof DOMException && error.name === 'AbortError') return;
  if (!(error instanceof SendError)) {
    console.error(error);
    showToast(messageOf(error), 'danger');
    return;
  }
  if (error.skipErrorHandling) return;
  if (error.status === 400) handleBadRequest(error);
  else if (error.status === 401) goToLogin();
  else if (error.status === 403) {
    const explanation = explanationOfRefusal(error.name);
    void goTo(explanation ?? '/');
    showToast(
      explanation ? messageOf(error) : i18next.t('refusals.YouAreUnauthorized', { ns: 'errors' }),
      'danger',
    );
  } else {
    if (error.status >= 500) console.error(error);
    showToast(messageOf(error), 'danger');
  }
}
