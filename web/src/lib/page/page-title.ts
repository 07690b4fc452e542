import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';

/**
 * Names the page in the window's title; no name while it is not known yet. What else a page says
 * about itself is in `page-meta.ts`.
 */
export function usePageTitle(title: string | undefined): void {
  const { t } = useTranslation('shell');
  const portal = t('wordmark');
  useEffect(() => {
    document.title = title ? `${title} | ${portal}` : portal;
  }, [title, portal]);
}
