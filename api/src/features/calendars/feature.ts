import type { Feature } from '#platform/http/context.ts';
import type { Calendars } from './calendars.actions.ts';

/** Calendars of working days, which every process keeps in memory. */
export function registerCalendars({ calendars }: { calendars: Calendars }): Feature {
  return {
    jobs: [{ everySeconds: 15, channel: 'diwan_calendars', run: () => calendars.refresh() }],
  };
}
