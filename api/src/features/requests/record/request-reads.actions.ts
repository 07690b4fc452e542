import type { Language } from '@diwan/contract/wire/languages';
import type { ReaderKind, RequestRead } from '@diwan/contract/requests/request-reads';
import type { RequestRecord } from '@diwan/contract/requests/requests';
import type { Database } from '../../../platform/database/database.ts';
import { localize } from '../../../platform/core/localize.ts';
import { personAt, type Caller } from '../../../platform/auth/session.ts';
import { insertRead, selectReads } from './request-reads.store.ts';
import { getRecord, type RecordContext } from './request-record.actions.ts';
import { getVisible, type RequestsContext } from '../requests.actions.ts';
import { visibleTo } from '../model/visibility.store.ts';

/**
 * What the log of looks stands on: how long the same look is noted once, and what people see of a
 * reader.
 */
export interface ReadsContext extends Pick<RequestsContext, 'workflow'> {
  database: Database;
  readMinutes: number;
  readersShown: 'office' | 'name';
}

function kindOf(caller: Caller): ReaderKind | undefined {
  if (caller.actor) return 'employee';
  if (caller.roles.includes('Admin')) return 'admin';
  if (caller.roles.includes('Employee')) return 'employee';
  return caller.roles.includes('ServiceProvider') ? 'serviceProvider' : undefined;
}

/**
 * Notes that staff open a request, or a document of it; before the reply, so that what was shown is
 * noted whatever happens to the server. Nobody's look at what is their own is noted.
 */
export async function noteRead(
  context: Omit<ReadsContext, 'readersShown'>,
  caller: Caller,
  requestId: number,
  attachmentId: string | null = null,
): Promise<void> {
  const kind = kindOf(caller);
  if (!kind) return;
  const { userId: reader_id, fullName: reader_name } = personAt(caller);
  await insertRead(context.database, requestId, attachmentId, {
    reader: { reader_id, reader_name, reader_kind: kind },
    partnerId: kind === 'serviceProvider' ? caller.partnerId : null,
    visible: visibleTo(caller),
    minutes: context.readMinutes,
  });
}

/**
 * A request's record for whoever may see it, and the look noted: the one way by which a record
 * leaves the server. If it cannot be noted nothing is shown.
 */
export async function openRecord(
  context: RecordContext & Pick<ReadsContext, 'readMinutes'>,
  caller: Caller,
  requestId: number,
  language: Language,
): Promise<RequestRecord> {
  const [record] = await Promise.all([
    getRecord(context, caller, requestId, language),
    noteRead(context, caller, requestId),
  ]);
  return record;
}

/**
 * Who has looked, newest first: people see which office it was, admins who. Throws RequestNotFound.
 */
export async function listReads(
  context: ReadsContext,
  caller: Caller,
  requestId: number,
  language: Language,
): Promise<RequestRead[]> {
  await getVisible(context.database, caller, requestId);
  const isNamed = context.readersShown === 'name' || caller.roles.includes('Admin');
  return (await selectReads(context.database, requestId)).map((row) => ({
    at: row.at.toISOString(),
    readerKind: row.reader_kind,
    office: row.office ? localize(row.office, language) : '',
    name: isNamed ? row.reader_name : '',
    // A document that is gone was looked at all the same.
    ...(row.attachment_id === null ? {} : { documentName: row.file_name ?? '' }),
  }));
}
