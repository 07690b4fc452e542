import { useEffect } from 'react';
import { currentSession } from '../lib/api/session.ts';
import { homeAddressOf } from '../lib/auth/home-address.ts';
import { useTranslation } from '../lib/i18n/translate.ts';
import { usePageTitle } from '../lib/page/head.ts';
import { reload, reloadOnce } from '../lib/page/reload.ts';
import { Button } from '../ui/actions/button.tsx';

// The messages of Chromium, Firefox, Safari and vite when a chunk cannot be loaded: after a new
// deployment, or without a connection.
const missingChunk = /dynamically imported module|module script failed|preload CSS/i;

/** Shown for a page that failed: what happened, whether the work is safe, and two actions. */
export function ErrorPage({ error }: { error: unknown }) {
  const { t } = useTranslation('shell');
  const message = error instanceof Error ? error.message : '';
  const isMissing = missingChunk.test(message);
  const reason = !isMissing ? 'broken' : navigator.onLine ? 'missingPart' : 'noConnection';
  usePageTitle(t(`${reason}.title`));
  useEffect(() => {
    console.error(error);
    if (!isMissing) return;
    if (navigator.onLine) reloadOnce(message);
    window.addEventListener('online', reload);
    return () => window.removeEventListener('online', reload);
  }, [error, isMissing, message]);
  return (
    <div className="page max-w-form py-12">
      <h1 className="mb-4 text-2xl">{t(`${reason}.title`)}</h1>
      <p className="mb-6 text-ink-700">{t(`${reason}.text`)}</p>
      <div className="flex flex-wrap gap-3">
        <Button onPress={reload}>{t('broken.reload')}</Button>
        <Button
          variant="secondary"
          onPress={() => window.location.assign(homeAddressOf(currentSession()))}
        >
          {t('broken.home')}
        </Button>
      </div>
    </div>
  );
}
