import { useEffect } from 'react';
import { useTranslation } from '../i18n/translate.ts';

/**
 * Sets the title of the page; the name of the portal alone while the title is undefined. Other
 * elements of the head: `page-meta.ts`.
 */
export function usePageTitle(title: string | undefined): void {
  const { t } = useTranslation('shell');
  const portal = t('wordmark');
  useEffect(() => {
    document.title = title ? `${title} | ${portal}` : portal;
  }, [title, portal]);
}

/** Sets the description of a page whose texts are data, for search engines and shared links. */
export function usePageDescription(description: string): void {
  useEffect(() => {
    for (const element of document.head.querySelectorAll(
      'meta[name=description], meta[property="og:description"]',
    ))
      element.setAttribute('content', description);
  }, [description]);
}
