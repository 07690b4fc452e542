import { Suspense, use } from 'react';
import { type ApiErrorName, ApiError } from '#lib/api/api-error.ts';
import { messageOf } from '#lib/api/handle-error.ts';
import { send } from '#lib/api/send.ts';
import { decodeToken, identityFlagKey, storeToken } from '#lib/api/session.ts';
import { takeIdentityReturn, type IdentityReturn } from '#lib/auth/identity-return.ts';
import { clearSession, signOut } from '#lib/auth/sign-out.ts';
import { storeItem } from '#lib/browser/storage.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { Navigate } from '#lib/router/link.tsx';
import { useLoaderData } from '#lib/router/router-provider.tsx';
import { redirect } from '#lib/router/router.ts';
import { Spinner } from '#ui/actions/button.tsx';
import { LinkButton } from '#ui/actions/links.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { uaePassIntegration } from '@diwan/contract/people/users';
import { nextAddress } from './next-address.ts';
import { UAEPassLink } from './uae-pass-link.tsx';

/** The maximum length of the contract; longer values are not sent. */
const hasValidLength = (text: string) => text.length > 0 && text.length <= 2000;

async function exchange({ code, state }: IdentityReturn): Promise<string> {
  const isComplete = hasValidLength(code) && hasValidLength(state);
  const { token } = isComplete
    ? await send(uaePassIntegration, { query: { code, state }, skipErrorHandling: true })
    : { token: '' };
  if (decodeToken(token) === null) throw new ApiError(400, 'IdentityNotConfirmed', '');
  return token;
}

/** There is no form to show field errors: an invalid code counts as not confirmed. */
function errorOf(error: unknown): ApiError {
  if (!(error instanceof ApiError)) return new ApiError(500, 'InternalServerError', '');
  return error.name === 'ValidationFailed' ? new ApiError(400, 'IdentityNotConfirmed', '') : error;
}

/**
 * Exchanges the code for a session and ends the previous one. Returns the name of the error, or
 * null. Source: specification §2, §4.
 */
async function completeSignIn(returned: IdentityReturn): Promise<ApiErrorName | null> {
  signOut();
  try {
    storeToken(await exchange(returned));
    storeItem('session', identityFlagKey, 'true');
    return null;
  } catch (error) {
    const failure = errorOf(error);
    clearSession();
    // The link page explains it.
    if (failure.name !== 'LinkConfirmationRequired') showToast(messageOf(failure), 'danger');
    return failure.name;
  }
}

type Outcome = { to: string } | { failure: ApiErrorName };

async function signInAndGoOn(returned: IdentityReturn): Promise<Outcome> {
  const failure = await completeSignIn(returned);
  if (failure === 'LinkConfirmationRequired') return { to: '/account/link' };
  return failure === null ? { to: await nextAddress() } : { failure };
}

/**
 * Consumes the code in the loader, because a component may render twice. Without a code it
 * redirects.
 */
export function identityReturnLoader(): Response | { outcome: Promise<Outcome> } {
  const returned = takeIdentityReturn();
  return returned ? { outcome: signInAndGoOn(returned) } : redirect('/home');
}

function SigningIn() {
  const { t } = useTranslation('users');
  usePageTitle(t('identity.signingIn'));
  return (
    <div role="status" className="flex items-center gap-4 py-8">
      <span className="text-gold-600">
        <Spinner size={32} />
      </span>
      <div>
        <h1 className="text-2xl">{t('identity.signingIn')}</h1>
        <p className="text-ink-600">{t('identity.wait')}</p>
      </div>
    </div>
  );
}

function SignInResult({ outcome: promise }: { outcome: Promise<Outcome> }) {
  const { t } = useTranslation('users');
  const outcome = use(promise);
  const isSignedIn = 'to' in outcome;
  usePageTitle(isSignedIn ? t('identity.signingIn') : t('identity.failed'));
  if (isSignedIn) return <Navigate to={outcome.to} replace />;
  return (
    <>
      <h1 className="text-2xl">{t('identity.failed')}</h1>
      <div className="mt-4 mb-8">
        <Alert tone="danger">{t(`refusals.${outcome.failure}`, { ns: 'errors' })}</Alert>
      </div>
      <div className="flex flex-col gap-3">
        <UAEPassLink />
        <LinkButton to="/account/login" variant="secondary" size="lg" isFullWidth>
          {t('identity.password')}
        </LinkButton>
        <LinkButton to="/home/services" variant="quiet" isFullWidth>
          {t('identity.services')}
        </LinkButton>
      </div>
    </>
  );
}

/** The return page of UAE PASS; no page links to it. */
export function IdentityReturnPage() {
  const { outcome } = useLoaderData<{ outcome: Promise<Outcome> }>();
  return (
    <div className="page py-8 md:py-16">
      <div className="max-w-110">
        <Suspense fallback={<SigningIn />}>
          <SignInResult outcome={outcome} />
        </Suspense>
      </div>
    </div>
  );
}
