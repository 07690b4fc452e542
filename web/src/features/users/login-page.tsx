import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useNavigate } from 'react-router';
import { usePageTitle } from '../../lib/page-title.ts';
import { currentSession, hasRole, takeReturnUrl, } from '../../lib/session.ts';
import { Lattice, Star } from '../../ui/motif.tsx';
import { LoginForm } from './login-form.tsx';

/** Back to where the person wanted to go; staff otherwise begin with what is new. */
function nextAddress(): string {
  return takeReturnUrl() ?? (hasRole(currentSession(), 'Admin', 'Employee', 'ServiceProvider') ? '/requests/new' : '/home');
}

export function LoginPage() {
  const { t } = useTranslation('users');
  const navigate = useNavigate();
  // Only whether somebody was signed in on coming here counts: signing in here leads elsewhere.
  const [wasSignedIn] = useState(() => currentSession() !== null);
  usePageTitle(t('login.title'));
  if (wasSignedIn) return <Navigate to="/home" replace />;
  return (
    <div className="page grid grid-cols-1 gap-8 py-8 md:grid-cols-2 md:gap-16 md:py-16">
      <div className="max-w-110">
        <h1 className="text-2xl">{t('login.title')}</h1>
        <p className="mt-2 mb-6 text-ink-600">{t('login.lead')}</p>
        <LoginForm onSignedIn={() => void navigate(nextAddress(), { replace: true })} />
        <p className="mt-6 text-sm text-ink-600">{t('login.help')}</p>
      </div>
      <div aria-hidden className="relative hidden min-h-96 overflow-clip rounded-lg border border-gold-100 bg-gold-50 md:block">
        <Lattice className="absolute inset-0 opacity-50" />
        <span className="absolute inset-0 flex items-center justify-center text-gold-600"><span className="rounded-full bg-gold-50 p-6"><Star size={144} /></span></span>
      </div>
    </div>
  );
}
