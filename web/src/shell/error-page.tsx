import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useRouteError } from 'react-router';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';

/** A page that broke: what happened, is my work safe, and two ways out. */
export function ErrorPage() {
  const { t } = useTranslation('shell');
  const error = useRouteError();
  useEffect(() => console.error(error), [error]);
  return (
    <div className="page max-w-form py-12">
      <h1 className="mb-4 text-2xl">{t('broken.title')}</h1>
      <Notice
        tone="danger"
        action={
          <>
            <Button onPress={() => window.location.reload()}>{t('broken.reload')}</Button>
            <Button variant="secondary" onPress={() => window.location.assign('/home')}>{t('broken.home')}</Button>
          </>
        }
      >
        {t('broken.text')}
      </Notice>
    </div>
  );
}
