import { useEffect, useRef, useState } from 'react';
import { currentSession } from '#lib/api/session.ts';
import { useHomeAddress } from '#lib/auth/home-address.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { Navigate } from '#lib/router/link.tsx';
import { useLoaderData, useNavigate, useSearchParams } from '#lib/router/router-provider.tsx';
import { Button } from '#ui/actions/button.tsx';
import { TextLink } from '#ui/actions/links.tsx';
import { PageHeader } from '#ui/data/page-header.tsx';
import { Stepper } from '#ui/data/stepper.tsx';
import { ErrorSummary } from '#ui/forms/error-summary.tsx';
import { SignInFields } from '../fields/account-fields.tsx';
import { nextAddress } from '../identity/next-address.ts';
import { SharedComputerChoice } from '../identity/shared-computer-choice.tsx';
import { UAEPassLink } from '../identity/uae-pass-link.tsx';
import { RegisterCode, RegisterContact, RegisterWho } from './register-fields.tsx';
import { registerSteps, useRegistration, type RegisterStep } from './register-state.ts';

const stepComponents = {
  who: RegisterWho,
  contact: RegisterContact,
  signIn: SignInFields,
  code: RegisterCode,
} as const satisfies Record<RegisterStep, unknown>;

/** UAE PASS is faster than registration, and the only way to verify the identity. */
function UAEPassInstead() {
  const { t } = useTranslation(['accounts', 'users']);
  return (
    <section
      aria-labelledby="uae-pass-instead"
      className="mb-8 rounded-lg border border-gold-200 bg-gold-50 p-4 md:p-6"
    >
      <h2 id="uae-pass-instead" className="text-lg">
        {t('register.uaePassTitle')}
      </h2>
      <p className="mt-1 mb-4 text-ink-700">{t('register.uaePass')}</p>
      <UAEPassLink />
    </section>
  );
}

/**
 * Creates an account in four steps: person, contact, sign-in and verification code. Decision 0016.
 */
export function RegisterPage() {
  const { t } = useTranslation(['accounts', 'shell']);
  const navigate = useNavigate();
  const { isEnabled } = useLoaderData<{ isEnabled: boolean }>();
  const [query] = useSearchParams();
  const [wasSignedIn] = useState(() => currentSession() !== null);
  const home = useHomeAddress();
  const heading = useRef<HTMLHeadingElement>(null);
  usePageTitle(t('register.title'));
  const state = useRegistration(query.get('type') === 'company' ? 'company' : 'individual', () => {
    showToast(t('register.done'), 'success');
    void nextAddress().then((address) => navigate(address, { replace: true }));
  });
  const { step, messages, isPending } = state;
  const shownStep = useRef(step);
  const hasErrors = messages.summary.length > 0;
  // A new step moves the focus to its heading; with errors the summary takes it.
  useEffect(() => {
    if (shownStep.current !== step && !hasErrors) heading.current?.focus();
    shownStep.current = step;
  }, [step, hasErrors]);
  if (wasSignedIn) return <Navigate to={home} replace />;
  const StepFields = stepComponents[step];
  const position = registerSteps.indexOf(step);
  const before = registerSteps[position - 1];
  const action = step === 'code' ? 'finish' : step === 'signIn' ? 'sendCode' : 'goOn';
  return (
    <div className="page pb-16">
      <PageHeader
        title={t('register.title')}
        lead={t('register.lead')}
        crumbs={[
          { label: t('shell:navigation.home'), to: '/home' },
          { label: t('shell:login'), to: '/account/login' },
          { label: t('register.title') },
        ]}
      />
      <div className="grid grid-cols-1 gap-6 md:grid-cols-[14rem_minmax(0,1fr)] md:gap-12">
        <Stepper
          label={t('register.steps')}
          current={step}
          steps={registerSteps.map((name, index) => ({
            name,
            title: t(`register.step.${name}`),
            isDone: index < position,
            ...(index < position ? { onSelect: () => state.open(name) } : {}),
          }))}
        />
        <div className="max-w-form">
          {step === 'who' ? (
            <div className="mb-8">
              <SharedComputerChoice />
            </div>
          ) : null}
          {step === 'who' && isEnabled ? <UAEPassInstead /> : null}
          <h2 ref={heading} tabIndex={-1} className="mb-5 text-xl outline-none">
            {t(`register.step.${step}`)}
          </h2>
          <form
            noValidate
            className="flex flex-col gap-5"
            onSubmit={(event) => {
              event.preventDefault();
              state.goOn();
            }}
          >
            <ErrorSummary key={messages.attempt} errors={messages.summary} />
            <StepFields state={state} />
            <div className="mt-2 flex flex-wrap gap-3">
              <Button type="submit" isPending={isPending} pendingLabel={t('register.pending')}>
                {t(`register.${action}`)}
              </Button>
              {before ? (
                <Button
                  variant="secondary"
                  isDisabled={isPending}
                  onPress={() => state.open(before)}
                >
                  {t('register.back')}
                </Button>
              ) : null}
            </div>
          </form>
          <p className="mt-8 text-ink-600">
            {t('register.haveAccount')} <TextLink to="/account/login">{t('shell:login')}</TextLink>
          </p>
        </div>
      </div>
    </div>
  );
}
