import { administeredAgencies } from '#platform/auth/agencies/agency-administration.ts';
import { coversAgency } from '#platform/auth/caller.ts';
import { createTranslator } from '#platform/core/locale-texts.ts';
import { localize } from '#platform/core/localize.ts';
import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import * as contract from '@diwan/contract/calendars/calendar-calls';
import { writeICalendar } from '@diwan/contract/calendars/i-calendar';
import { dayAfter, todayInDubai } from '@diwan/contract/wire/days';
import { selectDeclared } from './calendars.store.ts';
import * as actions from './declared-calendars.actions.ts';

const t = createTranslator('calendars');

// Days that ended longer ago are of no use to a program that subscribes.
const keptDays = 400;

/** The calendars of the portal and of agencies, and what people read of them. */
export function serveCalendars(context: AppContext, calendars: actions.CalendarsContext): void {
  const { catalogue, calendars: current } = calendars;

  serve(context, contract.getCalendars, async ({ language, caller }) => {
    const scope = administeredAgencies(caller);
    const rows = await selectDeclared(context.database);
    const find = (agencyId: number | null) => rows.find((row) => row.agency_id === agencyId);
    const describe = (agencyId: number | null) => ({
      version: find(agencyId)?.version ?? 0,
      calendar: find(agencyId)?.document ?? actions.nothingDeclared,
    });
    return {
      portal: current.current(null).calendar,
      calendars: [
        ...(scope === 'all' ? [describe(null)] : []),
        ...catalogue
          .agencies()
          .filter(({ item }) => coversAgency({ scope }, item.id))
          .map(({ item }) => ({
            agencyId: item.id,
            agencyName: localize(item.name, language),
            ...describe(item.id),
          })),
      ],
    };
  });

  serve(context, contract.previewCalendar, ({ caller, body }) =>
    actions.preview(calendars, caller, body),
  );

  serve(context, contract.saveCalendar, async ({ caller, request, body }) => ({
    version: await actions.save(calendars, { caller, address: request.ip }, body),
  }));

  serve(context, contract.getHolidayFile, async ({ query, reply, language }) => {
    const { AgencyId: agencyId } = query;
    const name = agencyId === undefined ? undefined : actions.nameOfAgency(catalogue, agencyId);
    const { calendar, createdAt } = current.current(agencyId ?? null);
    const since = dayAfter(todayInDubai(), -keptDays);
    const file = writeICalendar(
      calendar.days.filter(({ until }) => until >= since),
      {
        name: name
          ? t('file.title', language, { agency: localize(name, language) })
          : t('file.portalTitle', language),
        owner: agencyId === undefined ? 'portal' : `agency${agencyId}`,
        language,
        changedAt: createdAt,
      },
    );
    return reply
      .type('text/calendar; charset=utf-8')
      .header('content-disposition', 'inline; filename="holidays.ics"')
      .send(file);
  });

  serve(context, contract.getServiceDays, ({ query, language }) => {
    const { agency, workingDays } = catalogue.getService(query.serviceId);
    const { calendar, time } = current.current(agency.id);
    const today = todayInDubai();
    const latest = dayAfter(today, contract.closedDaysAhead);
    const { state, changesAt } = time.officeAt(new Date());
    return {
      office: { state, changesAt: changesAt?.toISOString() },
      promisedBy: workingDays > 0 ? time.dueDay(new Date(), workingDays) : undefined,
      closed: calendar.days
        .filter(
          // Where the agency works on a day that the portal has off, it is not closed.
          ({ kind, from, until }) =>
            kind !== 'working' &&
            until >= today &&
            from <= latest &&
            time.dayOn(from < today ? today : from).special?.kind !== 'working',
        )
        .toSorted((one, other) => (one.from < other.from ? -1 : 1))
        .map(({ name, ...day }) => ({ ...day, name: localize(name, language) })),
    };
  });
}
