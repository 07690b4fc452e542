import type { Insertable } from 'kysely';
import type { AgencyScope } from '#platform/auth/caller.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import type { Tables } from '#platform/database/schema.generated.ts';
import { type Sql, sql } from '#platform/database/sql.ts';
import type { ComplaintState, ComplaintSubject } from '@diwan/contract/content/complaints';
import type { Language, LocalizedText } from '@diwan/contract/wire/languages';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'complaints.language': Language;
    'complaints.state': ComplaintState;
    'complaints.subject': ComplaintSubject;
  }
}

export async function insertComplaint(
  transaction: Transaction,
  row: Insertable<Tables['complaints']>,
): Promise<void> {
  await transaction.insertInto('complaints').values(row).execute();
}

/** A complaint with its answers, the oldest first. */
export interface ComplaintRow {
  id: number;
  reference: string;
  subject: ComplaintSubject;
  service_name: LocalizedText | null;
  agency_name: LocalizedText | null;
  request_number: string;
  body: string;
  full_name: string;
  email: string;
  state: ComplaintState;
  version: number;
  answer_by: string;
  created_at: Date;
  answers: { text: string; at: string }[];
}

const selectComplaints = (where: Sql<boolean>, rest: Sql) => sql<ComplaintRow>`
  select
    complaints.id, complaints.reference, complaints.subject, services.name as service_name,
    agencies.name as agency_name, complaints.request_number, complaints.body,
    complaints.full_name, complaints.email, complaints.state, complaints.version,
    to_char(complaints.answer_by, 'YYYY-MM-DD') as answer_by, complaints.created_at,
    coalesce(
      (
        select jsonb_agg(jsonb_build_object('text', answer.body, 'at', answered_at) order by answer.id)
        from complaint_answers answer
        where answer.complaint_id = complaints.id
      ),
      '[]'
    ) as answers
  from complaints
  left join services on services.id = complaints.service_id
  left join agencies on agencies.id = complaints.agency_id
  where ${where}
  ${rest}`;

/** The complaint with this reference and this address of its sender. */
export async function findByReference(
  database: Database,
  { reference, email }: { reference: string; email: string },
): Promise<ComplaintRow | undefined> {
  const { rows } = await selectComplaints(
    sql<boolean>`complaints.reference = ${reference}
      -- guard: address of the sender of a complaint (complaints)
      and lower(complaints.email) = lower(${email})`,
    sql``,
  ).execute(database);
  return rows[0];
}

/** The latest 100 of a user. */
export async function selectOwn(database: Database, userId: string): Promise<ComplaintRow[]> {
  const { rows } = await selectComplaints(
    sql<boolean>`
      -- guard: complaints of others (complaints) => true
      complaints.user_id = ${userId}`,
    sql`
      order by complaints.id desc
      limit 100`,
  ).execute(database);
  return rows;
}

/** One page of the complaints of some agencies or of all, with the number of all. */
export async function selectPage(
  database: Database,
  {
    agencies,
    state,
    page,
    size,
  }: { agencies: AgencyScope; state: ComplaintState | undefined; page: number; size: number },
): Promise<{ rows: ComplaintRow[]; total: number }> {
  const where = sql<boolean>`
    -- guard: complaints of another agency (complaints) => true
    ${agencies === 'all' ? sql`true` : sql`complaints.agency_id = any(${[...agencies]}::int[])`}
    and ${state === undefined ? sql`true` : sql`complaints.state = ${state}`}`;
  const [{ rows }, counted] = await Promise.all([
    selectComplaints(
      where,
      sql`
        order by
          complaints.state = 'closed',
          case when complaints.state <> 'closed' then complaints.answer_by end,
          complaints.id desc
        limit ${size}
        offset ${(page - 1) * size}`,
    ).execute(database),
    sql<{ total: number }>`
      select count(*)::int as total
      from complaints
      where ${where}`.execute(database),
  ]);
  return { rows, total: counted.rows[0]?.total ?? 0 };
}

/** Locks a complaint that is to be answered. */
export const lockComplaint = (transaction: Transaction, id: number) =>
  transaction
    .selectFrom('complaints')
    .select(['id', 'reference', 'email', 'language', 'user_id', 'state', 'version'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

/** Stores an answer and the state after it. */
export async function insertAnswer(
  transaction: Transaction,
  { id, text, by, isClosed }: { id: number; text: string; by: string; isClosed: boolean },
): Promise<void> {
  await transaction
    .insertInto('complaint_answers')
    .values({ complaint_id: id, body: text, answered_by: by })
    .execute();
  await transaction
    .updateTable('complaints')
    .set({
      state: isClosed ? 'closed' : 'answered',
      closed_at: isClosed ? new Date() : null,
      version: sql`version + 1`,
    })
    .where('id', '=', id)
    .execute();
}

/** Deletes complaints that were closed more than so many days ago, with their answers. */
export async function deleteClosed(database: Database, days: number): Promise<void> {
  await sql`
    delete from complaints
    where closed_at < now() - make_interval(days => ${days})`.execute(database);
}
