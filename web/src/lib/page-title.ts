import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';

/** Names the page in the window's title, and tells search engines in the page's language what the portal is; no name while it is not known yet. */
export function usePageTitle(title: string | undefined): void {
  const { t } = useTranslation('shell');
  const portal = t('wordmark');
  const description = t('description');
  useEffect(() => {
    document.title = title ? `${title} | ${portal}` : portal;
    document.querySelector('meta[name=description]')?.setAttribute('content', description);
  }, [title, portal, description]);
}
