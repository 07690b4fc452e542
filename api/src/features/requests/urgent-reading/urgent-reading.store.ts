import type { AgencyScope } from '#platform/auth/caller.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { type Sql, sql } from '#platform/database/sql.ts';
import {
  urgentMinutes,
  type UrgentFinding,
  type UrgentReason,
} from '@diwan/contract/staff/urgent-reading';
import type { Language, LocalizedText } from '@diwan/contract/wire/languages';
import type { VisibilityCondition } from '../model/requests.store.ts';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'urgent_openings.reason': UrgentReason;
    'urgent_reviews.finding': UrgentFinding;
  }
}

/** Locks an account against a change of its rights. Returns whether it has the urgent right. */
export async function lockUrgentRight(transaction: Transaction, userId: string): Promise<boolean> {
  const row = await transaction
    .selectFrom('users')
    .select('reads_urgently')
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  return row?.reads_urgently ?? false;
}

/** Locks the request with this number against a move. `isInScope`: whether `scope` holds for it. */
export async function lockByNumber(
  transaction: Transaction,
  number: string,
  scope: VisibilityCondition,
): Promise<{ id: number; agencyId: number; isInScope: boolean } | undefined> {
  const { rows } = await sql<{ id: number; agencyId: number; isInScope: boolean }>`
    select id, agency_id as "agencyId", coalesce(${scope}, false) as "isInScope"
    from requests
    where number = ${number}
    for share`.execute(transaction);
  return rows[0];
}

/** Until when the request is open for this session already. */
export async function findOpenUntil(
  transaction: Transaction,
  { requestId, agencyId, sessionId }: { requestId: number; agencyId: number; sessionId: string },
): Promise<Date | undefined> {
  const row = await transaction
    .selectFrom('urgent_openings')
    .select('until')
    .where('request_id', '=', requestId)
    .where('agency_id', '=', agencyId)
    .where('session_id', '=', sessionId)
    .where('until', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return row?.until;
}

interface NewOpening {
  requestId: number;
  agencyId: number;
  readerId: string;
  sessionId: string;
  reason: UrgentReason;
  reasonText: string;
}

/** Stores an opening, and returns its end. */
export async function insertOpening(transaction: Transaction, opening: NewOpening): Promise<Date> {
  const { until } = await transaction
    .insertInto('urgent_openings')
    .values({
      request_id: opening.requestId,
      agency_id: opening.agencyId,
      reader_id: opening.readerId,
      session_id: opening.sessionId,
      reason: opening.reason,
      reason_text: opening.reasonText,
      until: sql<Date>`now() + make_interval(mins => ${urgentMinutes})`,
    })
    .returning('until')
    .executeTakeFirstOrThrow();
  return until;
}

/** An administrator who is notified of an opening. */
interface NotifiedAdministrator {
  id: string;
  email: string;
  language: Language | null;
}

/** The administrators of the portal and of an agency who have a verified address. */
export async function selectAdministrators(
  transaction: Transaction,
  agencyId: number,
): Promise<NotifiedAdministrator[]> {
  const { rows } = await sql<NotifiedAdministrator>`
    select id, email, language
    from users
    where suspended_at is null
      and email_verified_at is not null
      and email <> ''
      and (
        'Admin' = any(roles)
        or 'AgencyAdmin' = any(roles) and exists (
          select
          from staff_agencies
          where user_id = users.id
            and agency_id = ${agencyId}
        )
      )
    order by id`.execute(transaction);
  return rows;
}

interface OpeningRow {
  id: number;
  number: string;
  service_name: LocalizedText;
  agency_name: LocalizedText;
  applicant_name: string;
  reader_id: string;
  reader_name: string;
  reader_name_ar: string | null;
  username: string;
  reason: UrgentReason;
  reason_text: string;
  opened_at: Date;
  until: Date;
  finding: UrgentFinding | null;
  finding_text: string | null;
  reviewer_name: string | null;
  reviewer_name_ar: string | null;
  reviewed_at: Date | null;
}

const isOf = (agencies: AgencyScope): Sql<boolean> =>
  agencies === 'all' ? sql`true` : sql`urgent_openings.agency_id = any(${[...agencies]}::int[])`;

/** Openings that wait for a review, then those of a time, newest first; 500 at most. */
export async function selectOpenings(
  database: Database,
  { from, until, agencies }: { from: Date; until: Date; agencies: AgencyScope },
): Promise<OpeningRow[]> {
  const { rows } = await sql<OpeningRow>`
    select
      urgent_openings.id, requests.number, services.name as service_name,
      agencies.name as agency_name, requests.applicant_name, reader.id as reader_id,
      reader.full_name as reader_name, reader.full_name_ar as reader_name_ar, reader.username,
      urgent_openings.reason, urgent_openings.reason_text, opened_at, urgent_openings.until,
      finding, finding_text, reviewer.full_name as reviewer_name,
      reviewer.full_name_ar as reviewer_name_ar, reviewed_at
    from urgent_openings
    join requests on requests.id = urgent_openings.request_id
    join services on services.id = requests.service_id
    join agencies on agencies.id = urgent_openings.agency_id
    join users reader on reader.id = urgent_openings.reader_id
    left join urgent_reviews on urgent_reviews.opening_id = urgent_openings.id
    left join users reviewer on reviewer.id = urgent_reviews.reviewed_by
    -- guard: urgent readings of another agency (urgent-reading) => where true
    where ${isOf(agencies)}
      and (reviewed_at is null or opened_at >= ${from} and opened_at < ${until})
    order by reviewed_at is null desc, urgent_openings.id desc
    limit 500`.execute(database);
  return rows;
}

/** Who opened; undefined without such an opening. */
export async function findReader(
  transaction: Transaction,
  openingId: number,
): Promise<string | undefined> {
  const row = await transaction
    .selectFrom('urgent_openings')
    .select('reader_id')
    .where('id', '=', openingId)
    .executeTakeFirst();
  return row?.reader_id;
}

/** Stores a finding. Returns `false` where there is one already. */
export async function insertReview(
  transaction: Transaction,
  review: { openingId: number; finding: UrgentFinding; findingText: string; by: string },
): Promise<boolean> {
  const row = await transaction
    .insertInto('urgent_reviews')
    .values({
      opening_id: review.openingId,
      finding: review.finding,
      finding_text: review.findingText,
      reviewed_by: review.by,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('opening_id')
    .executeTakeFirst();
  return row !== undefined;
}
