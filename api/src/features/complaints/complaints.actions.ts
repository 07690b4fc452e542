import { randomInt } from 'node:crypto';
import { administeredAgencies } from '#platform/auth/agencies/agency-administration.ts';
import type { Caller } from '#platform/auth/caller.ts';
import { createTranslator } from '#platform/core/locale-texts.ts';
import { formatDay, localize } from '#platform/core/localize.ts';
import { Refusal, ValidationRefusal } from '#platform/core/refusals.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { enqueueMessages, type MessageOutbox } from '#platform/messages/message-outbox.ts';
import type {
  answerComplaint,
  Complaint,
  findComplaint,
  getComplaints,
  getMyComplaints,
  OwnComplaint,
  sendComplaint,
} from '@diwan/contract/content/complaints';
import { checkContacts } from '@diwan/contract/forms/contact-details';
import type { BodyOf, EveryField, QueryOf, ReplyOf } from '@diwan/contract/wire/call';
import { startOfDay } from '@diwan/contract/wire/days';
import type { Language } from '@diwan/contract/wire/languages';
import type { Calendars } from '../calendars/calendars.actions.ts';
import type { Catalogue } from '../services/services.actions.ts';
import { takeDocuments } from './complaint-documents.actions.ts';
import * as store from './complaints.store.ts';

/** What complaints need. */
export interface ComplaintsContext {
  database: Database;
  catalogue: Pick<Catalogue, 'findService'>;
  calendars: Pick<Calendars, 'current'>;
  outbox: Pick<MessageOutbox, 'wake'>;
  publicUrl: string;
  /** In how many working days a complaint is answered. */
  workingDays: number;
}

const t = createTranslator('complaints');
const isolate = (text: string) => `\u2068${text}\u2069`;

// Without letters and digits that look alike. Ten of them are 49 bits, which nobody guesses.
const letters = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';
const referenceLength = 10;
const makeReference = () =>
  `CP-${Array.from({ length: referenceLength }, () => letters[randomInt(letters.length)]).join('')}`;

type Recipient = Pick<Parameters<typeof enqueueMessages>[1], 'language' | 'recipient' | 'userId'>;

const enqueueMail = (
  transaction: Transaction,
  to: Recipient,
  name: 'received' | 'answered',
  values: Readonly<Record<string, string>>,
) =>
  enqueueMessages(transaction, {
    kind: 'complaint',
    channel: 'email',
    ...to,
    subject: t(`mail.${name}.subject`, to.language, values),
    body: t(`mail.${name}.text`, to.language, values),
  });

/** Stores a complaint and confirms it by mail. Throws ServiceNotFound and a ValidationRefusal. */
export async function send(
  context: ComplaintsContext,
  caller: Caller | undefined,
  {
    subject,
    serviceId,
    requestNumber,
    text,
    documentIds,
    ...contact
  }: BodyOf<typeof sendComplaint>,
  language: Language,
): Promise<ReplyOf<typeof sendComplaint>> {
  const { database, catalogue, calendars, publicUrl, workingDays } = context;
  const { values, issues } = checkContacts({ fullName: 'name', email: 'email' }, contact);
  if (subject === 'service' && serviceId === undefined)
    issues.push({ field: 'serviceId', code: 'required' });
  if (issues.length > 0) throw new ValidationRefusal(issues);
  const service = serviceId === undefined ? undefined : catalogue.findService(serviceId);
  if (serviceId !== undefined && !service) throw new Refusal('ServiceNotFound');
  const agencyId = service?.agency.id ?? null;
  const answerBy = calendars.current(agencyId).time.dueDay(new Date(), workingDays);
  const reference = makeReference();
  await inTransaction(database, async (transaction) => {
    const documents = await takeDocuments(transaction, caller, documentIds);
    const complaint_id = await store.insertComplaint(transaction, {
      reference,
      subject,
      service_id: serviceId ?? null,
      agency_id: agencyId,
      request_number: requestNumber,
      body: text,
      full_name: values.fullName,
      email: values.email,
      language,
      user_id: caller?.userId ?? null,
      answer_by: answerBy,
    });
    await store.sendDocuments(transaction, documents, { complaint_id });
    const to = { language, recipient: values.email, userId: caller?.userId };
    await enqueueMail(transaction, to, 'received', {
      reference: isolate(reference),
      day: formatDay(startOfDay(answerBy), language),
      link: `${publicUrl}/complaints`,
    });
  });
  context.outbox.wake();
  return { reference, answerBy };
}

const describeOwn = (row: store.ComplaintRow, language: Language): EveryField<OwnComplaint> => ({
  reference: row.reference,
  subject: row.subject,
  serviceName: row.service_name ? localize(row.service_name, language) : undefined,
  requestNumber: row.request_number,
  text: row.body,
  state: row.state,
  at: row.created_at.toISOString(),
  answerBy: row.answer_by,
  documents: row.documents,
  answers: row.answers.map((answer) => ({ ...answer, at: new Date(answer.at).toISOString() })),
});

/** The complaint with this reference and address. Throws ComplaintNotFound. */
export async function find(
  { database }: Pick<ComplaintsContext, 'database'>,
  { reference, email }: BodyOf<typeof findComplaint>,
  language: Language,
): Promise<OwnComplaint> {
  const row = await store.findByReference(database, {
    reference: reference.toUpperCase(),
    email,
  });
  if (!row) throw new Refusal('ComplaintNotFound');
  return describeOwn(row, language);
}

/** One page of what the caller has sent while signed in. */
export async function listOwn(
  { database }: Pick<ComplaintsContext, 'database'>,
  caller: Caller,
  { PageNumber, Take }: QueryOf<typeof getMyComplaints>,
  language: Language,
): Promise<ReplyOf<typeof getMyComplaints>> {
  const { rows, total } = await store.selectOwn(database, caller.userId, {
    page: PageNumber,
    size: Take,
  });
  return {
    items: rows.map((row) => describeOwn(row, language)),
    pageNumber: PageNumber,
    totalCount: total,
  };
}

/** One page of the complaints that the caller answers or reads. */
export async function list(
  { database }: Pick<ComplaintsContext, 'database'>,
  caller: Caller,
  { State, PageNumber, Take }: QueryOf<typeof getComplaints>,
  language: Language,
): Promise<ReplyOf<typeof getComplaints>> {
  const { rows, total } = await store.selectPage(database, {
    agencies: administeredAgencies(caller),
    state: State,
    page: PageNumber,
    size: Take,
  });
  const items = rows.map((row): EveryField<Complaint> => ({
    ...describeOwn(row, language),
    complaintId: row.id,
    version: row.version,
    agencyName: row.agency_name ? localize(row.agency_name, language) : undefined,
    fullName: row.full_name,
    email: row.email,
  }));
  return { items, pageNumber: PageNumber, totalCount: total };
}

/** Answers a complaint by mail. Throws ComplaintNotFound and RecordHasChanged. */
export async function answer(
  { database, outbox, publicUrl }: ComplaintsContext,
  caller: Caller,
  { complaintId, version, answer: text, isClosed, documentIds }: BodyOf<typeof answerComplaint>,
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const row = await store.lockComplaint(transaction, complaintId);
    if (!row) throw new Refusal('ComplaintNotFound');
    // guard: complaint that somebody else has answered (complaints)
    if (row.version !== version || row.state === 'closed') throw new Refusal('RecordHasChanged');
    const documents = await takeDocuments(transaction, caller, documentIds);
    const answer_id = await store.insertAnswer(transaction, {
      id: complaintId,
      text,
      by: caller.userId,
      isClosed,
    });
    await store.sendDocuments(transaction, documents, { complaint_id: complaintId, answer_id });
    const to = {
      language: row.language,
      recipient: row.email,
      userId: row.user_id ?? undefined,
    };
    await enqueueMail(transaction, to, 'answered', {
      reference: isolate(row.reference),
      answer:
        documents.length === 0
          ? text
          : `${text}\n\n${t('mail.files', row.language, { count: documents.length })}`,
      link: `${publicUrl}/complaints`,
    });
  });
  outbox.wake();
}
