import { agencyOfService, isInScope } from '#platform/auth/agencies/agency-administration.store.ts';
import type { AgencyScope } from '#platform/auth/caller.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import {
  matchesKeyword,
  type ListPage,
  selectCountedPage,
  withoutSpaces,
} from '#platform/database/keyword-search.ts';
import { personName } from '#platform/database/lists/person-name.ts';
import { sql } from '#platform/database/sql.ts';
import type { DraftDocument, ServiceDocument } from '@diwan/contract/catalogue/service-document';
import type { Language, LocalizedText } from '@diwan/contract/wire/languages';
import type { Confirmation } from './versions.store.ts';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'service_drafts.base': ServiceDocument;
    'service_drafts.document': DraftDocument;
  }
}

/** A service as it is published, with what its designer does not edit. */
export interface LiveService {
  document: ServiceDocument;
  isRetired: boolean;
}

/**
 * Published services as documents, by id; one that was never published is missing. With `isLocked`
 * nobody else publishes or changes them until the end of the transaction.
 */
export async function selectLiveServices(
  database: Database | Transaction,
  serviceIds: readonly number[],
  isLocked = false,
): Promise<Map<number, LiveService>> {
  const rows = await database
    .selectFrom('services')
    .selectAll()
    .select(
      sql<number[]>`array(
        select account_type_id
        from service_account_types
        where service_id = services.id
        order by account_type_id
      )`.as('account_type_ids'),
    )
    .select(
      sql<number | null>`(
        select workflow_id
        from workflow_choices
        where service_id = services.id
        order by id desc
        limit 1
      )`.as('workflow_id'),
    )
    .where(sql<boolean>`id = any(${[...serviceIds]}::int[])`)
    .orderBy('id')
    .$if(isLocked, (query) => query.forUpdate('services'))
    .execute();
  return new Map(
    rows.map((row) => [
      row.id,
      {
        isRetired: row.deleted_at !== null,
        document: {
          replacedName: row.replaced_name,
          name: row.name,
          description: row.description,
          agencyId: row.agency_id,
          categoryId: row.category_id,
          accountTypeIds: row.account_type_ids,
          form: row.form,
          attachments: row.attachments,
          eligibility: row.eligibility,
          fees: row.fees,
          terms: row.terms,
          steps: row.steps,
          result: row.result,
          issuesDocument: row.issues_document,
          withdrawal: row.withdrawal,
          objectionDays: row.objection_days,
          workingDays: row.working_days,
          workflowId: row.workflow_id,
          availableFrom: row.available_from,
          availableUntil: row.available_until,
        },
      },
    ]),
  );
}

/** One of `selectLiveServices`. */
export async function findLiveService(
  database: Database | Transaction,
  serviceId: number,
  isLocked = false,
): Promise<LiveService | undefined> {
  return (await selectLiveServices(database, [serviceId], isLocked)).get(serviceId);
}

export interface DraftRow {
  service_id: number;
  document: DraftDocument;
  base: ServiceDocument | null;
  version: number;
  saved_at: Date;
  saved_by: string | null;
  publish_at: Date | null;
  publish_by: string | null;
  publish_asked_at: Date | null;
  publish_confirmed_by: string | null;
  publish_confirmed_at: Date | null;
  publish_problem: string | null;
  saved_by_name: string | null;
  saved_by_name_ar: string | null;
}

const drafts = (database: Database | Transaction) =>
  database
    .selectFrom('service_drafts')
    .leftJoin('users', 'users.id', 'service_drafts.saved_by')
    .selectAll('service_drafts')
    .select(['users.full_name as saved_by_name', 'users.full_name_ar as saved_by_name_ar']);

export async function findServiceDraft(
  database: Database | Transaction,
  serviceId: number,
  isLocked = false,
): Promise<DraftRow | undefined> {
  return drafts(database)
    .where('service_id', '=', serviceId)
    .$if(isLocked, (query) => query.forUpdate('service_drafts'))
    .executeTakeFirst();
}

/** A draft whose time has come, locked; those that another process publishes now are left out. */
export async function lockDueDraft(
  transaction: Transaction,
  now: Date,
): Promise<DraftRow | undefined> {
  return drafts(transaction)
    .where('publish_at', '<=', now)
    .orderBy('publish_at')
    .limit(1)
    .forUpdate('service_drafts')
    .skipLocked()
    .executeTakeFirst();
}

interface DraftListRow {
  service_id: number;
  name: LocalizedText;
  saved_at: Date;
  saved_by_name: string | null;
  publish_at: Date | null;
  is_published: boolean;
}

export async function selectServiceDrafts(
  database: Database,
  scope: AgencyScope,
  language: Language,
) {
  const { rows } = await sql<DraftListRow>`
    select
      service_id, document -> 'name' as name, saved_at, ${personName('users', language)} as saved_by_name,
      publish_at, base is not null as is_published
    from service_drafts
    left join users on users.id = saved_by
    where ${isInScope(scope, agencyOfService(sql`service_drafts.service_id`))}
    order by saved_at desc, service_id
    limit 500
  `.execute(database);
  return rows;
}

/** An id that no service has had. */
export async function takeServiceId(transaction: Transaction): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('services', 'id'))::int as id`.execute(transaction);
  return rows[0]?.id ?? 0;
}

interface SavedContent {
  document: DraftDocument;
  base: ServiceDocument | null;
  savedBy: string;
}

/** Inserts the draft of a service; false if another one exists. */
export async function insertServiceDraft(
  transaction: Transaction,
  serviceId: number,
  { document, base, savedBy }: SavedContent,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('service_drafts')
    .values({
      service_id: serviceId,
      document: JSON.stringify(document),
      base: base && JSON.stringify(base),
      saved_by: savedBy,
    })
    .onConflict((conflict) => conflict.column('service_id').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Replaces the content of a draft. What was to be published at a time is not this content. */
export async function updateServiceDraft(
  transaction: Transaction,
  serviceId: number,
  { document, base, savedBy }: SavedContent,
): Promise<void> {
  await transaction
    .updateTable('service_drafts')
    .set((each) => ({
      document: JSON.stringify(document),
      base: base && JSON.stringify(base),
      version: each('version', '+', 1),
      saved_by: savedBy,
      saved_at: new Date(),
      publish_at: null,
      publish_by: null,
      publish_asked_at: null,
      publish_confirmed_by: null,
      publish_confirmed_at: null,
      publish_problem: null,
    }))
    .where('service_id', '=', serviceId)
    .execute();
}

/** When, in whose name and confirmed by whom a draft is published; nothing of it for never. */
type Publication = { at?: Date; by?: string; problem?: string; confirmation?: Confirmation };

export async function setPublication(
  transaction: Transaction,
  serviceId: number,
  { at, by, confirmation, problem }: Publication,
): Promise<void> {
  await transaction
    .updateTable('service_drafts')
    .set((each) => ({
      publish_at: at ?? null,
      publish_by: by ?? null,
      publish_asked_at: confirmation?.askedAt ?? null,
      publish_confirmed_by: confirmation?.by ?? null,
      publish_confirmed_at: confirmation?.at ?? null,
      publish_problem: problem ?? null,
      version: each('version', '+', 1),
    }))
    .where('service_id', '=', serviceId)
    .execute();
}

export async function deleteServiceDraft(
  transaction: Transaction,
  serviceId: number,
): Promise<void> {
  await transaction.deleteFrom('service_drafts').where('service_id', '=', serviceId).execute();
}

/**
 * Replaces what visitors read of a service, or inserts it. The languages of its name and
 * description that were our own wording stay so until their text changes.
 */
export async function writeLiveService(
  transaction: Transaction,
  serviceId: number,
  document: ServiceDocument,
): Promise<void> {
  const json = (value: unknown) => JSON.stringify(value);
  const row = {
    replaced_name: document.replacedName,
    name: json(document.name),
    description: json(document.description),
    agency_id: document.agencyId,
    category_id: document.categoryId,
    form: json(document.form),
    attachments: json(document.attachments),
    fees: json(document.fees),
    working_days: document.workingDays,
    terms: json(document.terms),
    steps: json(document.steps),
    result: json(document.result),
    issues_document: document.issuesDocument,
    withdrawal: json(document.withdrawal),
    objection_days: document.objectionDays,
    eligibility: json(document.eligibility),
    available_from: document.availableFrom,
    available_until: document.availableUntil,
  };
  await transaction
    .insertInto('services')
    .values({ id: serviceId, ...row })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({
        ...row,
        ours_in: sql<string[]>`array(
          select language
          from unnest(services.ours_in) as language
          where services.name -> language = excluded.name -> language
            and services.description -> language = excluded.description -> language
        )`,
      }),
    )
    .execute();
  await transaction
    .deleteFrom('service_account_types')
    .where('service_id', '=', serviceId)
    .execute();
  await transaction
    .insertInto('service_account_types')
    .values(
      document.accountTypeIds.map((account_type_id) => ({
        service_id: serviceId,
        account_type_id,
      })),
    )
    .execute();
}

/** The open requests of a service that move, or would with the agency of its draft. */
export async function findAgencyMove(
  database: Database | Transaction,
  serviceId: number,
  agencyId: number | null,
): Promise<{ name: LocalizedText; count: number; isMoving: boolean } | undefined> {
  const { rows } = await sql<{ name: LocalizedText; count: number; isMoving: boolean }>`
    select agencies.name, open.count, place.is_moving as "isMoving"
    from services
    cross join lateral (
      select exists (
        select
        from agency_moves
        where agency_moves.service_id = services.id
      ) as is_moving
    ) as place
    join agencies
      on agencies.id = case when place.is_moving then services.agency_id else ${agencyId}::int end
    cross join lateral (
      select count(*)::int as count
      from requests
      where requests.service_id = services.id
        and requests.agency_id <> agencies.id
        and not exists (
          select
          from workflow_ends
          where workflow_ends.workflow_id = requests.workflow_id
            and workflow_ends.status_id = requests.status_id
        )
    ) as open
    where services.id = ${serviceId}
      and (place.is_moving or services.agency_id <> agencies.id)`.execute(database);
  const [found] = rows;
  return found && (found.count > 0 || !found.isMoving) ? found : undefined;
}

/** Offers a retired service again. False if it is not retired. */
export async function setServiceRestored(
  transaction: Transaction,
  serviceId: number,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('services')
    .set({ deleted_at: null })
    .where('id', '=', serviceId)
    .where('deleted_at', 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

interface RetiredRow {
  id: number;
  name: LocalizedText;
  agency_name: LocalizedText;
  retired_at: Date;
}

/** Services that were offered once, the last retired first. */
export async function selectRetiredServices(
  database: Database,
  scope: AgencyScope,
  { keyword, pageNumber, take }: ListPage,
): Promise<{ items: RetiredRow[]; totalCount: number }> {
  const found = matchesKeyword(
    keyword,
    (pattern) =>
      sql`${withoutSpaces(sql`fold_text(
      (services.name ->> 'ar-EG') || ' ' || (services.name ->> 'en-US') || ' '
        || (services.name ->> 'ur-PK')
    )`)} like ${pattern}`,
  );
  return selectCountedPage<RetiredRow>(
    database,
    {
      columns: sql`
        services.id,
        services.name,
        agencies.name as agency_name,
        services.deleted_at as retired_at`,
      from: sql`
        services
        join agencies on agencies.id = services.agency_id
        where services.deleted_at is not null
          and ${found}
          and ${isInScope(scope, sql`services.agency_id`)}`,
      order: sql`services.deleted_at desc`,
      ties: sql`services.id desc`,
    },
    { PageNumber: pageNumber, Take: take },
  );
}
