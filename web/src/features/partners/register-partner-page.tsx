import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { registerPartner } from '@diwan/contract/people/partner-registration';
import { renewToken } from '../../lib/api/fresh-token.ts';
import { usePageTitle } from '../../lib/page/page-title.ts';
import { currentSession, hasRole, keepReturnUrl, useSession } from '../../lib/api/session.ts';
import { showToast } from '../../lib/browser/toasts.ts';
import { useAction } from '../../lib/api/use-call.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Card } from '../../ui/data/card.tsx';
import { Checkbox } from '../../ui/forms/checkbox.tsx';
import { LinkButton } from '../../ui/actions/link-button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { PageHeader } from '../../ui/data/page-header.tsx';
import { ProviderForm } from './provider-form.tsx';
import { bodyOf, emptyProvider } from './provider-form-values.ts';

const needs = ['account', 'licence', 'letter', 'contact'] as const;

function RegistrationForm() {
  const { t } = useTranslation('partners');
  const navigate = useNavigate();
  const [hasAgreed, setHasAgreed] = useState(false);
  const register = useAction(registerPartner, {
    skipErrorHandling: true,
    onSuccess: async () => {
      const session = currentSession();
      // The person is a supervisor from now on, and their token must say so.
      if (session) await renewToken(session.token).catch(() => null);
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
      onForget={register.reset}
      onSubmit={(values, documentIds) =>
        register.mutate({
          body: { ...bodyOf(values), documentIds, agreeToTermsAndConditions: hasAgreed },
        })
      }
      end={{
        content: terms,
        isRight: hasAgreed,
        focusId: 'TermsNotAccepted',
        fault: t('register.mustAgree'),
      }}
    />
  );
}

/** Registers a service provider. Whoever comes without an account signs in first and comes back. */
export function RegisterPartnerPage() {
  const { t } = useTranslation('partners');
  const session = useSession();
  const navigate = useNavigate();
  usePageTitle(t('register.title'));
  const isClient =
    session !== null && !hasRole(session, 'Admin', 'Employee', 'ServiceProvider', 'CompanyUser');
  const signIn = () => {
    keepReturnUrl('/partner/register');
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
            <Notice
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
            </Notice>
          ) : (
            <Notice
              title={t('register.signInTitle')}
              action={<Button onPress={signIn}>{t('register.signIn')}</Button>}
            >
              {t('register.signInText')}
            </Notice>
          )}
        </div>
      </div>
    </div>
  );
}
