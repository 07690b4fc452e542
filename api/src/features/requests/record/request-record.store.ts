import { expressionBuilder, type Expression } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import {
  attachmentsOfRequest,
  type DescribedAttachment,
} from '#features/attachments/attachments.actions.ts';
import { stepMessagesOf } from '#features/messages/messages.actions.ts';
import type { Database, QueryBuilder } from '#platform/database/database.ts';
import { combineWrites, type Sql, sql } from '#platform/database/sql.ts';
import type { Language } from '@diwan/contract/wire/languages';
import { pendingActionOf, type PendingAction } from '../model/pending-actions.store.ts';
import {
  applicantLanguage,
  attachmentRules,
  issuesCertificate,
  visibleRequest,
  type RequestForm,
  type VisibilityCondition,
  type VisibleRequest,
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
type RowsOf<List> = List extends Expression<infer Rows> ? Rows : never;

export type HistoryRow = RowsOf<typeof history>[number];
export type PaymentRow = RowsOf<typeof payments>[number];
type AttachmentRow = DescribedAttachment & { superseded_at: string | null };

/** What a record is described from. */
export type RecordRow = VisibleRequest &
  RequestForm & {
    pending: PendingAction | null;
    issues_document: boolean;
    issues_certificate: boolean;
    certificate_number: string | null;
    applicant_language: Language;
    history: HistoryRow[];
    payments: PaymentRow[];
    attachments: AttachmentRow[];
    messages: RowsOf<typeof messages>;
  };

// Built once: building it takes as long as sending it.
const columns = sql`,
  forms.content as form,
  ${attachmentRules} as attachment_rules,
  services.issues_document,
  ${issuesCertificate} as issues_certificate,
  (select number from certificates where request_id = requests.id) as certificate_number,
  ${applicantLanguage} as applicant_language,
  ${pendingActionOf(requestId)} as pending,
  ${history} as history,
  ${payments} as payments,
  ${attachments} as attachments,
  ${messages} as messages`;

/**
 * Reads a request that fits the condition, with everything that its record shows, by one statement,
 * which also does `access`.
 */
export async function findRecord(
  database: Database,
  id: number,
  { visible, access }: { visible: VisibilityCondition; access: Sql<unknown> | undefined },
): Promise<RecordRow | undefined> {
  const record = visibleRequest(id, visible, columns);
  const { rows } = await sql<RecordRow>`
    ${access ? combineWrites({ access }) : sql``} ${record}`.execute(database);
  for (const attachment of rows[0]?.attachments ?? [])
    attachment.viewed_at &&= new Date(attachment.viewed_at);
  return rows[0];
}
