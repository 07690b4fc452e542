import { getActor, type Caller } from '#platform/auth/caller.ts';
import { localize } from '#platform/core/localize.ts';
import type { Database } from '#platform/database/database.ts';
import type { Sql } from '#platform/database/sql.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type { ReaderKind, AccessLogEntry, RequestRecord } from '@diwan/contract/requests/requests';
import type { Language } from '@diwan/contract/wire/languages';
import { getVisibleRequest, visibleTo } from '../model/visibility.actions.ts';
import { accessInsert, selectAccesses } from './access-log.store.ts';
import { describeRecord, type RecordContext } from './request-record.actions.ts';
import { findRecord, type RecordRow } from './request-record.store.ts';

/** What the access log needs. */
export interface AccessLogContext {
  database: Database;
  /** For how long a repeated access by the same reader is not recorded again. */
  accessLogMinutes: number;
  /** What applicants see of a reader: the setting READERS_SHOWN. */
  readersShown: 'office' | 'name';
}

/** What a call needs that replies with a record. */
export interface OpenRecordContext
  extends RecordContext, Pick<AccessLogContext, 'accessLogMinutes'> {}

function readerKindOf(caller: Caller): ReaderKind | undefined {
  if (caller.actor) return 'employee';
  if (caller.roles.includes('Admin')) return 'admin';
  if (caller.roles.includes('Employee')) return 'employee';
  return caller.roles.includes('ServiceProvider') ? 'serviceProvider' : undefined;
}

// What records an access of staff; `undefined` for others.
function accessOf(
  { accessLogMinutes }: Pick<AccessLogContext, 'accessLogMinutes'>,
  caller: Caller,
  requestId: number,
  attachmentId: string | null = null,
): Sql<unknown> | undefined {
  const kind = readerKindOf(caller);
  if (!kind) return undefined;
  const { userId: reader_id, fullName: reader_name } = getActor(caller);
  return accessInsert(requestId, attachmentId, {
    reader: { reader_id, reader_name, reader_kind: kind },
    partnerId: kind === 'serviceProvider' ? caller.partnerId : null,
    visible: visibleTo(caller),
    minutes: accessLogMinutes,
  });
}

/**
 * Records that staff open a request, or a document of it. The record is written before the reply,
 * so that everything shown is recorded even if the server fails. Requests that the reader sent are
 * not recorded.
 */
export async function recordAccess(
  context: Omit<AccessLogContext, 'readersShown'>,
  caller: Caller,
  requestId: number,
  attachmentId: string | null = null,
): Promise<void> {
  await accessOf(context, caller, requestId, attachmentId)?.execute(context.database);
}

/** Reads what the record of a request shows, and records the access. */
const readRecord = (
  context: Pick<AccessLogContext, 'accessLogMinutes'>,
  part: Database,
  caller: Caller,
  requestId: number,
): Promise<RecordRow | undefined> =>
  findRecord(part, requestId, {
    visible: visibleTo(caller),
    access: accessOf(context, caller, requestId),
  });

/**
 * The record of a request that the caller may see, with the access recorded. Every call that
 * replies with a record uses it. Nothing is shown when the access cannot be recorded. Throws
 * RequestNotFound.
 */
export async function openRecord(
  context: OpenRecordContext,
  caller: Caller,
  requestId: number,
  language: Language,
): Promise<RequestRecord> {
  const row = await readRecord(context, context.database, caller, requestId);
  return describeRecord(context, caller, row, language);
}

/**
 * Performs an action on a request and returns the record after it like `openRecord`. The action is a
 * part of a transaction, which reads the record with its last statements and the commit.
 */
export async function actAndOpen<Context extends OpenRecordContext>(
  context: Context,
  caller: Caller,
  { requestId, language }: { requestId: number; language: Language },
  act: (context: Context) => Promise<void>,
): Promise<RequestRecord> {
  const { record } = await inTransaction(context.database, async (unit) => {
    await act({ ...context, database: unit });
    return unit.commit({ record: (part) => readRecord(context, part, caller, requestId) });
  });
  return describeRecord(context, caller, record, language);
}

/**
 * The accesses of staff to a request, newest first. Admins see the name of each reader, others see
 * it by the setting READERS_SHOWN. Throws RequestNotFound.
 */
export async function listAccesses(
  { database, readersShown }: Omit<AccessLogContext, 'accessLogMinutes'>,
  caller: Caller,
  requestId: number,
  language: Language,
): Promise<AccessLogEntry[]> {
  await getVisibleRequest(database, caller, requestId);
  const isNamed = readersShown === 'name' || caller.roles.includes('Admin');
  return (await selectAccesses(database, requestId)).map((row) => ({
    at: row.at.toISOString(),
    readerKind: row.reader_kind,
    office: row.office ? localize(row.office, language) : '',
    name: isNamed ? row.reader_name : '',
    // The name of a deleted document is empty.
    ...(row.attachment_id === null ? {} : { documentName: row.file_name ?? '' }),
  }));
}
