import { isPortalStaff, isStaff, limitedAgencies, type Caller } from '#platform/auth/caller.ts';
import { localize } from '#platform/core/localize.ts';
import { ValidationRefusal } from '#platform/core/refusals.ts';
import type { Database } from '#platform/database/database.ts';
import {
  maximumPeriodDays,
  defaultPeriodDays,
  type PeriodFigures,
  type RequestFigures,
} from '@diwan/contract/requests/reports';
import { nameForStaff, type WorkflowStatus } from '@diwan/contract/requests/workflow';
import type { Role } from '@diwan/contract/wire/call';
import { dayInDubai } from '@diwan/contract/wire/days';
import type { Language } from '@diwan/contract/wire/languages';
import { statusesWaitingFor } from '../requests/lists/statuses.actions.ts';
import { figuredFor, personalRequestsOf } from '../requests/model/visibility.actions.ts';
import type { Workflows } from '../workflow/workflows.actions.ts';
import { foldFigures } from './fold-figures.actions.ts';
import { addDays, selectFigures, type FiguresSource, type PeriodRow } from './reports.store.ts';

/** What the figures are read from. */
export interface ReportsContext {
  database: Database;
  workflow: Workflows;
}

interface Period {
  fromDay: string;
  toDay: string;
  length: number;
}

const dayMs = 24 * 3600 * 1000;
const topServices = 5;
// No data is outside of these days; they keep calculations within the calendar.
const firstDay = '2000-01-01';
const lastDay = '2999-12-31';

/**
 * The period of a report; by default the last days up to today in Asia/Dubai. Throws a
 * ValidationRefusal for days in the wrong order, too many days, and days before 2000 or after 2999.
 */
export function readPeriod(
  wanted: { fromDay?: string | undefined; toDay?: string | undefined },
  now: Date,
): Period {
  for (const [field, day] of [
    ['DateFrom', wanted.fromDay],
    ['DateTo', wanted.toDay],
  ] as const) {
    if (day !== undefined && day < firstDay)
      throw new ValidationRefusal([{ field, code: 'dateTooEarly', params: { minimum: firstDay } }]);
    if (day !== undefined && day > lastDay)
      throw new ValidationRefusal([{ field, code: 'dateTooLate', params: { maximum: lastDay } }]);
  }
  const today = dayInDubai(now);
  const toDay =
    wanted.toDay ??
    (wanted.fromDay !== undefined && wanted.fromDay > today ? wanted.fromDay : today);
  const fromDay = wanted.fromDay ?? addDays(toDay, 1 - defaultPeriodDays);
  if (fromDay > toDay)
    throw new ValidationRefusal([
      { field: 'DateTo', code: 'dateTooEarly', params: { minimum: fromDay } },
    ]);
  const length = (Date.parse(toDay) - Date.parse(fromDay)) / dayMs + 1;
  if (length > maximumPeriodDays)
    throw new ValidationRefusal([
      {
        field: 'DateTo',
        code: 'dateTooLate',
        params: { maximum: addDays(fromDay, maximumPeriodDays - 1) },
      },
    ]);
  return { fromDay, toDay, length };
}

function describePeriod(row: PeriodRow): PeriodFigures {
  const { created, completed, refused, fees, median_seconds: medianSeconds, on_time: onTime } = row;
  return {
    created,
    completed,
    refused,
    feesCollected: fees,
    medianSeconds,
    withinPromise: completed === 0 ? null : onTime / completed,
  };
}

// The current workflow names a status. A status that only an older workflow has is listed too, for
// the requests that follow that workflow.
function allStatuses(workflow: Workflows): WorkflowStatus[] {
  const statuses = new Map<number, WorkflowStatus>();
  for (const status of [workflow.current.document, ...workflow.known()].flatMap(
    (document) => document.statuses,
  ))
    if (!statuses.has(status.statusId)) statuses.set(status.statusId, status);
  return [...statuses.values()];
}

/** The roles whose work waits: what waits for employees waits for the administrator of their agency too. */
export const sideOf = ({ roles }: Pick<Caller, 'roles'>): readonly Role[] =>
  roles.includes('AgencyAdmin') ? [...roles, 'Employee'] : roles;

// The figures of all requests, of agencies, of a partner and of a company are stored as they change. The
// requests of one person, of teams, and of a user with both a company and a partner, are counted directly.
export function figureSourceOf(caller: Caller): FiguresSource {
  const isAgencyAdmin = caller.roles.includes('AgencyAdmin');
  if (isAgencyAdmin || isPortalStaff(caller)) {
    if (caller.scope === 'all') return { scope: 0, directCondition: undefined };
    // guard: figures of an employee of a team (team-scope) => true
    if (isAgencyAdmin || limitedAgencies(caller).length === 0)
      return { scope: undefined, agencyIds: caller.scope, directCondition: undefined };
    return { scope: undefined, directCondition: figuredFor(caller) };
  }
  if (caller.roles.every((role) => role === 'ServiceProvider'))
    return { scope: caller.partnerId ?? undefined, directCondition: undefined };
  if (
    !caller.roles.includes('ServiceProvider') &&
    caller.roles.includes('CompanyUser') &&
    caller.companyId !== null
  )
    return { scope: -caller.companyId, directCondition: personalRequestsOf(caller) };
  return { scope: undefined, directCondition: figuredFor(caller) };
}

/** The figures of the requests that a caller may see, as in the caller's lists. */
export async function readFigures(
  context: ReportsContext,
  caller: Caller,
  wanted: { fromDay?: string | undefined; toDay?: string | undefined },
  language: Language,
): Promise<RequestFigures> {
  const { fromDay, toDay, length } = readPeriod(wanted, new Date());
  // Who acts sees the own step immediately.
  await foldFigures(context.database);
  const statuses = allStatuses(context.workflow);
  const figures = await selectFigures(context.database, {
    ...figureSourceOf(caller),
    visible: figuredFor(caller),
    previous: addDays(fromDay, -length),
    from: fromDay,
    to: toDay,
    topServices,
  });
  const byDay = new Map(figures.days.map((row) => [row.day, row]));
  const counts = new Map(figures.status_counts.map((row) => [row.status_id, row.count]));
  const hasStaffNames = isStaff(caller) || caller.roles.includes('AgencyAdmin');
  const waiting = statusesWaitingFor(context.workflow, sideOf(caller));
  return {
    fromDay,
    toDay,
    current: describePeriod(figures.current),
    previous: describePeriod(figures.previous),
    days: Array.from({ length }, (_, index) => addDays(fromDay, index)).map((day) => ({
      day,
      created: byDay.get(day)?.created ?? 0,
      completed: byDay.get(day)?.completed ?? 0,
    })),
    services: figures.services.map((row) => ({
      serviceId: row.service_id,
      name: localize(row.name, language),
      governmentAgency: {
        id: row.agency_id,
        name: localize(row.agency_name, language),
        logo: row.agency_logo,
      },
      created: row.created,
      completed: row.completed,
    })),
    standing: statuses.map((status) => ({
      statusId: status.statusId,
      statusName: localize(hasStaffNames ? nameForStaff(status) : status.name, language),
      statusTone: status.tone,
      count: counts.get(status.statusId) ?? 0,
      waitsForMe: waiting.has(status.statusId),
    })),
  };
}
