import i18next from 'i18next';
import { focusOn } from './focus-on.ts';
import { currentAddress, goTo } from './navigation.ts';
import { SendError } from './send-error.ts';
import { keepReturnUrl, storeToken } from './session.ts';
import { showToast } from './toasts.ts';

/** The words for an error; the server's own come first, because they are already in the person's language. */
export function messageOf(error: unknown): string {
  const name = error instanceof SendError ? error.name : 'InternalServerError';
  if (error instanceof SendError && error.message !== '') return error.message;
  return i18next.t(`refusals.${name}`, { ns: 'errors' });
}

export function goToLogin(): void {
  if (!window.location.pathname.startsWith('/account/login')) keepReturnUrl(currentAddress());
  storeToken(null);
  goTo('/account/login');
  showToast(i18next.t('refusals.YouHaveToLoginFirst', { ns: 'errors' }), 'danger');
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
    goTo('/');
    showToast(i18next.t('refusals.YouAreUnauthorized', { ns: 'errors' }), 'danger');
  } else {
    if (error.status >= 500) console.error(error);
    showToast(messageOf(error), 'danger');
  }
}
