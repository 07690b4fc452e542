import { agencyOfService, isInScope } from '#platform/auth/agencies/agency-administration.store.ts';
import type { AgencyScope } from '#platform/auth/caller.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';
import type { FeeRule } from '@diwan/contract/catalogue/fees';
import type { LocalizedText } from '@diwan/contract/wire/languages';

/**
 * The fees from which changes of one person are counted: of the newest version that is older than a
 * day, that a second person confirmed, or that nobody in the designer made. None for a service that is
 * newer than all of these.
 */
export async function findCountedFees(
  transaction: Transaction,
  serviceId: number,
): Promise<FeeRule[]> {
  const { rows } = await sql<{ fees: FeeRule[] }>`
    select document -> 'fees' as fees
    from service_versions
    where service_id = ${serviceId}
      and (
        published_at <= now() - interval '24 hours'
        or confirmed_by is not null
        or published_by is null
      )
    order by number desc
    limit 1
  `.execute(transaction);
  return rows[0]?.fees ?? [];
}

/** The fees of the newest versions of services, and those from which `findCountedFees` counts. */
export async function selectVersionFees(
  database: Database | Transaction,
  serviceIds: readonly number[],
): Promise<{ id: number; newest: FeeRule[]; counted: FeeRule[] | null }[]> {
  const { rows } = await sql<{ id: number; newest: FeeRule[]; counted: FeeRule[] | null }>`
    select distinct on (service_id)
      service_id as id,
      document -> 'fees' as newest,
      (
        select document -> 'fees'
        from service_versions as counted
        where counted.service_id = service_versions.service_id
          and (
            published_at <= now() - interval '24 hours'
            or confirmed_by is not null
            or published_by is null
          )
        order by number desc
        limit 1
      ) as counted
    from service_versions
    where service_id = any(${[...serviceIds]}::int[])
    order by service_id, number desc
  `.execute(database);
  return rows;
}

export interface WaitingRow {
  id: number;
  draft_version: number | null;
  restored_from: number | null;
  publish_at: Date | null;
  asked_by: string;
  asked_at: Date;
  asked_by_name: string;
  asked_by_name_ar: string | null;
}

/** The publication that waits for a second person; one of a draft that was changed waits no longer. */
export async function findWaitingPublication(
  database: Database | Transaction,
  serviceId: number,
  isLocked = false,
): Promise<WaitingRow | undefined> {
  const { rows } = await sql<WaitingRow>`
    select
      waiting.id, waiting.draft_version, waiting.restored_from, waiting.publish_at,
      waiting.asked_by, waiting.asked_at, users.full_name as asked_by_name,
      users.full_name_ar as asked_by_name_ar
    from waiting_publications as waiting
    join users on users.id = waiting.asked_by
    left join service_drafts as draft on draft.service_id = waiting.service_id
    where waiting.service_id = ${serviceId}
      and (waiting.restored_from is not null or draft.version = waiting.draft_version)
    ${isLocked ? sql`for update of waiting` : sql``}
  `.execute(database);
  return rows[0];
}

interface WaitingListRow {
  service_id: number;
  name: LocalizedText;
  asked_by: string;
  asked_by_name: string;
  asked_by_name_ar: string | null;
  asked_at: Date;
}

export async function selectWaitingPublications(
  database: Database,
  scope: AgencyScope,
): Promise<WaitingListRow[]> {
  const { rows } = await sql<WaitingListRow>`
    select
      waiting.service_id, coalesce(draft.document -> 'name', services.name) as name,
      waiting.asked_by, users.full_name as asked_by_name,
      users.full_name_ar as asked_by_name_ar, waiting.asked_at
    from waiting_publications as waiting
    join users on users.id = waiting.asked_by
    left join service_drafts as draft on draft.service_id = waiting.service_id
    left join services on services.id = waiting.service_id
    where (waiting.restored_from is not null or draft.version = waiting.draft_version)
      and ${isInScope(scope, agencyOfService(sql`waiting.service_id`))}
    order by waiting.id
    limit 500
  `.execute(database);
  return rows;
}

interface NewWaiting {
  draftVersion?: number;
  restoredFrom?: number;
  publishAt?: Date | undefined;
  askedBy: string;
}

/** Lets a publication wait instead of the one of this service that waited. */
export async function insertWaitingPublication(
  transaction: Transaction,
  serviceId: number,
  { draftVersion, restoredFrom, publishAt, askedBy }: NewWaiting,
): Promise<void> {
  await deleteWaitingPublication(transaction, serviceId);
  await transaction
    .insertInto('waiting_publications')
    .values({
      service_id: serviceId,
      draft_version: draftVersion ?? null,
      restored_from: restoredFrom ?? null,
      publish_at: publishAt ?? null,
      asked_by: askedBy,
    })
    .execute();
}

export async function deleteWaitingPublication(
  transaction: Transaction,
  serviceId: number,
): Promise<void> {
  await transaction
    .deleteFrom('waiting_publications')
    .where('service_id', '=', serviceId)
    .execute();
}
