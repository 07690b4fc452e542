import { Suspense, useState } from 'react';
import { ChosenService } from '#features/services/service-facts.tsx';
import { currentSession, findSelectedService } from '#lib/api/session.ts';
import { useHomeAddress } from '#lib/auth/home-address.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { Navigate } from '#lib/router/link.tsx';
import { useLoaderData, useNavigate } from '#lib/router/router-provider.tsx';
import { TextLink } from '#ui/actions/links.tsx';
import { Lattice } from '#ui/theme/lattice.tsx';
import { Star } from '#ui/theme/star.tsx';
import { SupportLine } from '#ui/values/support-contact.tsx';
import { nextAddress } from '../identity/next-address.ts';
import { SharedComputerChoice } from '../identity/shared-computer-choice.tsx';
import { UAEPassLink } from '../identity/uae-pass-link.tsx';
import { LoginForm } from './login-form.tsx';

/** UAE PASS comes first, the password form below it. */
function UAEPassFirst() {
  const { t } = useTranslation('users');
  return (
    <>
      <UAEPassLink />
      <p className="mt-2 text-sm text-ink-600">{t('identity.hint')}</p>
      <div className="my-6 flex items-center gap-4 text-sm text-ink-500">
        <span aria-hidden className="h-px grow bg-ink-200" />
        {t('login.or')}
        <span aria-hidden className="h-px grow bg-ink-200" />
      </div>
    </>
  );
}

function OtherWays() {
  const { t } = useTranslation('users');
  return (
    <div className="mt-6 flex flex-col items-start gap-1">
      <TextLink to="/account/forgot-password">{t('login.forgotten')}</TextLink>
      <p>
        {t('login.noAccount')} <TextLink to="/account/register">{t('login.register')}</TextLink>
      </p>
    </div>
  );
}

export function LoginPage() {
  const { t } = useTranslation('users');
  const navigate = useNavigate();
  const { isEnabled } = useLoaderData<{ isEnabled: boolean }>();
  // Only the state on arrival counts: signing in on this page navigates elsewhere.
  const [wasSignedIn] = useState(() => currentSession() !== null);
  const [chosenService] = useState(findSelectedService);
  const [asksCode, setAsksCode] = useState(false);
  const home = useHomeAddress();
  usePageTitle(t('login.title'));
  if (wasSignedIn) return <Navigate to={home} replace />;
  return (
    <div className="page grid grid-cols-1 gap-8 py-8 md:grid-cols-2 md:gap-16 md:py-16">
      <div className="max-w-110">
        <h1 className="text-2xl">{t('login.title')}</h1>
        {asksCode ? null : (
          <>
            <p className="mt-2 text-ink-600">
              {t(chosenService === null ? 'login.lead' : 'login.serviceLead')}
            </p>
            {chosenService === null ? null : (
              <Suspense>
                <ChosenService serviceId={chosenService} />
              </Suspense>
            )}
          </>
        )}
        <div className="mt-6" />
        {asksCode ? null : (
          <div className="mb-6">
            <SharedComputerChoice />
          </div>
        )}
        {isEnabled && !asksCode ? <UAEPassFirst /> : null}
        <LoginForm
          isSecond={isEnabled}
          asksCode={asksCode}
          onAsksCode={setAsksCode}
          onSignedIn={() =>
            void nextAddress().then((address) => navigate(address, { replace: true }))
          }
        />
        {asksCode ? null : (
          <>
            <OtherWays />
            <SupportLine text={t('login.help')} className="mt-6 text-sm text-ink-600" />
          </>
        )}
      </div>
      <div
        aria-hidden
        className="relative hidden min-h-96 overflow-clip rounded-lg border border-gold-100 bg-gold-50 md:block"
      >
        <Lattice className="absolute inset-0 opacity-50" />
        <span className="absolute inset-0 flex items-center justify-center text-gold-600">
          <span className="rounded-full bg-gold-50 p-6">
            <Star size={144} />
          </span>
        </span>
      </div>
    </div>
  );
}
