import { getActor, hasRole, type Caller } from '#platform/auth/caller.ts';
import { localize, localizePersonName } from '#platform/core/localize.ts';
import type { Database } from '#platform/database/database.ts';
import type { Sql } from '#platform/database/sql.ts';
import type { ReaderKind, AccessLogEntry } from '@diwan/contract/requests/requests';
import { auditReaders } from '@diwan/contract/wire/call';
import type { Language } from '@diwan/contract/wire/languages';
import { getVisibleRequest, visibleTo } from '../model/visibility.actions.ts';
import { accessInsert, selectAccesses } from './access-log.store.ts';

/** What the access log needs. */
export interface AccessLogContext {
  database: Database;
  /** For how long a repeated access by the same reader is not recorded again. */
  accessLogMinutes: number;
  /** What applicants see of a reader: the setting READERS_SHOWN. */
  readersShown: 'office' | 'name';
}

function readerKindOf(caller: Caller): ReaderKind | undefined {
  if (caller.actor) return 'employee';
  if (caller.roles.includes('Admin')) return 'admin';
  if (caller.roles.includes('Employee')) return 'employee';
  if (caller.roles.includes('Finance')) return 'finance';
  if (caller.roles.includes('Auditor')) return 'auditor';
  return caller.roles.includes('ServiceProvider') ? 'serviceProvider' : undefined;
}

/** The write that records an access of staff; `undefined` for others. */
export function accessOf(
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

/**
 * The accesses of staff to a request, newest first. Admins and auditors see the name of each reader,
 * others see it by the setting READERS_SHOWN. Throws RequestNotFound.
 */
export async function listAccesses(
  { database, readersShown }: Omit<AccessLogContext, 'accessLogMinutes'>,
  caller: Caller,
  requestId: number,
  language: Language,
): Promise<AccessLogEntry[]> {
  await getVisibleRequest(database, caller, requestId);
  const isNamed = readersShown === 'name' || hasRole(caller, auditReaders);
  return (await selectAccesses(database, requestId)).map((row) => ({
    at: row.at.toISOString(),
    readerKind: row.reader_kind,
    office: row.office ? localize(row.office, language) : '',
    name: isNamed ? localizePersonName(row, language) : '',
    // The name of a deleted document is empty.
    ...(row.attachment_id === null ? {} : { documentName: row.file_name ?? '' }),
  }));
}
