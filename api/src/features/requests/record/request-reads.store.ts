import { sql, type Insertable } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import type { Tables } from '../../../platform/database/database-types.ts';
import type { Visible } from '../model/visibility.store.ts';

type Reader = Pick<
  Insertable<Tables['request_reads']>,
  'reader_id' | 'reader_name' | 'reader_kind'
>;

/**
 * Notes a look at a request that is not the reader's own, unless the same one was noted within
 * `minutes`. What the reader may not see is no look.
 */
export async function insertRead(
  database: Database,
  requestId: number,
  attachmentId: string | null,
  {
    reader,
    partnerId,
    visible,
    minutes,
  }: { reader: Reader; partnerId: number | null; visible: Visible; minutes: number },
): Promise<void> {
  await sql`
    insert into request_reads (request_id, attachment_id, reader_id, reader_name, reader_kind, office)
    select requests.id, ${attachmentId}::uuid, ${reader.reader_id}::uuid, ${reader.reader_name}, ${reader.reader_kind}, (select partners.name from partners where partners.id = ${partnerId}::int)
    from requests where requests.id = ${requestId} and ${visible} and requests.user_id <> ${reader.reader_id}::uuid
      and not exists (
        select from request_reads same where same.reader_id = ${reader.reader_id}::uuid and same.request_id = requests.id and same.attachment_id is not distinct from ${attachmentId}::uuid
          and same.at > now() - make_interval(mins => ${minutes}))`.execute(database);
}

export function selectReads(database: Database, requestId: number) {
  return database
    .selectFrom('request_reads')
    .leftJoin('attachments', 'attachments.id', 'request_reads.attachment_id')
    .select([
      'request_reads.at',
      'request_reads.reader_kind',
      'request_reads.office',
      'request_reads.reader_name',
      'request_reads.attachment_id',
      'attachments.file_name',
    ])
    .where('request_reads.request_id', '=', requestId)
    .orderBy('request_reads.id', 'desc')
    .limit(500)
    .execute();
}
