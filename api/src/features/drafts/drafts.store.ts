import type { Selectable } from 'kysely';
import type { Database, Transaction } from '#platform/database/database.ts';
import { acquireNamedLock } from '#platform/database/named-lock.ts';
import type { Tables } from '#platform/database/schema.generated.ts';
import { type Sql, sql } from '#platform/database/sql.ts';
import type { ServiceForm } from '@diwan/contract/forms/forms';
import type { LocalizedText } from '@diwan/contract/wire/languages';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'drafts.answers': Record<string, unknown>;
    'drafts.explanations': Record<string, string>;
    'drafts.form': ServiceForm;
  }
}

export type DraftRow = Selectable<Tables['drafts']>;

/** The owner of drafts: a person, or a person on behalf of a company. */
export interface Writer {
  userId: string;
  companyId: number | null;
}

/** The target of a draft: a service, or a returned request of it that is corrected. */
export interface DraftTarget {
  serviceId: number;
  requestId: number | null;
}

/** The content of a draft. */
export interface DraftContent {
  form: ServiceForm;
  answers: Record<string, unknown>;
  /** Explanations for marked items that stay unchanged, by the key of the mark. */
  explanations?: Record<string, string> | undefined;
  attachmentIds: readonly string[];
  passed: readonly string[];
}

const columnsOf = ({ form, answers, explanations = {}, attachmentIds, passed }: DraftContent) => ({
  form: JSON.stringify(form),
  answers: JSON.stringify(answers),
  explanations: JSON.stringify(explanations),
  attachment_ids: [...attachmentIds],
  passed: [...passed],
});
const emptyColumns = columnsOf({ form: { steps: [] }, answers: {}, attachmentIds: [], passed: [] });

function ofWriter(database: Database | Transaction, { userId, companyId }: Writer) {
  return database
    .selectFrom('drafts')
    .where('drafts.user_id', '=', userId)
    .where('drafts.company_id', 'is not distinct from', companyId);
}

const openDrafts = (database: Database | Transaction, writer: Writer) =>
  ofWriter(database, writer).where('request_id', 'is', null).where('discarded_at', 'is', null);

export function findOpenDraft(
  database: Database | Transaction,
  writer: Writer,
  { serviceId, requestId }: DraftTarget,
): Promise<DraftRow | undefined> {
  return openDrafts(database, writer)
    .where('service_id', '=', serviceId)
    .where('corrects_request_id', 'is not distinct from', requestId)
    .selectAll('drafts')
    .executeTakeFirst();
}

export function findDraft(
  database: Database | Transaction,
  writer: Writer,
  id: string,
): Promise<DraftRow | undefined> {
  return ofWriter(database, writer)
    .where('drafts.id', '=', id)
    .selectAll('drafts')
    .executeTakeFirst();
}

export function lockDraft(
  transaction: Transaction,
  writer: Writer,
  id: string,
): Promise<DraftRow | undefined> {
  return ofWriter(transaction, writer)
    .where('drafts.id', '=', id)
    .selectAll('drafts')
    .forUpdate()
    .executeTakeFirst();
}

/**
 * Locks a person, so that two new drafts at the same time cannot exceed the limit or duplicate each
 * other.
 */
export async function lockWriter(transaction: Transaction, userId: string): Promise<void> {
  await acquireNamedLock(transaction, `drafts of ${userId}`);
}

/**
 * Counts the person's open drafts, personal and for companies. Correction drafts do not count: only
 * staff return requests.
 */
export async function countOpenDrafts(transaction: Transaction, userId: string): Promise<number> {
  const { count } = await transaction
    .selectFrom('drafts')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('request_id', 'is', null)
    .where('corrects_request_id', 'is', null)
    .where('discarded_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * Deletes a person's discarded drafts except for the last `maximum`, which limits the storage of
 * one person.
 */
export async function deleteOldDiscarded(
  transaction: Transaction,
  userId: string,
  maximum: number,
): Promise<void> {
  const old = transaction
    .selectFrom('drafts')
    .select('id')
    .where('user_id', '=', userId)
    .where('request_id', 'is', null)
    .where('discarded_at', 'is not', null)
    .orderBy('discarded_at', 'desc')
    .orderBy('id')
    .offset(maximum);
  await transaction
    .deleteFrom('drafts')
    .where('user_id', '=', userId)
    .where('request_id', 'is', null)
    .where('discarded_at', 'is not', null)
    .where('id', 'in', old)
    .execute();
}

/** Inserts a draft. Returns `undefined` when the person already has a draft with this id. */
export function insertDraft(
  transaction: Transaction,
  writer: Writer,
  { id, serviceId, requestId }: DraftTarget & { id: string },
  content: DraftContent,
): Promise<DraftRow | undefined> {
  return transaction
    .insertInto('drafts')
    .values({
      user_id: writer.userId,
      id,
      company_id: writer.companyId,
      service_id: serviceId,
      corrects_request_id: requestId,
      ...columnsOf(content),
    })
    .onConflict((conflict) => conflict.columns(['user_id', 'id']).doNothing())
    .returningAll()
    .executeTakeFirst();
}

export function updateDraft(
  transaction: Transaction,
  row: DraftRow,
  content: DraftContent,
): Promise<DraftRow> {
  return transaction
    .updateTable('drafts')
    .set({ ...columnsOf(content), revision: row.revision + 1, saved_at: new Date() })
    .where('user_id', '=', row.user_id)
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Returns whether the draft was open. */
export async function setDiscarded(
  database: Database,
  writer: Writer,
  id: string,
): Promise<boolean> {
  const result = await database
    .updateTable('drafts')
    .set({ discarded_at: new Date() })
    .where('user_id', '=', writer.userId)
    .where('company_id', 'is not distinct from', writer.companyId)
    .where('id', '=', id)
    .where('request_id', 'is', null)
    .where('discarded_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function setRestored(transaction: Transaction, row: DraftRow): Promise<void> {
  await transaction
    .updateTable('drafts')
    .set({ discarded_at: null })
    .where('user_id', '=', row.user_id)
    .where('id', '=', row.id)
    .execute();
}

/**
 * Inserts a placeholder for a draft that is sent without having been saved. It counts as discarded.
 */
export async function insertPlaceholder(
  transaction: Transaction,
  writer: Writer,
  id: string,
  serviceId: number,
): Promise<void> {
  await transaction
    .insertInto('drafts')
    .values({
      user_id: writer.userId,
      id,
      company_id: writer.companyId,
      service_id: serviceId,
      ...emptyColumns,
      discarded_at: new Date(),
    })
    .onConflict((conflict) => conflict.columns(['user_id', 'id']).doNothing())
    .execute();
}

/** Marks a draft as sent. Its content is emptied, because the request holds it. */
export async function setSent(
  transaction: Transaction,
  userId: string,
  id: string,
  requestId: Sql<number>,
): Promise<void> {
  await transaction
    .updateTable('drafts')
    .set({ ...emptyColumns, request_id: requestId, discarded_at: null, saved_at: new Date() })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .execute();
}

export async function getRequestOfDraft(
  transaction: Transaction,
  requestId: number,
): Promise<{ id: number; number: string }> {
  return transaction
    .selectFrom('requests')
    .select(['id', 'number'])
    .where('id', '=', requestId)
    .executeTakeFirstOrThrow();
}

/**
 * The files of these ids, in their order, that are complete and either belong to the person and no
 * request, or are current documents of the request that is corrected.
 */
export async function selectFiles(
  database: Database | Transaction,
  userId: string,
  { serviceId, requestId }: DraftTarget,
  ids: readonly string[],
) {
  if (ids.length === 0) return [];
  const rows = await database
    .selectFrom('attachments')
    .select(['id', 'name', 'file_name', 'media_type', 'size'])
    .where('id', 'in', ids)
    .where('service_id', '=', serviceId)
    .where('is_result', '=', false)
    .where('provider_title', 'is', null)
    .where('uploaded_at', 'is not', null)
    .where((eb) =>
      eb.or([
        eb.and([
          eb('user_id', '=', userId),
          eb('request_id', 'is', null),
          eb.or([eb('announced_for', 'is', null), eb('announced_for', '=', requestId)]),
        ]),
        eb.and([eb('request_id', '=', requestId), eb('superseded_at', 'is', null)]),
      ]),
    )
    .execute();
  return [...new Set(ids)].flatMap((id) => rows.find((row) => row.id === id) ?? []);
}

/** Includes drafts for services that are no longer in the catalogue. */
export function selectOpenDrafts(database: Database, writer: Writer) {
  return openDrafts(database, writer)
    .innerJoin('services', 'services.id', 'drafts.service_id')
    .innerJoin('agencies', 'agencies.id', 'services.agency_id')
    .leftJoin('requests as corrected', 'corrected.id', 'drafts.corrects_request_id')
    .select([
      'drafts.corrects_request_id',
      'corrected.number as corrected_number',
      'drafts.id',
      'drafts.service_id',
      'drafts.passed',
      'drafts.saved_at',
      'services.name as service_name',
      'services.replaced_name',
      'agencies.id as agency_id',
      'agencies.name as agency_name',
      'agencies.logo as agency_logo',
    ])
    .$narrowType<{ service_name: LocalizedText; agency_name: LocalizedText }>()
    .orderBy('drafts.saved_at', 'desc')
    .orderBy('drafts.id')
    .execute();
}

/** Deletes the correction drafts of a request, of all users. */
export const deleteCorrections = (requestId: number): Sql => sql`
  delete from drafts
  where corrects_request_id = ${requestId}`;

/** Deletes drafts that were saved, or discarded, before these moments. Returns their number. */
export async function deleteOld(
  database: Database,
  savedBefore: Date,
  discardedBefore: Date,
): Promise<number> {
  const result = await database
    .deleteFrom('drafts')
    .where((eb) =>
      eb.or([
        eb('saved_at', '<', savedBefore),
        eb.and([eb('discarded_at', '<', discardedBefore), eb('request_id', 'is', null)]),
      ]),
    )
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}
