import type { Insertable, SqlBool } from 'kysely';
import type { AgencyScope, TeamsOfAgency } from '#platform/auth/caller.ts';
import type { Database } from '#platform/database/database.ts';
import type { Tables } from '#platform/database/schema.generated.ts';
import { type Sql, sql } from '#platform/database/sql.ts';
import type {
  ReaderKind,
  ReadReason,
  RecordedReason,
  unusualReads,
} from '@diwan/contract/staff/access-log';
import type { LocalizedText } from '@diwan/contract/wire/languages';
import type { VisibilityCondition } from '../model/requests.store.ts';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'request_reads.office': LocalizedText;
    'request_reads.reader_kind': ReaderKind;
    'request_reads.reason': RecordedReason | null;
  }
}

type Reader = Pick<
  Insertable<Tables['request_reads']>,
  'reader_id' | 'reader_name' | 'reader_kind'
>;

/** A reader, and the requests that they may see. */
export interface Access {
  reader: Reader;
  /** The partner of the reader, whose name is recorded as the office. */
  partnerId: number | null;
  visible: VisibilityCondition;
  /** For how long a repeated access is not recorded again. */
  minutes: number;
  /** Which requests are work of the reader; others need a reason. */
  isWork: Sql<SqlBool>;
}

/**
 * The requests in one of the statuses, without those of an agency that are not of the reader's teams
 * there; those with money to give back, and those of a company.
 */
export const workWhere = (of: {
  statusIds: readonly number[];
  teams: readonly Pick<TeamsOfAgency, 'agencyId' | 'serviceIds'>[];
  isRefundable: boolean;
  companyId: number | null;
}): Sql<SqlBool> => sql`(
    requests.status_id = any(${[...of.statusIds]}::int[])
      ${sql.join(
        of.teams.map(
          ({ agencyId, serviceIds }) => sql`
            and (
              requests.agency_id <> ${agencyId}
              or requests.service_id = any(${[...serviceIds]}::int[])
            )`,
        ),
        ' ',
      )}
    or ${of.isRefundable} and requests.refundable > requests.refunded
    or coalesce(requests.company_id = ${of.companyId}::int, false)
  )`;

/** For how long after an access, or a reason, the reader may open the request again. */
const openMinutes = 60;

/** Whether the reader must say why they open the request. The outer query has the request. */
export const reasonIsMissing = ({ reader, isWork }: Access): Sql<SqlBool> => sql`(
    requests.user_id <> ${reader.reader_id}::uuid
    and requests.holder_id is distinct from ${reader.reader_id}::uuid
    and not ${isWork}
    and not exists (
      select
      from request_reads earlier
      where earlier.reader_id = ${reader.reader_id}::uuid
        and earlier.request_id = requests.id
        and earlier.at > now() - make_interval(mins => ${openMinutes})
    )
  )`;

const insertRead = (
  { reader, partnerId }: Access,
  {
    attachmentId,
    reason,
    text,
  }: { attachmentId?: string | null; reason?: RecordedReason; text?: string },
) => {
  const { reader_id, reader_name, reader_kind } = reader;
  return sql`
    insert into request_reads
      (request_id, attachment_id, reader_id, reader_name, reader_kind, office, reason, reason_text)
    select
      requests.id, ${attachmentId ?? null}::uuid, ${reader_id}::uuid, ${reader_name}, ${reader_kind},
      (select partners.name from partners where partners.id = ${partnerId}::int),
      ${reason ?? null}::text, ${text ?? ''}
    from requests`;
};

/**
 * The write that records an access to a request that the reader may see and did not send, unless the
 * reader accessed the same within `minutes`. Without `isAct` it records nothing where a reason is
 * missing.
 */
export function accessInsert(
  requestId: number,
  attachmentId: string | null,
  access: Access,
  isAct = false,
): Sql<unknown> {
  const { reader, visible, minutes } = access;
  return sql`
    ${insertRead(access, { attachmentId })}
    where requests.id = ${requestId}
      and ${visible}
      and requests.user_id <> ${reader.reader_id}::uuid
      ${isAct ? sql`` : sql`and not ${reasonIsMissing(access)}`}
      and not exists (
        select
        from request_reads same
        where same.reader_id = ${reader.reader_id}::uuid
          and same.request_id = ${requestId}
          and same.attachment_id is not distinct from ${attachmentId}::uuid
          and same.at > now() - make_interval(mins => ${minutes})
      )
  `;
}

/** Records why a reader opens a request that they may see. Returns whether they may see it. */
export async function insertReason(
  database: Database,
  requestId: number,
  access: Access,
  given: { reason: ReadReason; text: string; number: string | undefined },
): Promise<boolean> {
  const { reason, text, number } = given;
  const { rows } = await sql`
    ${insertRead(access, { reason, text })}
    where requests.id = ${requestId}
      and ${access.visible}
      ${number === undefined ? sql`` : sql`and requests.number = ${number}`}
    returning id`.execute(database);
  return rows.length > 0;
}

/** Records that a reader opens a request by the urgent right, which is the reason. */
export async function insertUrgentRead(
  database: Database,
  requestId: number,
  access: Access,
  text: string,
): Promise<void> {
  await sql`
    ${insertRead(access, { reason: 'urgent', text })}
    where requests.id = ${requestId}`.execute(database);
}

/** Records an access, and says whether a reason is missing instead; `undefined` for no such request. */
export async function insertAccess(
  database: Database,
  requestId: number,
  attachmentId: string | null,
  access: Access,
): Promise<boolean | undefined> {
  const { rows } = await sql<{ is_missing: boolean }>`
    with access as (${accessInsert(requestId, attachmentId, access)})
    select ${reasonIsMissing(access)} as is_missing
    from requests
    where requests.id = ${requestId} and ${access.visible}`.execute(database);
  return rows[0]?.is_missing;
}

/** The latest 500 accesses to a request, newest first. */
export function selectAccesses(database: Database, requestId: number) {
  return database
    .selectFrom('request_reads')
    .leftJoin('attachments', 'attachments.id', 'request_reads.attachment_id')
    .leftJoin('users', 'users.id', 'request_reads.reader_id')
    .select([
      'request_reads.at',
      'request_reads.reader_kind',
      'request_reads.office',
      'request_reads.reader_name as full_name',
      'users.full_name_ar',
      'request_reads.attachment_id',
      'request_reads.reason',
      'request_reads.reason_text',
      'attachments.file_name',
    ])
    .where('request_reads.request_id', '=', requestId)
    .orderBy('request_reads.id', 'desc')
    .limit(500)
    .execute();
}

interface UnusualReaderRow {
  day: string;
  reader_kind: ReaderKind;
  full_name: string;
  full_name_ar: string | null;
  username: string | null;
  records: number;
  an_hour: number;
  explained_an_hour: number;
  of_one_person: number;
  person_name: string | null;
}

/** Readers who opened more records than `limits` on a day of a time; 500 at most. */
export async function selectUnusualReaders(
  database: Database,
  { from, until, agencies }: { from: Date; until: Date; agencies: AgencyScope },
  limits: typeof unusualReads,
): Promise<UnusualReaderRow[]> {
  const { rows } = await sql<UnusualReaderRow>`
    with records as (
      select
        request_reads.reader_id, request_reads.reader_kind, request_reads.reader_name, at, request_id,
        applicant_name,
        count(*) over an_hour as an_hour,
        count(reason) over an_hour as explained_an_hour,
        count(reason) over of_one_person as of_one_person
      from request_reads
      join requests on requests.id = request_reads.request_id
      where at >= ${from} and at < ${until} and attachment_id is null
        -- guard: readers of records of another agency (agency-administration) => true
        and ${agencies === 'all' ? sql`true` : sql`requests.agency_id = any(${[...agencies]}::int[])`}
      window
        an_hour as (
          partition by request_reads.reader_id order by at
          range between interval '1 hour' preceding and current row
        ),
        of_one_person as (
          partition by request_reads.reader_id, requests.user_id order by at
          range between interval '1 day' preceding and current row
        )
    ), days as (
      select
        reader_id, to_char(at at time zone 'Asia/Dubai', 'YYYY-MM-DD') as day,
        max(reader_kind) as reader_kind, max(reader_name) as full_name,
        count(distinct request_id)::int as records, max(an_hour)::int as an_hour,
        max(explained_an_hour)::int as explained_an_hour, max(of_one_person)::int as of_one_person,
        (array_agg(applicant_name order by of_one_person desc))[1] as person_name
      from records
      group by reader_id, day
    )
    select days.*, users.username, users.full_name_ar
    from days
    join users on users.id = reader_id
    where an_hour >= ${limits.anHour}
      or explained_an_hour >= ${limits.explainedAnHour}
      or of_one_person >= ${limits.ofOnePerson}
    order by day desc, records desc, username
    limit 500`.execute(database);
  return rows;
}
