import type { SqlBool, Updateable } from 'kysely';
import type { Database, Transaction } from '#platform/database/database.ts';
import type { Tables } from '#platform/database/schema.generated.ts';
import {
  columnsOf,
  selectList,
  sql,
  updateRow,
  type RowsOf,
  type Sql,
} from '#platform/database/sql.ts';
import type { LocalizedQuote, WithdrawalRule } from '@diwan/contract/catalogue/fees';
import type { AttachmentRule, ServiceForm, Answers } from '@diwan/contract/forms/forms';
import type { PartnerState } from '@diwan/contract/people/partner-states';
import type { RequestRecord } from '@diwan/contract/requests/requests';
import type { Language, LocalizedText } from '@diwan/contract/wire/languages';

/** For whom somebody acted: at a counter for a person, or for their company. */
export interface StoredActedFor {
  by: 'counter' | 'company';
  name: LocalizedText;
}

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'requests.acted_for': StoredActedFor;
    'requests.answers': Answers;
    'requests.evidence_rules': AttachmentRule[];
    'requests.hold_reason': LocalizedText;
    'requests.language': Language;
    'requests.quote': LocalizedQuote;
    'requests.special_consents': NonNullable<RequestRecord['specialConsents']> | null;
    'requests.withdrawal': WithdrawalRule | null;
  }
}

/** A condition on the table `requests`: which requests a caller may see. */
export type VisibilityCondition = Sql<SqlBool>;
/** Of which requests a list consists: those of a condition, or of these agencies. */
export type Visibility = VisibilityCondition | { agencyIds: readonly number[] };

// Statements that name their columns are prepared. The large columns are read where they are needed.
const requestColumns = columnsOf('requests', [
  'id',
  'number',
  'service_id',
  'agency_id',
  'partner_id',
  'user_id',
  'company_id',
  'workflow_id',
  'status_id',
  'version',
  'answers',
  'quote',
  'total',
  'applicant_name',
  'phone_number',
  'holder_id',
  'approver_id',
  'service_provider_request_number',
  'created_at',
  'updated_at',
  'payment_round',
  'paid_status_id',
  'language',
  'came_to_provider',
  'refundable',
  'refunded',
  'referral_code',
  'sent_by',
  'acted_for',
  'working_days',
  'calendar_id',
  'hold_reason',
  'hold_until',
  'promised_on',
  'due_on',
  'withdrawal',
  'objection_until',
  'fined_by',
  'special_consents',
]);
const columnsOfRequest = selectList(requestColumns);

/** A request without its form. */
export type RequestRow = RowsOf<typeof columnsOfRequest>;
/** The form and the attachment rules that a request began with. */
export interface RequestForm {
  form: ServiceForm;
  attachment_rules: AttachmentRule[];
}
export type RequestChanges = Updateable<Tables['requests']>;

/**
 * The names of a request's service and agency. They are read from the tables, because a service
 * that is removed from the catalogue keeps its requests.
 */
export interface ServiceNames {
  service_name: LocalizedText;
  agency_id: number;
  agency_name: LocalizedText;
  agency_logo: string;
}

const services = columnsOf('services', ['name', 'replaced_name']);
const agencies = columnsOf('agencies', ['name', 'logo']);
/** The Arabic name of the person who sent a request for others; the first entry of its history. */
export const senderNameAr = sql<string | null>`case
  when requests.sent_by is not null then (
    select sender.full_name_ar
    from request_history as sent
    join users as sender on sender.id = sent.actor_id
    where sent.request_id = requests.id
    order by sent.id
    limit 1
  )
end`;

/** A request with the columns of other tables that its record shows; see `visibleRequest`. */
export const visibleColumns = {
  ...requestColumns,
  partner_state: sql<PartnerState | null>`partners.state`,
  holder_name: sql<string | null>`holder.full_name`,
  holder_name_ar: sql<string | null>`holder.full_name_ar`,
  sent_by_ar: senderNameAr,
  service_name: services.name,
  replaced_name: services.replaced_name,
  agency_name: agencies.name,
  agency_logo: agencies.logo,
};
const columnsOfVisible = selectList(visibleColumns);
export type VisibleRequest = RowsOf<typeof columnsOfVisible>;

/** For reads that need no permission, such as those by a request number. */
export const visibleToEveryone: VisibilityCondition = sql`true`;
/** Requests of some agencies. */
const isOfAgencies = (ids: readonly number[]): VisibilityCondition =>
  // guard: request of another agency (agency-scope) => sql`true`
  sql`requests.agency_id = any(${ids}::int[])`;
/** Requests of an agency for these services. */
export const isOfTeams = (agencyId: number, serviceIds: readonly number[]): VisibilityCondition =>
  sql`(
        requests.agency_id = ${agencyId}
        -- guard: request of another team (team-scope)
        and requests.service_id = any(${[...serviceIds]}::int[])
      )`;
/** The other conditions of `visibilityConditions`; each is answered by its own index. */
export const isPersonal = (userId: string): VisibilityCondition =>
  sql`(
        -- guard: owner of a request (requests) => true
        requests.user_id = ${userId}
        -- guard: company of a request (requests, company-users, own-data)
        and requests.company_id is null
      )`;
export const isOfCompany = (companyId: number): VisibilityCondition =>
  // guard: request of another company (others-ids, own-data) => sql`requests.company_id is not null`
  sql`requests.company_id = ${companyId}`;
/** Requests that have reached a partner, without those of other conditions. */
export const hasReachedPartner = (
  partnerId: number,
  others: readonly VisibilityCondition[],
): VisibilityCondition => sql`(
        -- guard: request of another service provider (others-ids, own-data) => true
        requests.partner_id = ${partnerId}
        -- guard: request that has not come to the provider (request-lists, requests, own-data)
        and requests.came_to_provider
        ${sql.join(
          others.map((other) => sql`and not coalesce(${other}, false)`),
          ' ',
        )}
      )`;
/** The request is one that this session may read by the urgent right now. Decision 0154. */
export const isOpenedUrgently = (sessionId: string): VisibilityCondition => sql`exists (
        select
        from urgent_openings
        join users as urgent_reader on urgent_reader.id = urgent_openings.reader_id
        where urgent_openings.request_id = requests.id
          -- guard: session of the urgent right (urgent-reading) => and true
          and urgent_openings.session_id = ${sessionId}::uuid
          -- guard: end of the urgent right (urgent-reading) => and true
          and urgent_openings.until > now()
          -- guard: request that moved to another agency (urgent-reading) => and true
          and urgent_openings.agency_id = requests.agency_id
          -- guard: urgent right that was taken (urgent-reading) => and true
          and urgent_reader.reads_urgently
      )`;
/** Until when a request is open by the urgent right, where it is not in the scope of the caller. */
export const urgentlyOpenUntil = (
  sessionId: string,
  scope: VisibilityCondition,
): Sql<Date | null> => sql`case
        when not ${scope} then (
          select max(until)
          from urgent_openings
          where request_id = requests.id
            and session_id = ${sessionId}::uuid
        )
      end`;
export const conditionOf = (visibility: Visibility): VisibilityCondition =>
  'agencyIds' in visibility ? isOfAgencies(visibility.agencyIds) : visibility;

/** One of the conditions is true; without one, none is. */
export const isAnyTrue = (conditions: readonly VisibilityCondition[]): VisibilityCondition =>
  conditions.length > 0 ? sql`(${sql.join(conditions, ' or ')})` : sql`false`;

/** Locks a request that fits the condition, until the transaction ends. */
export async function lockVisible(
  transaction: Transaction,
  id: number,
  visible: VisibilityCondition,
): Promise<RequestRow | undefined> {
  const { rows } = await sql<RequestRow>`
    select ${columnsOfRequest}
    from requests
    where id = ${id} and ${visible}
    -- guard: lock of a request (conflict-errors)
    for update`.execute(transaction);
  return rows[0];
}

/** The attachment rules of a request; the statement joins `forms`. */
export const attachmentRules = sql<AttachmentRule[]>`
  (forms.attachment_rules || coalesce(requests.evidence_rules, '[]'))`;

export function getForm(database: Database | Transaction, id: number): Promise<RequestForm> {
  return database
    .selectFrom('requests')
    .innerJoin('forms', 'forms.id', 'form_id')
    .select(['forms.content as form', attachmentRules.as('attachment_rules')])
    .where('requests.id', '=', id)
    .executeTakeFirstOrThrow();
}

/** The query of a request that fits the condition. */
export const visibleRequest = <Row>(
  id: number,
  visible: VisibilityCondition,
  columns: Sql<Row>,
): Sql<Row> => sql<Row>`
    select ${columns}
    from requests
    join forms on forms.id = requests.form_id
    join services on services.id = requests.service_id
    join agencies on agencies.id = requests.agency_id
    left join partners on partners.id = requests.partner_id
    left join users as holder on holder.id = requests.holder_id
    where requests.id = ${id} and ${visible}`;

export async function findVisible(
  database: Database,
  id: number,
  visible: VisibilityCondition,
): Promise<VisibleRequest | undefined> {
  const { rows } = await visibleRequest(id, visible, columnsOfVisible).execute(database);
  return rows[0];
}

/** The language of the messages to the applicant. */
export const applicantLanguage = sql<Language>`coalesce(
  (select users.language from users where users.id = requests.user_id), requests.language, 'ar-EG')`;

/** Whether a completed request gets a certificate. */
export const issuesCertificate = sql<boolean>`exists(
  select
  from certificate_templates
  where certificate_templates.service_id = requests.service_id
    and is_active)`;

export async function findIdByNumber(
  database: Database,
  number: string,
  visible: VisibilityCondition,
): Promise<number | undefined> {
  return (
    await database
      .selectFrom('requests')
      .select('id')
      .where('number', '=', number)
      .where(visible)
      .executeTakeFirst()
  )?.id;
}

/** The request that a payment belongs to, by the payment's merchant reference. */
export async function findIdByReference(
  database: Database,
  merchantReference: string,
  visible: VisibilityCondition,
): Promise<number | undefined> {
  return (
    await database
      .selectFrom('payments')
      .innerJoin('requests', 'requests.id', 'payments.request_id')
      .select('requests.id')
      .where('payments.merchant_reference', '=', merchantReference)
      .where(visible)
      .executeTakeFirst()
  )?.id;
}

/** The id of the request that this transaction has inserted. */
export const insertedRequestId = sql<number>`currval('requests_id_seq')`;

/** The write that changes a request. */
export const requestUpdate = (id: number, changes: RequestChanges): Sql =>
  updateRow('requests', id, changes);

export async function updateRequest(
  transaction: Transaction,
  id: number,
  changes: RequestChanges,
): Promise<void> {
  await requestUpdate(id, changes).execute(transaction);
}

/** The paid amount of a request, in fils. */
export async function sumPaid(
  database: Database | Transaction,
  requestId: number,
): Promise<number> {
  const { paid } = await database
    .selectFrom('payments')
    .select(sql<number>`coalesce(sum(amount), 0)::bigint`.as('paid'))
    .where('request_id', '=', requestId)
    .where('status', '=', 'paid')
    .executeTakeFirstOrThrow();
  return paid;
}

/** The amount that was paid beyond what was due, as a value. */
export const overpaidOf = (requestId: number) => sql`
  select coalesce(sum(amount), 0)::bigint
  from payments
  where request_id = ${requestId}
    and status <> 'paid'
    and exists (
      select
      from payment_events
      where payment_id = payments.id
        and kind = 'paid'
        and payment_events.amount = payments.amount
        and payment_events.currency = payments.currency
    )`;

/**
 * The amount that the provider reports as paid beyond what was due, in fils. Such payments are not
 * booked as paid.
 */
export async function sumOverpaid(
  database: Transaction | Database,
  requestId: number,
): Promise<number> {
  const { rows } = await sql<{ surplus: number }>`
    select (${overpaidOf(requestId)}) as surplus`.execute(database);
  return rows[0]?.surplus ?? 0;
}
