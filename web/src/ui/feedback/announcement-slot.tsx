import { useEffect, type ReactNode } from 'react';
import { useCall } from '#lib/api/use-call.ts';
import { createStore, useStore } from '#lib/browser/create-store.ts';
import { getAnnouncements, type AnnouncementPlace } from '@diwan/contract/content/announcements';

const code = createStore<((place: AnnouncementPlace) => ReactNode) | undefined>(undefined);
/** The server has the code from the start. */
export const setAnnouncementsCode = code.set;

/** Loads the code that shows announcements. A page that begins with some needs it before it is shown. */
export async function loadAnnouncementsCode(): Promise<void> {
  code.set((await import('./announcements.tsx')).showAnnouncements);
}

/**
 * The announcements of now that concern a place. Most days have none, so their code loads on demand:
 * decision 0008.
 */
export function AnnouncementSlot(place: AnnouncementPlace) {
  const { data = [] } = useCall(getAnnouncements, {
    staleTime: 60_000,
    refetchInterval: 60_000,
    skipErrorHandling: true,
  });
  const show = useStore(code);
  const isNeeded = data.some(({ isCurrent }) => isCurrent);
  useEffect(() => {
    // After a failure the next change of the announcements tries again.
    if (isNeeded && !show) loadAnnouncementsCode().catch(() => undefined);
  }, [isNeeded, show]);
  return isNeeded && show ? show(place) : null;
}
