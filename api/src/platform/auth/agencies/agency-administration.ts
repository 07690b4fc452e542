import { Refusal, ValidationRefusal } from '#platform/core/refusals.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import type { AgencySubject, Call } from '@diwan/contract/wire/call';
import type { RefusalName } from '@diwan/contract/wire/errors';
import type { AgencyScope, Caller } from '../caller.ts';
import { areOfAgencies, hasAgency } from './agency-administration.store.ts';

/**
 * The agencies whose services, staff and the like a caller administers or reads. An agency administrator
 * has some; the other roles that may make such a call concern the whole portal. Decision 0144.
 */
export const administeredAgencies = ({
  roles,
  scope,
}: Pick<Caller, 'roles' | 'scope'>): AgencyScope =>
  // guard: agencies of an agency administrator (agency-administration) => 'all'
  roles.includes('AgencyAdmin') ? scope : 'all';

/** The agency of an administrator of one agency, who need not choose it. */
export const onlyAgencyOf = (caller: Pick<Caller, 'roles' | 'scope'>): number | undefined => {
  const scope = administeredAgencies(caller);
  return scope !== 'all' && scope.length === 1 ? scope[0] : undefined;
};

/**
 * The agency of something new: the chosen one, else the only one of an agency administrator; undefined
 * where it is of the whole portal. Throws NotFound for one that is not there, and ValidationFailed where
 * an agency administrator must choose.
 */
export async function agencyOfNew(
  database: Database | Transaction,
  caller: Pick<Caller, 'roles' | 'scope'>,
  chosen: number | undefined,
): Promise<number | undefined> {
  const agencyId = chosen ?? onlyAgencyOf(caller);
  // guard: agency of what an agency administrator adds (searches, agency-reasons)
  if (agencyId === undefined && administeredAgencies(caller) !== 'all')
    throw new ValidationRefusal([{ field: 'agencyId', code: 'otherAgency' }]);
  if (agencyId !== undefined && !(await hasAgency(database, agencyId)))
    throw new Refusal('NotFound');
  return agencyId;
}

const refusals = {
  service: 'ServiceNotFound',
  agency: 'NotFound',
  staff: 'NotFound',
  invitation: 'NotFound',
  complaint: 'ComplaintNotFound',
  catalogueJob: 'NotFound',
  urgentOpening: 'NotFound',
  synonyms: 'SynonymNotFound',
  searchQuestion: 'NotFound',
  rejectionReason: 'RejectionReasonNotFound',
} as const satisfies Record<AgencySubject, RefusalName>;

/**
 * Refuses what a call of an agency administrator names of another agency, as if it were not there.
 * `input` has the fields of all parts of the call. Every call that names such a thing is checked here.
 */
export async function requireOwnAgencies(
  database: Database,
  { byAgency }: Pick<Call, 'byAgency'>,
  caller: Caller | undefined,
  input: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (!caller || typeof byAgency !== 'object') return;
  const scope = administeredAgencies(caller);
  if (scope === 'all') return;
  for (const [subject, field] of Object.entries(byAgency) as [AgencySubject, string][]) {
    const value = input[field];
    if (value === undefined || value === null) continue;
    const ids = (Array.isArray(value) ? value : [value]) as (number | string)[];
    // guard: what an agency administrator names (agency-administration)
    if (!(await areOfAgencies(database, subject, ids, scope))) throw new Refusal(refusals[subject]);
  }
}
