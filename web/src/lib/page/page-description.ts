import { useEffect } from 'react';

/** Describes a page whose words come from data, for whoever shares or keeps it. */
export function usePageDescription(description: string): void {
  useEffect(() => {
    for (const place of document.head.querySelectorAll(
      'meta[name=description], meta[property="og:description"]',
    ))
      place.setAttribute('content', description);
  }, [description]);
}
