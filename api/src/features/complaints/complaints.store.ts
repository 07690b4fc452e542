import type { Insertable, Selectable } from 'kysely';
import type { AgencyScope } from '#platform/auth/caller.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import type { Tables } from '#platform/database/schema.generated.ts';
import { type Sql, sql } from '#platform/database/sql.ts';
import { unsentFileStore, uploadedFileStore } from '#platform/files/uploaded-file.store.ts';
import type { ComplaintDocument } from '@diwan/contract/content/complaint-documents';
import type { ComplaintState, ComplaintSubject } from '@diwan/contract/content/complaints';
import type { Language, LocalizedText } from '@diwan/contract/wire/languages';
import type { ScanState } from '@diwan/contract/wire/uploads';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'complaint_documents.scan_state': ScanState;
    'complaints.language': Language;
    'complaints.state': ComplaintState;
    'complaints.subject': ComplaintSubject;
  }
}

/** A file of a complaint or of an answer, or one that was not sent with any yet. */
export type DocumentRow = Selectable<Tables['complaint_documents']>;

export const uploads = uploadedFileStore('complaint_documents');
export const unsent = unsentFileStore('complaint_documents');

/** Stores a complaint and returns its id. */
export async function insertComplaint(
  transaction: Transaction,
  row: Insertable<Tables['complaints']>,
): Promise<number> {
  const { id } = await transaction
    .insertInto('complaints')
    .values(row)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
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
  documents: ComplaintDocument[];
  answers: { text: string; at: string; documents: ComplaintDocument[] }[];
}

const documentsOf = (where: Sql) => sql`
  coalesce(
    (
      select jsonb_agg(
        jsonb_build_object(
          'documentId', document.id, 'fileName', file_name, 'mediaType', media_type,
          'size', size, 'scanState', scan_state
        )
        order by document.created_at, document.id
      )
      from complaint_documents document
      where ${where}
    ),
    '[]'
  )`;

const selectComplaints = (where: Sql<boolean>, rest: Sql) => sql<ComplaintRow>`
  select
    complaints.id, complaints.reference, complaints.subject, services.name as service_name,
    agencies.name as agency_name, complaints.request_number, complaints.body,
    complaints.full_name, complaints.email, complaints.state, complaints.version,
    to_char(complaints.answer_by, 'YYYY-MM-DD') as answer_by, complaints.created_at,
    coalesce(
      (
        select jsonb_agg(
          jsonb_build_object(
            'text', answer.body, 'at', answered_at,
            'documents', ${documentsOf(sql`document.answer_id = answer.id`)}
          )
          order by answer.id
        )
        from complaint_answers answer
        where answer.complaint_id = complaints.id
      ),
      '[]'
    ) as answers,
    ${documentsOf(sql`document.complaint_id = complaints.id and document.answer_id is null`)}
      as documents
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

interface Page {
  page: number;
  size: number;
}

async function selectPageWhere(
  database: Database,
  { page, size, order }: Page & { order: Sql },
  where: Sql<boolean>,
): Promise<{ rows: ComplaintRow[]; total: number }> {
  const [{ rows }, counted] = await Promise.all([
    selectComplaints(
      where,
      sql`
        order by ${order}
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

/** One page of those of a user, newest first, with the number of all. */
export const selectOwn = (database: Database, userId: string, page: Page) =>
  selectPageWhere(
    database,
    { ...page, order: sql`complaints.id desc` },
    sql<boolean>`
      -- guard: complaints of others (complaints) => true
      complaints.user_id = ${userId}`,
  );

const isOfAgencies = (agencies: AgencyScope) =>
  agencies === 'all'
    ? sql<boolean>`true`
    : sql<boolean>`complaints.agency_id = any(${[...agencies]}::int[])`;

/** One page of the complaints of some agencies or of all, with the number of all. */
export const selectPage = (
  database: Database,
  { agencies, state, ...page }: Page & { agencies: AgencyScope; state: ComplaintState | undefined },
) =>
  selectPageWhere(
    database,
    {
      ...page,
      order: sql`
        complaints.state = 'closed',
        case when complaints.state <> 'closed' then complaints.answer_by end,
        complaints.id desc`,
    },
    sql<boolean>`
      -- guard: complaints of another agency (complaints) => true
      ${isOfAgencies(agencies)}
      and ${state === undefined ? sql`true` : sql`complaints.state = ${state}`}`,
  );

/**
 * A file of a complaint that one of these may read: who sent the complaint, those who read complaints of
 * these agencies, and who names its reference with the address of its sender.
 */
export async function findReadableDocument(
  database: Database,
  id: string,
  reader: {
    userId: string | null;
    agencies: AgencyScope;
    reference: string;
    email: string;
  },
): Promise<DocumentRow | undefined> {
  const { rows } = await sql<DocumentRow>`
    select complaint_documents.*
    from complaint_documents
    join complaints on complaints.id = complaint_documents.complaint_id
    where complaint_documents.id = ${id}
      and (
        complaints.user_id = ${reader.userId}
        or ${isOfAgencies(reader.agencies)}
        or (
          complaints.reference = ${reader.reference}
          -- guard: address of who opens a file of a complaint (complaint-documents)
          and lower(complaints.email) = lower(${reader.email})
        )
      )`.execute(database);
  return rows[0];
}

/** Sends files of a person with a complaint or with an answer to it. */
export async function sendDocuments(
  transaction: Transaction,
  documents: readonly DocumentRow[],
  sentWith: { complaint_id: number; answer_id?: number },
): Promise<void> {
  if (documents.length === 0) return;
  await transaction
    .updateTable('complaint_documents')
    .set(sentWith)
    .where(
      'id',
      'in',
      documents.map(({ id }) => id),
    )
    .execute();
}

/** Locks a complaint that is to be answered. */
export const lockComplaint = (transaction: Transaction, id: number) =>
  transaction
    .selectFrom('complaints')
    .select(['id', 'reference', 'email', 'language', 'user_id', 'state', 'version'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

/** Stores an answer and the state after it, and returns the id of the answer. */
export async function insertAnswer(
  transaction: Transaction,
  { id, text, by, isClosed }: { id: number; text: string; by: string; isClosed: boolean },
): Promise<number> {
  const answer = await transaction
    .insertInto('complaint_answers')
    .values({ complaint_id: id, body: text, answered_by: by })
    .returning('id')
    .executeTakeFirstOrThrow();
  await transaction
    .updateTable('complaints')
    .set({
      state: isClosed ? 'closed' : 'answered',
      closed_at: isClosed ? new Date() : null,
      version: sql`version + 1`,
    })
    .where('id', '=', id)
    .execute();
  return answer.id;
}

/**
 * Deletes complaints that were closed more than so many days ago, with their answers. Returns the ids of
 * their files, whose content is to be deleted.
 */
export async function deleteClosed(database: Database, days: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with ended as (
      delete from complaints
      where closed_at < now() - make_interval(days => ${days})
      returning id
    )
    select complaint_documents.id
    from complaint_documents
    join ended on ended.id = complaint_documents.complaint_id`.execute(database);
  return rows.map(({ id }) => id);
}
