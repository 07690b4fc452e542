import type { CheckPassword } from '#features/users/sign-in/reauthenticate.actions.ts';
import { administeredAgencies } from '#platform/auth/agencies/agency-administration.ts';
import { hasRole, nameOfCaller, type Caller } from '#platform/auth/caller.ts';
import { createTranslator } from '#platform/core/locale-texts.ts';
import { localize, localizePersonName } from '#platform/core/localize.ts';
import { checkDayOrder, Refusal } from '#platform/core/refusals.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { enqueueMessages } from '#platform/messages/message-outbox.ts';
import type {
  getUrgentOpenings,
  openUrgently,
  reviewUrgentOpening,
  UrgentOpening,
} from '@diwan/contract/staff/urgent-reading';
import {
  agencyAdministrators,
  type BodyOf,
  type EveryField,
  type QueryOf,
  type ReplyOf,
} from '@diwan/contract/wire/call';
import { dayAfter, startOfDay } from '@diwan/contract/wire/days';
import { defaultLanguage, type Language } from '@diwan/contract/wire/languages';
import { readRequestNumber } from '../model/request-number.ts';
import { visibleTo } from '../model/visibility.actions.ts';
import { readerOf, type AccessLogContext } from '../record/access-log.actions.ts';
import { insertUrgentRead } from '../record/access-log.store.ts';
import type { RecordContext } from '../record/request-record.actions.ts';
import * as store from './urgent-reading.store.ts';

/** What the urgent right needs. */
export interface UrgentReadingContext
  extends
    Pick<AccessLogContext, 'database' | 'workflow' | 'accessLogMinutes'>,
    Pick<RecordContext, 'notifier' | 'announce'> {
  publicUrl: string;
  checkPassword: CheckPassword;
}

const t = createTranslator('urgent');
const isolate = (text: string) => `\u2068${text}\u2069`;

// Everybody who has to review is notified, also where the reader is one of them.
async function notifyAdministrators(
  { publicUrl }: UrgentReadingContext,
  transaction: Transaction,
  caller: Caller,
  opened: { number: string; agencyId: number; reason: UrgentOpening['reason']; text: string },
): Promise<void> {
  const { number, agencyId, reason, text } = opened;
  const people = await store.selectAdministrators(transaction, agencyId);
  await enqueueMessages(
    transaction,
    ...people.map(({ id: userId, email: recipient, language: chosen }) => {
      const language = chosen ?? defaultLanguage;
      const values = {
        name: isolate(nameOfCaller(caller, language)),
        number: isolate(number),
        reason: t(`reasons.${reason}`, language),
        text: isolate(text),
        link: `${publicUrl}/dashboard/reading`,
      };
      return {
        kind: 'security' as const,
        channel: 'email' as const,
        recipient,
        language,
        subject: t('mail.subject', language, values),
        body: t('mail.text', language, values),
        userId,
      };
    }),
  );
}

/**
 * Opens a request that is not in the caller's scope for reading, and notifies the applicant and the
 * administrators. Throws UrgentRightMissing, IncorrectPassword, TooManyRequests, RequestNotFound, and
 * RequestInScope for one that needs no urgent right.
 */
export async function openByUrgentRight(
  context: UrgentReadingContext,
  caller: Caller,
  { requestNumber, reason, reasonText, password }: BodyOf<typeof openUrgently>,
): Promise<ReplyOf<typeof openUrgently>> {
  await context.checkPassword(caller, password);
  const number = readRequestNumber(requestNumber) ?? '';
  const opened = await inTransaction(context.database, async (transaction) => {
    // guard: opening without the urgent right (urgent-reading)
    if (!(await store.lockUrgentRight(transaction, caller.userId)))
      throw new Refusal('UrgentRightMissing');
    const request = await store.lockByNumber(transaction, number, visibleTo(caller));
    if (!request) throw new Refusal('RequestNotFound');
    if (request.isInScope) throw new Refusal('RequestInScope');
    const { id: requestId, agencyId } = request;
    const { sessionId, userId: readerId } = caller;
    const current = await store.findOpenUntil(transaction, { requestId, agencyId, sessionId });
    if (current) return { requestId, until: current };
    const until = await store.insertOpening(transaction, {
      requestId,
      agencyId,
      readerId,
      sessionId,
      reason,
      reasonText,
    });
    const reader = readerOf(context, caller);
    // guard: access log of the urgent right (urgent-reading)
    if (reader) await insertUrgentRead(transaction, requestId, reader, reasonText);
    // guard: applicant who hears of the urgent right (urgent-reading)
    await context.notifier.notify(transaction, { requestId, notification: 'openedUrgently' });
    // guard: administrators who hear of the urgent right (urgent-reading)
    await notifyAdministrators(context, transaction, caller, {
      number,
      agencyId,
      reason,
      text: reasonText,
    });
    return { requestId, until };
  });
  context.announce();
  return {
    requestId: opened.requestId,
    requestNumber: number,
    until: opened.until.toISOString(),
  };
}

/** Uses of the urgent right on requests of the caller's agencies; those that wait for a review first. */
export async function listOpenings(
  { database }: { database: Database },
  caller: Caller,
  query: QueryOf<typeof getUrgentOpenings>,
  language: Language,
): Promise<EveryField<UrgentOpening>[]> {
  checkDayOrder(query);
  const rows = await store.selectOpenings(database, {
    from: startOfDay(query.From),
    until: startOfDay(dayAfter(query.Until, 1)),
    agencies: administeredAgencies(caller),
  });
  const isReviewer = hasRole(caller, agencyAdministrators);
  const nameOf = (full_name: string, full_name_ar: string | null) =>
    localizePersonName({ full_name, full_name_ar }, language);
  return rows.map((row) => ({
    openingId: row.id,
    requestNumber: row.number,
    serviceName: localize(row.service_name, language),
    agencyName: localize(row.agency_name, language),
    applicantName: row.applicant_name,
    readerName: nameOf(row.reader_name, row.reader_name_ar),
    username: row.username,
    reason: row.reason,
    reasonText: row.reason_text,
    at: row.opened_at.toISOString(),
    until: row.until.toISOString(),
    finding: row.finding ?? undefined,
    findingText: row.finding_text ?? undefined,
    reviewedBy:
      row.reviewer_name === null ? undefined : nameOf(row.reviewer_name, row.reviewer_name_ar),
    reviewedAt: row.reviewed_at?.toISOString(),
    mayReview: isReviewer && row.reviewed_at === null && row.reader_id !== caller.userId,
  }));
}

/**
 * Records what a review found. Throws NotFound, NotOnOwnReading for what the caller opened, and
 * RecordHasChanged where somebody has reviewed it.
 */
export async function reviewOpening(
  { database }: { database: Database },
  caller: Caller,
  { openingId, finding, findingText }: BodyOf<typeof reviewUrgentOpening>,
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const readerId = await store.findReader(transaction, openingId);
    if (readerId === undefined) throw new Refusal('NotFound');
    // guard: review of an own urgent reading (urgent-reading)
    if (readerId === caller.userId) throw new Refusal('NotOnOwnReading');
    const review = { openingId, finding, findingText, by: caller.userId };
    if (!(await store.insertReview(transaction, review))) throw new Refusal('RecordHasChanged');
  });
}
