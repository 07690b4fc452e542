import type { Insertable } from 'kysely';
import type { Database } from '#platform/database/database.ts';
import type { Tables } from '#platform/database/schema.generated.ts';
import { type Sql, sql } from '#platform/database/sql.ts';
import type { ReaderKind } from '@diwan/contract/requests/requests';
import type { LocalizedText } from '@diwan/contract/wire/languages';
import type { VisibilityCondition } from '../model/requests.store.ts';

declare module '#platform/database/columns.ts' {
  interface ColumnTypes {
    'request_reads.office': LocalizedText;
    'request_reads.reader_kind': ReaderKind;
  }
}

type Reader = Pick<
  Insertable<Tables['request_reads']>,
  'reader_id' | 'reader_name' | 'reader_kind'
>;

interface Access {
  reader: Reader;
  /** The partner of the reader, whose name is recorded as the office. */
  partnerId: number | null;
  visible: VisibilityCondition;
  minutes: number;
}

/**
 * The write that records an access to a request that the reader may see and did not send, unless the
 * reader accessed the same within `minutes`.
 */
export function accessInsert(
  requestId: number,
  attachmentId: string | null,
  { reader, partnerId, visible, minutes }: Access,
): Sql<unknown> {
  const { reader_id, reader_name, reader_kind } = reader;
  return sql`
    insert into request_reads
      (request_id, attachment_id, reader_id, reader_name, reader_kind, office)
    select
      requests.id, ${attachmentId}::uuid, ${reader_id}::uuid, ${reader_name}, ${reader_kind},
      (select partners.name from partners where partners.id = ${partnerId}::int)
    from requests
    where requests.id = ${requestId}
      and ${visible}
      and requests.user_id <> ${reader_id}::uuid
      and not exists (
        select
        from request_reads same
        where same.reader_id = ${reader_id}::uuid
          and same.request_id = ${requestId}
          and same.attachment_id is not distinct from ${attachmentId}::uuid
          and same.at > now() - make_interval(mins => ${minutes})
      )
  `;
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
      'attachments.file_name',
    ])
    .where('request_reads.request_id', '=', requestId)
    .orderBy('request_reads.id', 'desc')
    .limit(500)
    .execute();
}
