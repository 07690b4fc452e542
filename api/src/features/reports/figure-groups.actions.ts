import { hasRole, type Caller } from '#platform/auth/caller.ts';
import { localize } from '#platform/core/localize.ts';
import { Refusal } from '#platform/core/refusals.ts';
import {
  maximumFigureGroups,
  type FigureDimension,
  type getFigureGroups,
} from '@diwan/contract/requests/reports';
import { auditReaders, type ReplyOf } from '@diwan/contract/wire/call';
import { todayInDubai } from '@diwan/contract/wire/days';
import type { Language, LocalizedText } from '@diwan/contract/wire/languages';
import { statusesWaitingFor } from '../requests/lists/statuses.actions.ts';
import { figuredFor } from '../requests/model/visibility.actions.ts';
import { selectGroups, type GroupRow } from './figure-groups.store.ts';
import { foldFigures } from './fold-figures.actions.ts';
import { figureSourceOf, readPeriod, sideOf, type ReportsContext } from './reports.actions.ts';

type Groups = ReplyOf<typeof getFigureGroups>;

const describeFigures = (row: GroupRow): Groups['total'] => ({
  open: row.open,
  waiting: row.waiting,
  oldestAt: row.oldest_at?.toISOString() ?? null,
  dueToday: row.due_today,
  late: row.late,
  created: row.created,
  completed: row.completed,
  completedLate: row.completed_late,
  refused: row.refused,
  feesCollected: row.fees,
  medianSeconds: row.median_seconds,
});

const nameOf = (name: LocalizedText | string | null, language: Language): string =>
  typeof name === 'string' ? name : name === null ? '' : localize(name, language);

/**
 * The figures of the requests that a caller may see, by agency, service, service provider or
 * employee. Throws YouAreUnauthorized for those who see neither providers nor employees, and a
 * ValidationRefusal as `readPeriod`.
 */
export async function readFigureGroups(
  { database, workflow }: ReportsContext,
  caller: Caller,
  {
    by,
    ...wanted
  }: { by: FigureDimension; fromDay?: string | undefined; toDay?: string | undefined },
  language: Language,
): Promise<Groups> {
  const isForAdmins = by === 'partner' || by === 'employee';
  if (isForAdmins && !hasRole(caller, auditReaders)) throw new Refusal('YouAreUnauthorized');
  const { fromDay, toDay } = readPeriod(wanted, new Date());
  await foldFigures(database);
  const roles = by === 'partner' ? (['ServiceProvider'] as const) : sideOf(caller);
  const rows = await selectGroups(
    database,
    by,
    {
      ...figureSourceOf(caller),
      visible: figuredFor(caller),
      from: fromDay,
      to: toDay,
      today: todayInDubai(),
      openStatuses: workflow.openStatuses(),
      waitingStatuses: [...statusesWaitingFor(workflow, roles)],
      maximumGroups: maximumFigureGroups,
    },
    language,
  );
  const total = rows.find(({ id }) => id === null);
  if (!total) throw new Error('The database returned no sum of the groups');
  return {
    fromDay,
    toDay,
    total: describeFigures(total),
    groups: rows.flatMap((row) =>
      row.id === null
        ? []
        : [
            {
              id: row.id,
              name: nameOf(row.name, language),
              ...(row.agency_name ? { agencyName: localize(row.agency_name, language) } : {}),
              ...describeFigures(row),
            },
          ],
    ),
    groupCount: total.group_count,
  };
}
