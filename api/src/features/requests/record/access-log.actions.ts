import type { Workflows } from '#features/workflow/workflows.actions.ts';
import { administeredAgencies } from '#platform/auth/agencies/agency-administration.ts';
import { getActor, hasRole, type Caller } from '#platform/auth/caller.ts';
import { localize, localizePersonName } from '#platform/core/localize.ts';
import { checkDayOrder, Refusal, ValidationRefusal } from '#platform/core/refusals.ts';
import type { Database } from '#platform/database/database.ts';
import type { Sql } from '#platform/database/sql.ts';
import {
  maximumReadDays,
  readReasonLength,
  unusualReads,
  type AccessLogEntry,
  type getUnusualReaders,
  type giveReasonForReading,
  type ReaderKind,
  type UnusualReader,
} from '@diwan/contract/staff/access-log';
import { auditReaders, money, type BodyOf, type QueryOf } from '@diwan/contract/wire/call';
import { dayAfter, startOfDay } from '@diwan/contract/wire/days';
import type { Language } from '@diwan/contract/wire/languages';
import { readRequestNumber } from '../model/request-number.ts';
import { visibleToEveryone } from '../model/requests.store.ts';
import { getVisibleRequest, readableBy } from '../model/visibility.actions.ts';
import {
  accessInsert,
  insertAccess,
  insertReason,
  selectAccesses,
  selectUnusualReaders,
  workWhere,
  type Access,
} from './access-log.store.ts';

/** What the access log needs. */
export interface AccessLogContext {
  database: Database;
  workflow: Pick<Workflows, 'openStatuses'>;
  /** For how long a repeated access by the same reader is not recorded again. */
  accessLogMinutes: number;
  /** What applicants see of a reader: the setting READERS_SHOWN. */
  readersShown: 'office' | 'name';
}
type RecordingContext = Pick<AccessLogContext, 'accessLogMinutes' | 'workflow'>;

function readerKindOf(caller: Caller): ReaderKind | undefined {
  if (caller.actor) return 'employee';
  if (caller.roles.includes('Admin')) return 'admin';
  if (caller.roles.includes('Employee')) return 'employee';
  if (caller.roles.includes('Finance')) return 'finance';
  if (caller.roles.includes('Auditor')) return 'auditor';
  return caller.roles.includes('ServiceProvider') ? 'serviceProvider' : undefined;
}

// What is open at their agency, at their teams where they have some, or at their partner is work of
// employees and service providers, money to give back is work of those who pay it, and a company's own
// requests are its own. Who acts for a person at a counter opens that person's requests.
const workOf = ({ workflow }: RecordingContext, caller: Caller) =>
  caller.actor
    ? visibleToEveryone
    : workWhere({
        statusIds: hasRole(caller, ['Employee', 'ServiceProvider']) ? workflow.openStatuses() : [],
        // guard: work of another team (team-scope) => []
        teams: caller.teams,
        isRefundable: hasRole(caller, money),
        companyId: caller.companyId,
      });

/** The caller as a reader of others' requests; `undefined` for others than staff. */
export function readerOf(context: RecordingContext, caller: Caller): Access | undefined {
  const kind = readerKindOf(caller);
  if (!kind) return undefined;
  const { userId: reader_id, fullName: reader_name } = getActor(caller);
  return {
    reader: { reader_id, reader_name, reader_kind: kind },
    partnerId: kind === 'serviceProvider' ? caller.partnerId : null,
    visible: readableBy(caller),
    minutes: context.accessLogMinutes,
    isWork: workOf(context, caller),
  };
}

/** The write that records that staff act on a request; `undefined` for others. */
export function actingAccess(
  context: RecordingContext,
  caller: Caller,
  requestId: number,
): Sql<unknown> | undefined {
  const access = readerOf(context, caller);
  return access && accessInsert(requestId, null, access, true);
}

/**
 * Records that staff open a request, or a document of it. The record is written before the reply,
 * so that everything shown is recorded even if the server fails. Requests that the reader sent are
 * not recorded. Throws ReasonForReadingRequired where the request is not work of the reader, and they
 * did not say why they open it.
 */
export async function recordAccess(
  context: RecordingContext & { database: Database },
  caller: Caller,
  requestId: number,
  attachmentId: string | null = null,
): Promise<void> {
  const access = readerOf(context, caller);
  const isMissing =
    access && (await insertAccess(context.database, requestId, attachmentId, access));
  // guard: reason for reading a document (access-log)
  if (isMissing) throw new Refusal('ReasonForReadingRequired');
}

/** Records why staff open a request that is not their work. Throws RequestNotFound. */
export async function giveReason(
  context: RecordingContext & { database: Database },
  caller: Caller,
  { requestId, reason, reasonText: text, requestNumber }: BodyOf<typeof giveReasonForReading>,
): Promise<void> {
  const { minimum } = readReasonLength;
  if (reason === 'other' && text.length < minimum)
    throw new ValidationRefusal([{ field: 'reasonText', code: 'tooShort', params: { minimum } }]);
  const access = readerOf(context, caller);
  // A number that the reader typed is one that somebody gave them.
  const number = reason === 'number' ? (readRequestNumber(requestNumber ?? '') ?? '') : undefined;
  const given = { reason, text, number };
  if (!access || !(await insertReason(context.database, requestId, access, given)))
    throw new Refusal('RequestNotFound');
}

/**
 * The accesses of staff to a request, newest first. Admins and auditors see the name of each reader,
 * others see it by the setting READERS_SHOWN. Throws RequestNotFound.
 */
export async function listAccesses(
  { database, readersShown }: Pick<AccessLogContext, 'database' | 'readersShown'>,
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
    ...(row.reason === null ? {} : { reason: row.reason }),
    reasonText: row.reason_text,
  }));
}

/** Who opened unusually many records of the caller's agencies, from a day to another. */
export async function listUnusualReaders(
  { database }: Pick<AccessLogContext, 'database'>,
  caller: Caller,
  query: QueryOf<typeof getUnusualReaders>,
  language: Language,
): Promise<UnusualReader[]> {
  checkDayOrder(query);
  const { From, Until } = query;
  const latest = dayAfter(From, maximumReadDays - 1);
  if (Until > latest)
    throw new ValidationRefusal([
      { field: 'Until', code: 'dateTooLate', params: { maximum: latest } },
    ]);
  const time = {
    from: startOfDay(From),
    until: startOfDay(dayAfter(Until, 1)),
    agencies: administeredAgencies(caller),
  };
  return (await selectUnusualReaders(database, time, unusualReads)).map((row) => ({
    day: row.day,
    readerKind: row.reader_kind,
    ...(row.username === null ? {} : { username: row.username }),
    fullName: localizePersonName(row, language),
    records: row.records,
    anHour: row.an_hour,
    explainedAnHour: row.explained_an_hour,
    ofOnePerson: row.of_one_person,
    personName: row.of_one_person >= unusualReads.ofOnePerson ? (row.person_name ?? '') : '',
  }));
}
