import type { Expression, SqlBool } from 'kysely';
import type { Database } from '#platform/database/database.ts';
import {
  matchesKeyword,
  containsPattern,
  withoutSpaces,
  type ListPage,
} from '#platform/database/keyword-search.ts';
import { type Sql, sql } from '#platform/database/sql.ts';
import type { AttachmentState } from '@diwan/contract/requests/attachments';

interface AttachmentList extends ListPage {
  state: AttachmentState | undefined;
}

const conditions: Record<AttachmentState, Sql<SqlBool>> = {
  announced: sql`attachments.uploaded_at is null`,
  unused: sql`(attachments.uploaded_at is not null and attachments.request_id is null)`,
  result: sql`(
    attachments.uploaded_at is not null
    and attachments.request_id is not null
    and attachments.is_result
  )`,
  viewed: sql`(
    attachments.uploaded_at is not null
    and attachments.request_id is not null
    and not attachments.is_result
    and attachments.viewed_at is not null
  )`,
  attached: sql`(
    attachments.uploaded_at is not null
    and attachments.request_id is not null
    and not attachments.is_result
    and attachments.viewed_at is null
  )`,
};
const state = sql<AttachmentState>`case
  when ${conditions.announced} then 'announced'
  when ${conditions.unused} then 'unused'
  when ${conditions.result} then 'result'
  when ${conditions.viewed} then 'viewed'
  else 'attached'
end`;

// Searches by file name, request number or sender; each has its own index.
function wanted({
  keyword,
  state: only,
}: Pick<AttachmentList, 'keyword' | 'state'>): Expression<SqlBool> {
  const byText = matchesKeyword(
    keyword,
    (pattern) => sql`attachments.id in (
      select a.id
      from attachments a
      where ${containsPattern(sql`fold_text(a.file_name)`, pattern)}
      union all
      select a.id
      from requests r
      join attachments a on a.request_id = r.id
      where ${containsPattern(withoutSpaces(sql`r.search_text`), pattern)}
      union all
      select a.id
      from users u
      join attachments a on a.user_id = u.id
      where ${containsPattern(sql`u.search_text`, pattern)}
    )`,
  );
  return only === undefined ? byText : sql`(${conditions[only]} and ${byText})`;
}

export function selectAttachments(database: Database, list: AttachmentList) {
  return database
    .selectFrom('attachments')
    .innerJoin('users', 'users.id', 'attachments.user_id')
    .leftJoin('requests', 'requests.id', 'attachments.request_id')
    .select([
      'attachments.id',
      'attachments.file_name',
      'attachments.media_type',
      'attachments.size',
      state.as('state'),
      'attachments.scan_state',
      'requests.number as request_number',
      'users.full_name',
      'users.full_name_ar',
      'attachments.created_at',
    ])
    .where(wanted(list))
    .orderBy('attachments.created_at', 'desc')
    .orderBy('attachments.id', 'desc')
    .limit(list.take)
    .offset((list.pageNumber - 1) * list.take)
    .execute();
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
