import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';

/** Names the page in the window's title; nothing while the name is not known yet. */
export function usePageTitle(title: string | undefined): void {
  const { t } = useTranslation('shell');
  const portal = t('wordmark');
  useEffect(() => {
    document.title = title ? `${title} | ${portal}` : portal;
  }, [title, portal]);
}
