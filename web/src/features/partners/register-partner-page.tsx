import { useState } from 'react';
import { currentSession, hasRole, storeReturnUrl, useSession } from '#lib/api/session.ts';
import { refreshTokenOnce } from '#lib/api/token-refresh.ts';
import { useAction } from '#lib/api/use-call.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { Link } from '#lib/router/link.tsx';
import { useNavigate } from '#lib/router/router-provider.tsx';
import { Button } from '#ui/actions/button.tsx';
import { LinkButton } from '#ui/actions/links.tsx';
import { Card } from '#ui/data/card.tsx';
import { PageHeader } from '#ui/data/page-header.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { Checkbox } from '#ui/forms/checkbox.tsx';
import { registerPartner } from '@diwan/contract/people/partner-registration';
import { grantedRoles } from '@diwan/contract/wire/call';
import { bodyOf, emptyProvider } from './provider-form-values.ts';
import { ProviderForm } from './provider-form.tsx';

const needs = ['account', 'licence', 'letter', 'contact'] as const;

function RegistrationForm() {
  const { t } = useTranslation('partners');
  const navigate = useNavigate();
  const [hasAgreed, setHasAgreed] = useState(false);
  const register = useAction(registerPartner, {
    skipErrorHandling: true,
    onSuccess: async () => {
      const session = currentSession();
      // The user is now a supervisor, so the token must be renewed.
      if (session) await refreshTokenOnce(session.token).catch(() => null);
      showToast(t('register.done'), 'success');
      await navigate('/partner/profile', { replace: true });
    },
  });
  const terms = (error: string | undefined) => (
    <Checkbox
      name="TermsNotAccepted"
      isRequired
      value={hasAgreed}
      onChange={setHasAgreed}
      error={error}
      label={
        <>
          {t('register.agree')}{' '}
          <Link to="/service-provider-term-and-conditions" target="_blank" className="link">
            {t('register.terms')}
          </Link>
        </>
      }
    />
  );
  return (
    <ProviderForm
      initial={emptyProvider}
      hasDocuments={false}
      submitLabel={t('register.send')}
      isPending={register.isPending || register.isSuccess}
      error={register.error}
      onClearError={register.reset}
      onSubmit={(values, documentIds) =>
        register.mutate({
          body: { ...bodyOf(values), documentIds, agreeToTermsAndConditions: hasAgreed },
        })
      }
      end={{
        content: terms,
        isRight: hasAgreed,
        focusId: 'TermsNotAccepted',
        message: t('register.mustAgree'),
      }}
    />
  );
}

/** Registers a service provider. A visitor without an account signs in first and returns here. */
export function RegisterPartnerPage() {
  const { t } = useTranslation('partners');
  const session = useSession();
  const navigate = useNavigate();
  usePageTitle(t('register.title'));
  const isClient = session !== null && !hasRole(session, ...grantedRoles, 'CompanyUser');
  const signIn = () => {
    storeReturnUrl('/partner/register');
    void navigate('/account/login');
  };
  return (
    <div className="page pb-16">
      <div className="max-w-form">
        <PageHeader title={t('register.title')} lead={t('register.lead')} />
        <div className="flex flex-col gap-10">
          <Card title={t('register.needsTitle')}>
            <ul className="list-disc space-y-1 ps-6">
              {needs.map((need) => (
                <li key={need}>{t(`register.needs.${need}`)}</li>
              ))}
            </ul>
            <p className="pt-4 text-ink-600">{t('register.after')}</p>
          </Card>
          {isClient ? (
            <RegistrationForm />
          ) : session ? (
            <Alert
              tone="warning"
              title={t('register.otherTitle')}
              action={
                hasRole(session, 'ServiceProvider') ? (
                  <LinkButton to="/partner/profile" variant="secondary">
                    {t('register.toProfile')}
                  </LinkButton>
                ) : undefined
              }
            >
              {t('register.otherText')}
            </Alert>
          ) : (
            <Alert
              title={t('register.signInTitle')}
              action={<Button onPress={signIn}>{t('register.signIn')}</Button>}
            >
              {t('register.signInText')}
            </Alert>
          )}
        </div>
      </div>
    </div>
  );
}
