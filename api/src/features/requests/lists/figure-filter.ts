import type { SqlBool } from 'kysely';
import type { Caller } from '#platform/auth/caller.ts';
import { ValidationRefusal } from '#platform/core/refusals.ts';
import { type Sql, sql } from '#platform/database/sql.ts';
import type { ListFigure, StatusGroup } from '@diwan/contract/requests/request-lists';
import type { StatusTone } from '@diwan/contract/requests/workflow';
import { endOfDay, startOfDay } from '@diwan/contract/wire/days';
import type { RequestsContext } from '../model/requests-context.ts';
import { statusesWaitingFor } from './statuses.actions.ts';

/** Which requests a figure of dashboards counts; days in Asia/Dubai, both included. */
export interface FigureQuery {
  figure?: ListFigure | undefined;
  fromDay?: string | undefined;
  toDay?: string | undefined;
  /** The user who completed or rejected the requests. */
  by?: string | undefined;
}

/** Requests that were ended or paid for within a time. */
export interface FigureFilter {
  kind: Exclude<ListFigure, 'open' | 'waiting'>;
  from: Date | undefined;
  before: Date | undefined;
  by: string | undefined;
}

/** The times of a figure. Throws a ValidationRefusal for days in the wrong order. */
export function readFigure({ figure, fromDay, toDay, by }: FigureQuery): FigureFilter | undefined {
  if (fromDay && toDay && fromDay > toDay)
    throw new ValidationRefusal([
      { field: 'FigureTo', code: 'dateTooEarly', params: { minimum: fromDay } },
    ]);
  if (figure === undefined || figure === 'open' || figure === 'waiting') return undefined;
  return {
    kind: figure,
    from: fromDay === undefined ? undefined : startOfDay(fromDay),
    before: toDay === undefined ? undefined : endOfDay(toDay),
    by,
  };
}

const groupTones: Record<StatusGroup, readonly StatusTone[]> = {
  waiting: ['waiting'],
  progress: ['progress'],
  finished: ['done', 'refused'],
};

/**
 * The statuses that a list shows: those that are asked for, limited to those of the group and those
 * that the figure counts. With a partner, `waiting` are the statuses that wait for the partner.
 */
export function statusesOfList(
  { workflow }: Pick<RequestsContext, 'workflow'>,
  caller: Caller,
  query: {
    statusIds?: readonly number[] | undefined;
    statusGroup?: StatusGroup | undefined;
    figure?: ListFigure | undefined;
    partnerId?: number | undefined;
  },
): readonly number[] | undefined {
  const { statusIds, statusGroup, figure, partnerId } = query;
  const limits: (readonly number[])[] = statusIds ? [statusIds] : [];
  if (statusGroup) {
    const statuses = workflow.known().flatMap((document) => document.statuses);
    const ofGroup = statuses.filter(({ tone }) => groupTones[statusGroup].includes(tone));
    limits.push([...new Set(ofGroup.map(({ statusId }) => statusId))]);
  }
  if (figure === 'open') limits.push(workflow.openStatuses());
  if (figure === 'waiting') {
    const roles = partnerId === undefined ? caller.roles : (['ServiceProvider'] as const);
    limits.push([...statusesWaitingFor(workflow, roles)]);
  }
  const [first, ...others] = limits;
  return first?.filter((statusId) => others.every((limit) => limit.includes(statusId)));
}

const between = (
  column: string,
  { from, before }: Pick<FigureFilter, 'from' | 'before'>,
): Sql<SqlBool>[] => [
  ...(from ? [sql<SqlBool>`${sql.raw(column)} >= ${from}`] : []),
  ...(before ? [sql<SqlBool>`${sql.raw(column)} < ${before}`] : []),
];

const isPaid = (filter: FigureFilter): Sql<SqlBool> => sql`
  requests.id in (
    select payments.request_id
    from payment_events
    join payments on payments.id = payment_events.payment_id
    where ${sql.join(
      [
        sql`payments.status = 'paid' and payment_events.kind = 'paid'`,
        ...between('payment_events.occurred_at', filter),
      ],
      ' and ',
    )}
      and not exists (
        select
        from payment_events as earlier
        where earlier.payment_id = payment_events.payment_id
          and earlier.kind = 'paid'
          and earlier.occurred_at < payment_events.occurred_at
      )
  )`;

function figureCondition(filter: FigureFilter): Sql<SqlBool> {
  const { kind, by } = filter;
  if (kind === 'paid') return isPaid(filter);
  return sql`exists (
    select
    from request_history as ending
    join workflow_ends
      on workflow_ends.status_id = ending.to_status_id
      and workflow_ends.workflow_id = requests.workflow_id
    where ${sql.join(
      [
        sql`ending.request_id = requests.id`,
        sql`ending.from_status_id is distinct from ending.to_status_id`,
        sql`workflow_ends.tone = ${kind === 'refused' ? 'refused' : 'done'}`,
        ...between('ending.at', filter),
        ...(by === undefined ? [] : [sql`ending.actor_id = ${by}`]),
        ...(kind === 'doneLate'
          ? [
              sql`exists (
                select
                from request_facts
                where request_id = requests.id
                  and source_id = ending.id
                  and kind = 'done'
                  and days_late > 0
              )`,
            ]
          : []),
      ],
      ' and ',
    )}
  )`;
}

/** The conditions on `requests` of a figure of a period, and of the partner or the company whose figure it is. */
export const figureConditions = ({
  partnerId,
  companyId,
  figure,
}: {
  partnerId?: number | undefined;
  companyId?: number | undefined;
  figure?: FigureFilter | undefined;
}): Sql<SqlBool>[] => [
  ...(partnerId === undefined
    ? []
    : [sql<SqlBool>`(requests.partner_id = ${partnerId} and requests.came_to_provider)`]),
  ...(companyId === undefined ? [] : [sql<SqlBool>`requests.company_id = ${companyId}`]),
  ...(figure === undefined ? [] : [figureCondition(figure)]),
];
