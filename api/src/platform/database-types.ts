import type { ColumnType, Generated } from 'kysely';
import type { AttachmentRule, Answers, ServiceForm } from '@diwan/contract/forms';
import type { LocalizedText } from '@diwan/contract/languages';
import type { Quote } from '@diwan/contract/money';
import type { Workflow } from '@diwan/contract/workflow';

/** A jsonb column: read as the value, written as its JSON text. */
type Json<T> = ColumnType<T, string, string>;
/** A timestamptz column. */
type Time = ColumnType<Date, Date | undefined, Date>;
type TimeOrNull = ColumnType<Date | null, Date | null | undefined, Date | null>;
/** A bigint column that stays below 2^53; the pool reads it as a number. */
type Big = number;

/** A fee of a service before it is quoted: `amount` in fils, `vatRate` in basis points. */
export interface FeeRule {
  name: string;
  title: LocalizedText;
  amount: number;
  vatRate: number;
}

/** A quote as it is frozen with a request: titles in every language. */
export type FrozenQuote = Omit<Quote, 'lines'> & { lines: (Omit<Quote['lines'][number], 'title'> & { title: LocalizedText })[] };

export interface Tables {
  companies: { id: Generated<number>; name: Json<LocalizedText> };
  partners: { id: Generated<number>; name: Json<LocalizedText> };
  users: {
    id: Generated<string>; username: string; password_hash: string; full_name: string; phone_number: string; email: string;
    roles: string[]; company_id: number | null; partner_id: number | null; created_at: Time;
  };
  sessions: { id: Generated<string>; user_id: string; token_id: string; previous_token_id: string | null; rotated_at: Time; created_at: Time; ended_at: TimeOrNull };
  signing_keys: { id: string; private_jwk: Json<Record<string, unknown>>; created_at: Time };
  secrets: { name: string; value: string };
  account_types: { id: number; slug: string; name: Json<LocalizedText>; alt: Json<LocalizedText>; description: Json<LocalizedText>; logo: string };
  agencies: { id: Generated<number>; slug: string; name: Json<LocalizedText>; logo: string; ours_in: string[] };
  categories: { id: Generated<number>; slug: string; name: Json<LocalizedText>; description: Json<LocalizedText>; logo: string; ours_in: string[] };
  services: {
    id: Generated<number>; replaced_name: string; name: Json<LocalizedText>; description: Json<LocalizedText>; agency_id: number; category_id: number; partner_id: number | null;
    form: Json<ServiceForm>; attachments: Json<AttachmentRule[]>; fees: Json<FeeRule[]>; working_days: number; terms: Json<LocalizedText>; steps: Json<LocalizedText[]>; result: Json<LocalizedText>;
    popular_rank: number | null; ours_in: string[]; deleted_at: TimeOrNull;
  };
  search_synonyms: { id: Generated<number>; words: string[] };
  service_account_types: { service_id: number; account_type_id: number };
  catalogue_version: { only_row: Generated<boolean>; version: Big };
  rejection_reasons: { id: Generated<number>; name: Json<LocalizedText> };
  workflows: { id: Generated<number>; document: Json<Workflow>; hash: string; created_at: Time };
  requests: {
    id: Generated<Big>; number: string; service_id: number; partner_id: number | null; user_id: string; company_id: number | null; workflow_id: number; status_id: number; version: Generated<number>;
    form: Json<ServiceForm>; attachment_rules: Json<AttachmentRule[]>; answers: Json<Answers>; quote: Json<FrozenQuote>; total: Big; applicant_name: string; phone_number: string; search_text: string;
    holder_id: string | null; service_provider_request_number: string | null; created_at: Time; updated_at: Time;
  };
  request_counts: { status_id: number; partner_id: number; slot: number; count: Big };
  request_history: {
    id: Generated<Big>; request_id: Big; action: string; from_status_id: number | null; to_status_id: number; actor_kind: string; actor_id: string | null; actor_name: string;
    reasons: Json<number[]>; message: ColumnType<LocalizedText | null, string | null, never>; at: Time;
  };
  attachments: {
    id: Generated<string>; user_id: string; service_id: number; request_id: Big | null; name: string; file_name: string; media_type: string; size: Big; is_result: boolean;
    uploaded_at: TimeOrNull; viewed_at: TimeOrNull; viewed_by: string | null; created_at: Time;
  };
  payments: { id: Generated<Big>; request_id: Big; merchant_reference: string; amount: Big; currency: string; status: Generated<string>; payment_url: string | null; created_at: Time; checked_at: Time };
  payment_events: { id: string; payment_id: Big; kind: string; amount: Big; currency: string; occurred_at: Time; received_at: Time };
  verification_codes: { phone_number: string; code_hash: string; attempts: number; expires_at: Time; sent: Generated<number>; first_sent_at: Time };
  'sandbox.payments': {
    merchant_reference: string; provider_reference: string; amount: Big; currency: string; description: string; language: string; return_url: string; status: Generated<string>; created_at: Time;
  };
  'sandbox.payment_events': { id: string; merchant_reference: string; kind: string; occurred_at: Time };
  'sandbox.messages': { id: Generated<Big>; channel: string; recipient: string; subject: string; body: string; received_at: Time };
}
