import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useRouteError } from 'react-router';
import { usePageTitle } from '../lib/page/page-title.ts';
import { reload, reloadOnce } from '../lib/page/reload.ts';
import { Button } from '../ui/actions/button.tsx';

// What Chromium, Firefox, Safari and vite say when a part of the portal does not come: after a new
// deployment, or without a connection.
const missingPart = /dynamically imported module|module script failed|preload CSS/i;

/** A page that broke: what happened, is my work safe, and two ways out. */
export function ErrorPage() {
  const { t } = useTranslation('shell');
  const error = useRouteError();
  const message = error instanceof Error ? error.message : '';
  const isMissing = missingPart.test(message);
  const words = !isMissing ? 'broken' : navigator.onLine ? 'missingPart' : 'noConnection';
  usePageTitle(t(`${words}.title`));
  useEffect(() => {
    console.error(error);
    if (!isMissing) return;
    if (navigator.onLine) reloadOnce(message);
    window.addEventListener('online', reload);
    return () => window.removeEventListener('online', reload);
  }, [error, isMissing, message]);
  return (
    <div className="page max-w-form py-12">
      <h1 className="mb-4 text-2xl">{t(`${words}.title`)}</h1>
      <p className="mb-6 text-ink-700">{t(`${words}.text`)}</p>
      <div className="flex flex-wrap gap-3">
        <Button onPress={reload}>{t('broken.reload')}</Button>
        <Button variant="secondary" onPress={() => window.location.assign('/home')}>
          {t('broken.home')}
        </Button>
      </div>
    </div>
  );
}
