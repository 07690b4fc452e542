import type { Selectable } from 'kysely';
import type { ServiceForm } from '@diwan/contract/forms/forms';
import type { LocalizedText } from '@diwan/contract/wire/languages';
import type { Database, Transaction } from '../../platform/database/database.ts';
import type { Tables } from '../../platform/database/database-types.ts';
import { lockName } from '../../platform/database/name-lock.ts';

export type DraftRow = Selectable<Tables['drafts']>;

/** Whose drafts: a person's, for themselves or for the company that they act for. */
export interface Writer {
  userId: string;
  companyId: number | null;
}

/** What a draft is for: a service that is asked for, or a returned request of it that is mended. */
export interface About {
  serviceId: number;
  requestId: number | null;
}

/** What a save brings. */
export interface DraftContent {
  form: ServiceForm;
  answers: Record<string, unknown>;
  /** Why something marked stays as it is, by the key of its mark. */
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
const nothing = columnsOf({ form: { steps: [] }, answers: {}, attachmentIds: [], passed: [] });

function ofWriter(database: Database | Transaction, { userId, companyId }: Writer) {
  return database
    .selectFrom('drafts')
    .where('drafts.user_id', '=', userId)
    .where('drafts.company_id', 'is not distinct from', companyId);
}

const alive = (database: Database | Transaction, writer: Writer) =>
  ofWriter(database, writer).where('request_id', 'is', null).where('discarded_at', 'is', null);

export function findAlive(
  database: Database | Transaction,
  writer: Writer,
  { serviceId, requestId }: About,
): Promise<DraftRow | undefined> {
  return alive(database, writer)
    .where('service_id', '=', serviceId)
    .where('mends_request_id', 'is not distinct from', requestId)
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
 * One after the other for each person, so that two that begin at once do not slip past the limit or
 * past each other.
 */
export async function lockWriter(transaction: Transaction, userId: string): Promise<void> {
  await lockName(transaction, `drafts of ${userId}`);
}

/**
 * Of everything that the person writes, whoever for. What is mended does not count: nobody returns
 * a request to themselves.
 */
export async function countAlive(transaction: Transaction, userId: string): Promise<number> {
  const { count } = await transaction
    .selectFrom('drafts')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('request_id', 'is', null)
    .where('mends_request_id', 'is', null)
    .where('discarded_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * Throws away a person's discarded drafts but for the last so many, so that beginning and
 * discarding without end fills nothing.
 */
export async function deleteOldDiscarded(
  transaction: Transaction,
  userId: string,
  most: number,
): Promise<void> {
  const old = transaction
    .selectFrom('drafts')
    .select('id')
    .where('user_id', '=', userId)
    .where('request_id', 'is', null)
    .where('discarded_at', 'is not', null)
    .orderBy('discarded_at', 'desc')
    .offset(most);
  await transaction
    .deleteFrom('drafts')
    .where('user_id', '=', userId)
    .where('request_id', 'is', null)
    .where('discarded_at', 'is not', null)
    .where('id', 'in', old)
    .execute();
}

/**
 * `undefined` when the person has one of this id already, for somebody else or from another time.
 */
export function insertDraft(
  transaction: Transaction,
  writer: Writer,
  id: string,
  { serviceId, requestId }: About,
  content: DraftContent,
): Promise<DraftRow | undefined> {
  return transaction
    .insertInto('drafts')
    .values({
      user_id: writer.userId,
      id,
      company_id: writer.companyId,
      service_id: serviceId,
      mends_request_id: requestId,
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

/** True when it was alive. */
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

/** A place for a draft that was sent without having been saved; it is nobody's living draft. */
export async function insertPlace(
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
      ...nothing,
      discarded_at: new Date(),
    })
    .onConflict((conflict) => conflict.columns(['user_id', 'id']).doNothing())
    .execute();
}

/** What was typed is with the request now. */
export async function setSent(
  transaction: Transaction,
  userId: string,
  id: string,
  requestId: number,
): Promise<void> {
  await transaction
    .updateTable('drafts')
    .set({ ...nothing, request_id: requestId, discarded_at: null, saved_at: new Date() })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .execute();
}

export async function findSentAs(
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
 * Of these files, in the order given, those that are whole and the person's own and of no request
 * yet, or that the request to mend stands on.
 */
export async function selectFiles(
  database: Database | Transaction,
  userId: string,
  { serviceId, requestId }: About,
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

/** Also of a service that was taken out of the catalogue. */
export function selectAlive(database: Database, writer: Writer) {
  return alive(database, writer)
    .innerJoin('services', 'services.id', 'drafts.service_id')
    .innerJoin('agencies', 'agencies.id', 'services.agency_id')
    .leftJoin('requests as mended', 'mended.id', 'drafts.mends_request_id')
    .select([
      'drafts.mends_request_id',
      'mended.number as mended_number',
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

/** Throws away what was being mended of a request, whoever wrote it. */
export async function deleteMends(transaction: Transaction, requestId: number): Promise<void> {
  await transaction.deleteFrom('drafts').where('mends_request_id', '=', requestId).execute();
}

/** Throws away what was last saved, or discarded, before these moments; answers how many. */
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
