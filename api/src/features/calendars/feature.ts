import type { AppContext, Feature } from '#platform/http/context.ts';
import { serveCalendars } from './calendars.routes.ts';
import type { CalendarsContext } from './declared-calendars.actions.ts';

/** Calendars of working days, which every process keeps in memory. */
export function registerCalendars(
  context: AppContext,
  dependencies: Omit<CalendarsContext, 'database'>,
): Feature {
  const { database } = context;
  const { calendars } = dependencies;
  serveCalendars(context, { database, ...dependencies });
  return {
    jobs: [{ everySeconds: 15, channel: 'diwan_calendars', run: () => calendars.refresh() }],
  };
}
