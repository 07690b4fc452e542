import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { seesAll, type Caller } from '../../../platform/auth/session.ts';

/** A condition on `requests`. */
export type Visible = RawBuilder<SqlBool>;

/** For what a request number alone opens. */
export const visibleToAnybody: Visible = sql<SqlBool>`true`;

/** What a person sent for themselves. */
export function ownOf(caller: Pick<Caller, 'userId'>): Visible {
  return sql`(requests.user_id = ${caller.userId} and requests.company_id is null)`;
}

/**
 * The one rule of who may see which request, as conditions on `requests` of which one must hold:
 * staff see all, a person their own, company users their company's,
 * a service provider those of their partner that have come to the provider at least once. Each is
 * answered by an index of its own; none holds for a request for which one before it does.
 */
export function waysToSee(caller: Caller): Visible[] {
  if (seesAll(caller)) return [visibleToAnybody];
  const ways: Visible[] = [];
  if (caller.roles.includes('Client') || caller.roles.includes('CompanyUser'))
    ways.push(ownOf(caller));
  if (caller.roles.includes('CompanyUser') && caller.companyId !== null)
    ways.push(sql`requests.company_id = ${caller.companyId}`);
  if (caller.roles.includes('ServiceProvider') && caller.partnerId !== null) {
    const others = ways.map((way) => sql` and not coalesce(${way}, false)`);
    ways.push(
      sql`(requests.partner_id = ${caller.partnerId} and requests.came_to_provider${sql.join(others, sql``)})`,
    );
  }
  return ways;
}

/** As `waysToSee`, in one condition. */
export function visibleTo(caller: Caller): Visible {
  const ways = waysToSee(caller);
  return ways.length > 0 ? sql`(${sql.join(ways, sql` or `)})` : sql`false`;
}
