import { pageList } from '@diwan/contract/portal/page-list';
import { restrictions, type Restriction } from '@diwan/contract/wire/call';
import { focusOn } from '../browser/focus-on.ts';
import { currentAddress, goTo } from '../browser/navigation.ts';
import { showToast } from '../browser/toasts.ts';
import { t } from '../i18n/translate.ts';
import { ApiError, type ApiErrorName } from './api-error.ts';
import { hasStoredOwnToken, storeReturnUrl, storeToken } from './session.ts';

/** The reference for support, or the time until the next attempt; empty without either. */
function detailOf({ requestId, retryAfter }: ApiError): string {
  // The first digits are enough to find it in the log, and short enough to say on the phone.
  if (requestId) return ` ${t('reference', { ns: 'errors', requestId: requestId.slice(0, 8) })}`;
  if (!retryAfter) return '';
  const [key, seconds] =
    retryAfter <= 90
      ? (['tryInSeconds', 1] as const)
      : retryAfter <= 5400
        ? (['tryInMinutes', 60] as const)
        : (['tryInHours', 3600] as const);
  return ` ${t(key, { ns: 'errors', count: Math.ceil(retryAfter / seconds) })}`;
}

/** The text of an error; the text of the server comes first, in the user's language. */
export function messageOf(error: unknown): string {
  if (!(error instanceof ApiError)) return t('refusals.InternalServerError', { ns: 'errors' });
  return `${error.message || t(`refusals.${error.name}`, { ns: 'errors' })}${detailOf(error)}`;
}

let cleanUpSession = (): void => undefined;

/** Sets what clears a session. A setter, because the modules that clear it import this one. */
export function setSessionCleanup(cleanUp: () => void): void {
  cleanUpSession = cleanUp;
}

/** The page that explains a restriction and what the user can do. Source: specification §4. */
export const restrictionPages = Object.fromEntries(
  restrictions.map((restriction) => [
    restriction,
    pageList.find(({ explains }) => explains?.includes(restriction))?.path,
  ]),
) as Readonly<Record<Restriction, string>>;

const restrictionOfRefusal: Partial<Record<ApiErrorName, Restriction>> = {
  SecondFactorSetupRequired: 'secondFactor',
  ServiceProviderInactive: 'inactive',
  ServiceProviderSuspended: 'suspended',
};

/** The page that explains a refusal; undefined when it is not about a restriction. */
function findRestrictionPage(name: ApiErrorName): string | undefined {
  const restriction = restrictionOfRefusal[name];
  return restriction && restrictionPages[restriction];
}

let leaving: Promise<void> | undefined;

/** Clears the data after the login page is shown: before that the page would query it again. */
async function leave(explain: () => void): Promise<void> {
  // An employee who acted for an applicant continues with their own session, by the guard there.
  if (hasStoredOwnToken()) {
    storeToken(null);
    return goTo('/requests/counter');
  }
  if (!window.location.pathname.startsWith('/account/login')) storeReturnUrl(currentAddress());
  storeToken(null);
  await goTo('/account/login');
  cleanUpSession();
  explain();
}

const explainLogin = () => showToast(t('refusals.YouHaveToLoginFirst', { ns: 'errors' }), 'danger');

/**
 * Opens the login page, once for several refused calls; after signing in the user returns. `explain`
 * shows why. Source: specification §8.
 */
export function goToLogin(explain = explainLogin): void {
  leaving ??= leave(explain).finally(() => (leaving = undefined));
}

function handleBadRequest(error: ApiError): void {
  const messages = Object.values(error.fieldErrors).flat();
  for (const message of messages) showToast(message, 'danger', { isOfPage: true });
  if (messages.length > 0) return;
  focusOn(error.name);
  showToast(messageOf(error), 'danger', { isOfPage: true });
}

/** Shows or follows an error. Source: specification §8. */
export function handleError(error: unknown): void {
  if (error instanceof DOMException && error.name === 'AbortError') return;
  if (!(error instanceof ApiError)) {
    console.error(error);
    showToast(messageOf(error), 'danger');
    return;
  }
  if (error.skipErrorHandling) return;
  if (error.status === 400) handleBadRequest(error);
  else if (error.status === 401) goToLogin();
  else if (error.status === 403) {
    const explanation = findRestrictionPage(error.name);
    void goTo(explanation ?? '/');
    showToast(
      explanation ? messageOf(error) : t('refusals.YouAreUnauthorized', { ns: 'errors' }),
      'danger',
    );
  } else {
    if (error.status >= 500) console.error(error);
    showToast(messageOf(error), 'danger');
  }
}
