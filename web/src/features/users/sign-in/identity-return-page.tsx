import { Suspense, use } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, redirect, useLoaderData } from 'react-router';
import { takeIdentityReturn, type IdentityReturn } from '../../../lib/auth/identity-return.ts';
import { usePageTitle } from '../../../lib/page/page-title.ts';
import type { SendErrorName } from '../../../lib/api/send-error.ts';
import { LinkButton } from '../../../ui/actions/link-button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Spinner } from '../../../ui/actions/spinner.tsx';
import { completeSignIn } from './identity-sign-in.ts';
import { nextAddress } from './next-address.ts';
import { UAEPassLink } from '../account/uae-pass-link.tsx';

type Outcome = { to: string } | { failure: SendErrorName };

async function signInAndGoOn(returned: IdentityReturn): Promise<Outcome> {
  const failure = await completeSignIn(returned);
  if (failure === 'LinkConfirmationRequired') return { to: '/account/link' };
  return failure === null ? { to: nextAddress('/home/services') } : { failure };
}

/**
 * The code is taken once, here and not in the page: a page may be drawn twice. Without one there is
 * nothing to do.
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

function After({ promise }: { promise: Promise<Outcome> }) {
  const { t } = useTranslation('users');
  const outcome = use(promise);
  const isSignedIn = 'to' in outcome;
  usePageTitle(isSignedIn ? t('identity.signingIn') : t('identity.failed'));
  if (isSignedIn) return <Navigate to={outcome.to} replace />;
  return (
    <>
      <h1 className="text-2xl">{t('identity.failed')}</h1>
      <div className="mt-4 mb-8">
        <Notice tone="danger">{t(`refusals.${outcome.failure}`, { ns: 'errors' })}</Notice>
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

/** Where the way back from UAE PASS ends: no page that anybody links to. */
export function IdentityReturnPage() {
  const { outcome } = useLoaderData<{ outcome: Promise<Outcome> }>();
  return (
    <div className="page py-8 md:py-16">
      <div className="max-w-110">
        <Suspense fallback={<SigningIn />}>
          <After promise={outcome} />
        </Suspense>
      </div>
    </div>
  );
}
