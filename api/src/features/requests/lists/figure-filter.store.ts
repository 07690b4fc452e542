import type { SqlBool } from 'kysely';
import { sql, type Sql } from '#platform/database/sql.ts';
import type { ListFigure } from '@diwan/contract/requests/request-lists';

/** Requests that were ended or paid for within a time. */
export interface FigureFilter {
  kind: Exclude<ListFigure, 'open' | 'waiting'>;
  from: Date | undefined;
  before: Date | undefined;
  by: string | undefined;
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
