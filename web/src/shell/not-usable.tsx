import { createRoot } from 'react-dom/client';
import { configuration } from '../lib/browser/configuration.ts';
import { useTranslation } from '../lib/i18n/translate.ts';
import { Button } from '../ui/actions/button.tsx';
import { Alert } from '../ui/feedback/alert.tsx';
import { PortalLogo } from '../ui/theme/portal-logo.tsx';
import { SupportEmail, SupportPhone } from '../ui/values/support-contact.tsx';

/** Shown instead of the portal when its configuration names no server that it can call. */
function NotUsable() {
  const { t } = useTranslation('shell');
  const { supportPhone, supportEmail } = configuration();
  return (
    <main className="page max-w-form py-12">
      <title>{t('wordmark')}</title>
      <p className="mb-6 flex items-center gap-3 font-heading text-lg font-bold">
        <PortalLogo className="size-11" />
        {t('wordmark')}
      </p>
      <h1 className="mb-4 text-2xl">{t('notUsable.title')}</h1>
      <Alert
        tone="danger"
        action={<Button onPress={() => window.location.reload()}>{t('kit.tryAgain')}</Button>}
      >
        {t('notUsable.text')}
      </Alert>
      <dl className="mt-6 flex flex-col gap-1">
        {supportPhone ? (
          <div className="flex flex-wrap gap-x-4">
            <dt className="text-ink-600">{t('support')}</dt>
            <dd>
              <SupportPhone />
            </dd>
          </div>
        ) : null}
        {supportEmail ? (
          <div className="flex flex-wrap gap-x-4">
            <dt className="text-ink-600">{t('email')}</dt>
            <dd>
              <SupportEmail />
            </dd>
          </div>
        ) : null}
      </dl>
    </main>
  );
}

export function showNotUsable(): void {
  createRoot(document.getElementById('root') as HTMLElement).render(<NotUsable />);
}
