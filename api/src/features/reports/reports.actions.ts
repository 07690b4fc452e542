import { dayInDubai } from '@diwan/contract/wire/days';
import type { Language } from '@diwan/contract/wire/languages';
import {
  longestPeriod,
  usualPeriod,
  type PeriodFigures,
  type RequestFigures,
} from '@diwan/contract/requests/reports';
import type { WorkflowStatus } from '@diwan/contract/requests/workflow';
import type { Database } from '../../platform/database/database.ts';
import { localize } from '../../platform/core/localize.ts';
import { ValidationRefusal } from '../../platform/core/refusals.ts';
import type { Caller } from '../../platform/auth/session.ts';
import { ownOf, visibleTo } from '../requests/requests.actions.ts';
import type { Workflows } from '../requests/workflow/workflows.actions.ts';
import {
  condenseFigures,
  selectFigures,
  type FiguresQuestion,
  type PeriodRow,
} from './reports.store.ts';

export { condenseFigures };

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
// Nothing of ours is older; it keeps arithmetic on days away from the ends of the calendar.
const firstDay = '2000-01-01';
const lastDay = '2999-12-31';

function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

/**
 * Days that are not given are the last ones up to today in Asia/Dubai. Refuses days in the wrong
 * order, too many, or outside of what a calendar is for.
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
  const fromDay = wanted.fromDay ?? addDays(toDay, 1 - usualPeriod);
  if (fromDay > toDay)
    throw new ValidationRefusal([
      { field: 'DateTo', code: 'dateTooEarly', params: { minimum: fromDay } },
    ]);
  const length = (Date.parse(toDay) - Date.parse(fromDay)) / dayMs + 1;
  if (length > longestPeriod)
    throw new ValidationRefusal([
      {
        field: 'DateTo',
        code: 'dateTooLate',
        params: { maximum: addDays(fromDay, longestPeriod - 1) },
      },
    ]);
  return { fromDay, toDay, length };
}

function describePeriod(row: PeriodRow): PeriodFigures {
  const { created, completed, refused, fees, median_seconds: medianSeconds, kept } = row;
  return {
    created,
    completed,
    refused,
    feesCollected: fees,
    medianSeconds,
    withinPromise: completed === 0 ? null : kept / completed,
  };
}

// The current map names a status; one that only an older map has is still named for the requests
// that follow that map.
function allStatuses(workflow: Workflows): WorkflowStatus[] {
  const statuses = new Map<number, WorkflowStatus>();
  for (const status of [workflow.current.document, ...workflow.known()].flatMap(
    (document) => document.statuses,
  ))
    if (!statuses.has(status.statusId)) statuses.set(status.statusId, status);
  return [...statuses.values()];
}

function findStatusesFor(workflow: Workflows, caller: Caller): Set<number> {
  // A payment is the provider's word, and waits for the owner.
  const isOwner = caller.roles.includes('Client') || caller.roles.includes('CompanyUser');
  const concerns = (who: string) =>
    caller.roles.some((role) => role === who) || (who === 'payment' && isOwner);
  // What waits for the owner does not wait for those who could end it all the same, and a draft is
  // no request.
  return new Set(
    workflow.known().flatMap(({ statuses, transitions, start }) => {
      const waitsForOwner = new Set(
        statuses.filter(({ tone }) => tone === 'waiting').map(({ statusId }) => statusId),
      );
      return transitions.flatMap(({ from, who }) =>
        from !== null &&
        from !== start.draft &&
        who.some(concerns) &&
        (isOwner || !waitsForOwner.has(from))
          ? [from]
          : [],
      );
    }),
  );
}

// Figures of all, of a partner and of a company are written down as they happen; a person's own are
// few enough to count. Whoever is both a company's and a partner's sees requests twice, and gets
// them counted.
function whoseFigures(caller: Caller): Pick<FiguresQuestion, 'scope' | 'few'> {
  if (caller.roles.includes('Admin') || caller.roles.includes('Employee'))
    return { scope: 0, few: undefined };
  if (caller.roles.every((role) => role === 'ServiceProvider'))
    return { scope: caller.partnerId ?? undefined, few: undefined };
  if (
    !caller.roles.includes('ServiceProvider') &&
    caller.roles.includes('CompanyUser') &&
    caller.companyId !== null
  )
    return { scope: -caller.companyId, few: ownOf(caller) };
  return { scope: undefined, few: visibleTo(caller) };
}

/** Figures of the requests that a caller may see, by the same rule as their lists. */
export async function readFigures(
  context: ReportsContext,
  caller: Caller,
  wanted: { fromDay?: string | undefined; toDay?: string | undefined },
  language: Language,
  now = new Date(),
): Promise<RequestFigures> {
  const { fromDay, toDay, length } = readPeriod(wanted, now);
  const statuses = allStatuses(context.workflow);
  const figures = await selectFigures(context.database, {
    ...whoseFigures(caller),
    visible: visibleTo(caller),
    previous: addDays(fromDay, -length),
    from: fromDay,
    to: toDay,
    topServices,
  });
  const byDay = new Map(figures.days.map((row) => [row.day, row]));
  const counts = new Map(figures.standing.map((row) => [row.status_id, row.count]));
  const mine = findStatusesFor(context.workflow, caller);
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
    standing: statuses.map(({ statusId, name, tone }) => ({
      statusId,
      statusName: localize(name, language),
      statusTone: tone,
      count: counts.get(statusId) ?? 0,
      waitsForMe: mine.has(statusId),
    })),
  };
}
