import { expressionBuilder, type Expression, type SqlBool } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import {
  attachmentsOfRequest,
  type DescribedAttachment,
} from '#features/attachments/attachments.actions.ts';
import { certificateOf } from '#features/certificates/issued-certificates.actions.ts';
import { stepMessagesOf } from '#features/messages/messages.actions.ts';
import type { Database, QueryBuilder } from '#platform/database/database.ts';
import {
  columnsOf,
  combineWrites,
  selectList,
  sql,
  type RowsOf,
  type Sql,
} from '#platform/database/sql.ts';
import type { LegalPageName } from '@diwan/contract/content/legal-pages';
import { pendingActionOf } from '../model/pending-actions.store.ts';
import {
  applicantLanguage,
  attachmentRules,
  issuesCertificate,
  visibleColumns,
  visibleRequest,
  type VisibilityCondition,
} from '../model/requests.store.ts';
import { historyOf } from './request-history.store.ts';

// The outer query has the request.
const requestId = sql<number>`requests.id`;

const builder: QueryBuilder = expressionBuilder();
const paymentsOfRequest = builder
  .selectFrom('payments')
  .select(['merchant_reference', 'amount', 'status', 'created_at'])
  .where('request_id', '=', requestId)
  .orderBy('id');

// PostgreSQL writes the lists as JSON, and so their times as texts.
const history = jsonArrayFrom(historyOf(builder, requestId));
const payments = jsonArrayFrom(paymentsOfRequest);
const attachments = jsonArrayFrom(attachmentsOfRequest(builder, requestId));
const messages = jsonArrayFrom(stepMessagesOf(builder, requestId));
type RowOfJson<List> = List extends Expression<readonly (infer Row)[]> ? Row : never;

export type HistoryRow = RowOfJson<typeof history>;
export type PaymentRow = RowOfJson<typeof payments>;
type AttachmentRow = DescribedAttachment & { superseded_at: string | null };

/** The legal texts that a request was sent under: terms first. */
interface SentUnder {
  page: LegalPageName;
  id: number;
  published_at: string;
}
const sentUnder = jsonArrayFrom(
  builder
    .selectFrom('legal_page_versions')
    .select(['page', 'id', 'published_at'])
    .where('id', 'in', sql<number>`(requests.terms_version_id, requests.privacy_version_id)`)
    .orderBy('page', 'desc'),
);

// Built once: building it takes as long as sending it.
const columns = selectList({
  ...visibleColumns,
  form: columnsOf('forms', ['content']).content,
  attachment_rules: attachmentRules,
  ...columnsOf('services', ['issues_document']),
  issues_certificate: issuesCertificate,
  certificate: certificateOf(sql`requests.id`),
  applicant_language: applicantLanguage,
  pending: pendingActionOf(requestId),
  history,
  payments,
  attachments: sql<AttachmentRow[]>`${attachments}`,
  messages,
  sent_under: sql<SentUnder[]>`${sentUnder}`,
});

/** What a record is described from. */
export type RecordRow = RowsOf<typeof columns>;
type FoundRecord = RecordRow & { is_refused: boolean; read_until: Date | null };

interface RecordReading {
  visible: VisibilityCondition;
  access?: Sql<unknown> | undefined;
  refusal?: Sql<SqlBool> | undefined;
  until?: Sql<Date | null> | undefined;
}

/**
 * Reads a request that fits the condition, with everything that its record shows, by one statement,
 * which also does `access`. `is_refused` says whether `refusal` holds for it, and `read_until`
 * what `until` is for it.
 */
export async function findRecord(
  database: Database,
  id: number,
  { visible, access, refusal, until }: RecordReading,
): Promise<FoundRecord | undefined> {
  const record = visibleRequest(
    id,
    visible,
    sql<FoundRecord>`
      ${columns}, ${refusal ?? sql`false`} as is_refused,
      ${until ?? sql`null::timestamptz`} as read_until`,
  );
  const { rows } = await sql<FoundRecord>`
    ${access ? combineWrites({ access }) : sql``} ${record}`.execute(database);
  for (const attachment of rows[0]?.attachments ?? [])
    attachment.viewed_at &&= new Date(attachment.viewed_at);
  return rows[0];
}
