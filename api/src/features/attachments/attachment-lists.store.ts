import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { AttachmentState, ScanState } from '@diwan/contract/requests/attachments';
import type { Database } from '../../platform/database/database.ts';
import { foundBy, holds, type ListPage } from '../../platform/database/keyword-search.ts';

export interface ListedAttachment {
  id: string;
  file_name: string;
  media_type: string;
  size: number;
  state: AttachmentState;
  scan_state: ScanState;
  request_number: string | null;
  owner_name: string;
  created_at: Date;
}

export interface AttachmentList extends ListPage {
  state: AttachmentState | undefined;
}

const conditions: Record<AttachmentState, RawBuilder<SqlBool>> = {
  announced: sql`attachments.uploaded_at is null`,
  unused: sql`(attachments.uploaded_at is not null and attachments.request_id is null)`,
  result: sql`(attachments.uploaded_at is not null and attachments.request_id is not null and attachments.is_result)`,
  viewed: sql`(attachments.uploaded_at is not null and attachments.request_id is not null and not attachments.is_result and attachments.viewed_at is not null)`,
  attached: sql`(attachments.uploaded_at is not null and attachments.request_id is not null and not attachments.is_result and attachments.viewed_at is null)`,
};
const state = sql<AttachmentState>`case when ${conditions.announced} then 'announced' when ${conditions.unused} then 'unused' when ${conditions.result} then 'result' when ${conditions.viewed} then 'viewed' else 'attached' end`;

// By the name of the file, by what its request is found by, or by who sent it: each has an index of
// its own.
function wanted({
  keyword,
  state: only,
}: Pick<AttachmentList, 'keyword' | 'state'>): RawBuilder<SqlBool> {
  const byText = foundBy(
    keyword,
    (pattern) => sql`attachments.id in (
    select a.id from attachments a where ${holds(sql`fold_text(a.file_name)`, pattern)}
    union all select a.id from requests r join attachments a on a.request_id = r.id where ${holds(sql`r.search_text`, pattern)}
    union all select a.id from users u join attachments a on a.user_id = u.id where ${holds(sql`fold_text(u.username || ' ' || u.full_name || ' ' || u.email || ' ' || u.phone_number)`, pattern)})`,
  );
  return only === undefined ? byText : sql`(${conditions[only]} and ${byText})`;
}

export async function selectAttachments(
  database: Database,
  list: AttachmentList,
): Promise<ListedAttachment[]> {
  const { rows } = await sql<ListedAttachment>`
    select attachments.id, attachments.file_name, attachments.media_type, attachments.size, ${state} as state, attachments.scan_state, requests.number as request_number, users.full_name as owner_name, attachments.created_at
    from attachments join users on users.id = attachments.user_id left join requests on requests.id = attachments.request_id
    where ${wanted(list)} order by attachments.created_at desc, attachments.id desc limit ${list.take} offset ${(list.pageNumber - 1) * list.take}`.execute(
    database,
  );
  return rows;
}

export async function countAttachments(
  database: Database,
  list: Pick<AttachmentList, 'keyword' | 'state'>,
): Promise<number> {
  return (
    await database
      .selectFrom('attachments')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where(wanted(list))
      .executeTakeFirstOrThrow()
  ).count;
}
