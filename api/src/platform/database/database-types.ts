import type { ColumnType, Generated } from 'kysely';
import type { Channel } from '@diwan/contract/people/accounts';
import type { ScanState } from '@diwan/contract/requests/attachments';
import type { AuditEvent, AuditKind } from '@diwan/contract/people/audit';
import type { EligibilityRule } from '@diwan/contract/forms/eligibility';
import type { AttachmentRule, Answers, ServiceForm } from '@diwan/contract/forms/forms';
import type { Language, LocalizedText } from '@diwan/contract/wire/languages';
import type {
  MessageFault,
  MessageState,
  Notice,
  RequestNews,
} from '@diwan/contract/requests/messages';
import type { Quote } from '@diwan/contract/wire/money';
import type { PartnerAction, PartnerState } from '@diwan/contract/people/partner-states';
import type { Mended } from '@diwan/contract/requests/return-marks';
import type { FilterChoice, FilteredList } from '@diwan/contract/requests/saved-filters';
import type { Workflow } from '@diwan/contract/requests/workflow';
import type { Identity } from '../integrations/uae-pass-profile.ts';

/** A jsonb column: read as the value, written as its JSON text. */
type Json<T> = ColumnType<T, string, string>;
type JsonOrNull<T> = ColumnType<T | null, string | null | undefined, string | null>;
/** A timestamptz column. */
type Time = ColumnType<Date, Date | undefined, Date>;
type TimeOrNull = ColumnType<Date | null, Date | null | undefined, Date | null>;
type TextOrNull = ColumnType<string | null, string | null | undefined, string | null>;
/** A bigint column that stays below 2^53; the pool reads it as a number. */
type Big = number;

/** What a code by mail or SMS is for; one of another purpose opens nothing. */
export type CodePurpose = 'inquiry' | 'register' | 'contact' | 'password' | 'counter';

/** What an audit event holds beside who and when. */
export type AuditDetail = Pick<AuditEvent, 'reason' | 'before' | 'after' | 'by'>;

/** A fee of a service before it is quoted: `amount` in fils, `vatRate` in basis points. */
export interface FeeRule {
  name: string;
  title: LocalizedText;
  amount: number;
  vatRate: number;
  /** It is given back when the request is refused. */
  refundable?: boolean | undefined;
}

/** A mark of a return as the history keeps it, in every language. */
export interface KeptMark {
  field: string;
  attachmentId?: string;
  reasonId?: number;
  title: LocalizedText;
  message: LocalizedText;
}

/** What an update changed, as the history keeps it. */
export type KeptMended = Omit<Mended, 'marks'> & {
  marks: (KeptMark & { isChanged: boolean; explanation: string })[];
};

/** For whom somebody acted: at a counter for a person, or for their company. */
export interface KeptActedFor {
  by: 'counter' | 'company';
  name: LocalizedText;
}

/** A quote as it is frozen with a request: titles in every language. */
export type FrozenQuote = Omit<Quote, 'lines'> & {
  lines: (Omit<Quote['lines'][number], 'title'> & { title: LocalizedText })[];
};

/** Every table of the product, with its columns as kysely reads and writes them. */
export interface Tables {
  companies: { id: Generated<number>; name: Json<LocalizedText>; licence_number: TextOrNull };
  company_invitations: {
    id: Generated<string>;
    company_id: number;
    email: string;
    token_hash: string;
    language: Language;
    invited_by: string;
    created_at: Time;
    expires_at: Time;
    sent_at: TimeOrNull;
    accepted_at: TimeOrNull;
    accepted_by: TextOrNull;
    cancelled_at: TimeOrNull;
  };
  partners: {
    id: Generated<number>;
    name: Json<LocalizedText>;
    state: ColumnType<PartnerState, PartnerState | undefined, PartnerState>;
    version: Generated<number>;
    licence_number: TextOrNull;
    contact_name: TextOrNull;
    contact_email: TextOrNull;
    contact_phone: TextOrNull;
    created_at: Time;
  };
  partner_agencies: { partner_id: number; agency_id: number };
  partner_documents: {
    id: Generated<string>;
    user_id: string;
    partner_id: number | null;
    name: string;
    file_name: string;
    media_type: string;
    size: Big;
    uploaded_at: TimeOrNull;
    replaced_at: TimeOrNull;
    created_at: Time;
    scan_state: ColumnType<ScanState, ScanState | undefined, ScanState>;
    findings: Generated<string[]>;
  };
  partner_history: {
    id: Generated<Big>;
    partner_id: number;
    action: PartnerAction;
    from_state: PartnerState | null;
    to_state: PartnerState;
    actor_id: string | null;
    actor_name: string;
    reasons: Generated<string[]>;
    message: ColumnType<LocalizedText | null, string | null | undefined, never>;
    at: Time;
  };
  communication_types: { id: number; key: string; name: Json<LocalizedText>; channels: Channel[] };
  messages: {
    id: Generated<string>;
    kind: string;
    channel: Channel;
    recipient: string;
    language: Language;
    subject: Generated<string>;
    body: string;
    user_id: TextOrNull;
    request_id: ColumnType<Big | null, Big | null | undefined, never>;
    history_id: ColumnType<Big | null, Big | null | undefined, never>;
    state: ColumnType<MessageState, MessageState | undefined, MessageState>;
    tries: Generated<number>;
    due_at: Time;
    lease: TextOrNull;
    leased_until: TimeOrNull;
    fault: ColumnType<MessageFault | null, MessageFault | null | undefined, MessageFault | null>;
    fault_detail: Generated<string>;
    created_at: Time;
    ended_at: TimeOrNull;
    news: ColumnType<RequestNews | null, RequestNews | null | undefined, never>;
  };
  users: {
    id: Generated<string>;
    username: string;
    password_hash: string | null;
    full_name: string;
    phone_number: string;
    email: string;
    roles: string[];
    company_id: number | null;
    partner_id: number | null;
    language: ColumnType<Language | null, Language | null | undefined, Language | null>;
    created_at: Time;
    emirates_id: TextOrNull;
    uaepass_id: TextOrNull;
    linked_by_password: Generated<boolean>;
    full_name_ar: TextOrNull;
    suspended_at: TimeOrNull;
    is_company_manager: Generated<boolean>;
    email_verified_at: TimeOrNull;
    phone_verified_at: TimeOrNull;
    typed_emirates_id: TextOrNull;
    nationality: TextOrNull;
    communication_type_id: ColumnType<number | null, number | null | undefined, number | null>;
  };
  sessions: {
    id: Generated<string>;
    user_id: string;
    token_id: string;
    previous_token_id: string | null;
    rotated_at: Time;
    created_at: Time;
    ended_at: TimeOrNull;
    is_uae_pass: Generated<boolean>;
    user_agent: Generated<string>;
    actor_id: TextOrNull;
    actor_session_id: TextOrNull;
    acts_until: TimeOrNull;
  };
  request_reads: {
    id: Generated<Big>;
    request_id: Big;
    attachment_id: string | null;
    reader_id: string;
    reader_name: string;
    reader_kind: 'employee' | 'admin' | 'serviceProvider';
    office: JsonOrNull<LocalizedText>;
    at: Time;
  };
  signing_keys: {
    id: string;
    private_jwk: Json<Record<string, unknown>>;
    created_at: Time;
    activates_at: Time;
  };
  identity_attempts: {
    state_hash: string;
    browser_hash: string;
    verifier: string | null;
    created_at: Time;
    used_at: TimeOrNull;
  };
  identity_links: { browser_hash: string; identity: Json<Identity>; created_at: Time };
  sign_in_tries: { key: string; tries: number; wait_until: Time; last_at: Time };
  audit_events: {
    id: Generated<Big>;
    at: Time;
    kind: AuditKind;
    user_id: string | null;
    session_id: string | null;
    address: string | null;
    detail: ColumnType<AuditDetail, string | undefined, never>;
  };
  secrets: { name: string; value: string };
  settings: { name: string; value: Json<unknown>; changed_at: Time };
  second_factors: {
    user_id: string;
    secret: TextOrNull;
    last_step: ColumnType<number, number | undefined, number>;
    confirmed_at: TimeOrNull;
    pending_secret: TextOrNull;
    pending_session: TextOrNull;
    pending_since: TimeOrNull;
  };
  recovery_codes: { user_id: string; code_hash: string; used_at: TimeOrNull };
  account_types: {
    id: number;
    slug: string;
    name: Json<LocalizedText>;
    alt: Json<LocalizedText>;
    description: Json<LocalizedText>;
    logo: string;
  };
  agencies: {
    id: Generated<number>;
    slug: string;
    name: Json<LocalizedText>;
    logo: string;
    ours_in: string[];
  };
  categories: {
    id: Generated<number>;
    slug: string;
    name: Json<LocalizedText>;
    description: Json<LocalizedText>;
    logo: string;
    ours_in: string[];
  };
  services: {
    id: Generated<number>;
    replaced_name: string;
    name: Json<LocalizedText>;
    description: Json<LocalizedText>;
    agency_id: number;
    category_id: number;
    partner_id: number | null;
    form: Json<ServiceForm>;
    attachments: Json<AttachmentRule[]>;
    fees: Json<FeeRule[]>;
    working_days: number;
    terms: Json<LocalizedText>;
    steps: Json<LocalizedText[]>;
    result: Json<LocalizedText>;
    popular_rank: number | null;
    ours_in: string[];
    deleted_at: TimeOrNull;
    eligibility: ColumnType<EligibilityRule[], string | undefined, string>;
  };
  saved_filters: {
    id: Generated<string>;
    user_id: string;
    list: FilteredList;
    name: string;
    choice: Json<FilterChoice>;
    is_default: Generated<boolean>;
    created_at: Time;
  };
  search_synonyms: { id: Generated<number>; words: string[] };
  service_account_types: { service_id: number; account_type_id: number };
  catalogue_version: { only_row: Generated<boolean>; version: Big };
  rejection_reasons: {
    id: Generated<number>;
    name: Json<LocalizedText>;
    retired_at: TimeOrNull;
    version: Generated<number>;
  };
  workflows: { id: Generated<number>; document: Json<Workflow>; hash: string; created_at: Time };
  workflow_choices: {
    id: Generated<Big>;
    service_id: number | null;
    workflow_id: number | null;
    chosen_by: string | null;
    at: Time;
  };
  requests: {
    id: Generated<Big>;
    number: string;
    service_id: number;
    partner_id: number | null;
    user_id: string;
    company_id: number | null;
    workflow_id: number;
    status_id: number;
    version: Generated<number>;
    form: Json<ServiceForm>;
    attachment_rules: Json<AttachmentRule[]>;
    answers: Json<Answers>;
    quote: Json<FrozenQuote>;
    total: Big;
    applicant_name: string;
    phone_number: string;
    search_text: string;
    holder_id: string | null;
    service_provider_request_number: string | null;
    payment_round: Generated<number>;
    language: ColumnType<Language | null, Language | null | undefined, Language | null>;
    created_at: Time;
    updated_at: Time;
    sent_by: TextOrNull;
    acted_for: JsonOrNull<KeptActedFor>;
    came_to_provider: Generated<boolean>;
    refundable: Generated<Big>;
    refunded: Generated<Big>;
    referral_code: TextOrNull;
  };
  request_refunds: {
    id: Generated<Big>;
    request_id: Big;
    amount: Big;
    reference: string;
    recorded_by: string;
    recorder_name: string;
    at: Time;
  };
  referral_codes: {
    code: string;
    name: Json<LocalizedText>;
    valid_from: Time;
    valid_until: TimeOrNull;
    most_uses: ColumnType<number | null, number | null | undefined, number | null>;
    created_at: Time;
  };
  drafts: {
    user_id: string;
    id: string;
    company_id: number | null;
    service_id: number;
    revision: Generated<number>;
    form: Json<ServiceForm>;
    answers: Json<Record<string, unknown>>;
    attachment_ids: string[];
    passed: string[];
    created_at: Time;
    saved_at: Time;
    discarded_at: TimeOrNull;
    request_id: ColumnType<Big | null, Big | null | undefined, Big | null>;
    mends_request_id: ColumnType<Big | null, Big | null | undefined, never>;
    explanations: ColumnType<Record<string, string>, string | undefined, string>;
  };
  prefill_consents: { user_id: string; agreed_at: Time };
  hub_news: { id: Generated<Big>; hub: string; event: string; audiences: string[] };
  hub_positions: { hub: string; audience: string; position: Big };
  request_counts: { status_id: number; partner_id: number; slot: number; count: Big };
  request_history: {
    id: Generated<Big>;
    request_id: Big;
    action: string;
    from_status_id: number | null;
    to_status_id: number;
    actor_kind: string;
    actor_id: string | null;
    actor_name: string;
    reasons: Json<number[]>;
    message: ColumnType<LocalizedText | null, string | null, never>;
    notice: ColumnType<Notice | null, Notice | null | undefined, never>;
    at: Time;
    marks: ColumnType<KeptMark[], string | undefined, never>;
    mended: ColumnType<KeptMended | null, string | null | undefined, never>;
    reason_texts: ColumnType<LocalizedText[], string | undefined, never>;
    sent_hash: TextOrNull;
    charged: Generated<Big>;
    acted_for: JsonOrNull<KeptActedFor>;
  };
  attachments: {
    id: Generated<string>;
    user_id: string;
    service_id: number;
    request_id: Big | null;
    name: string;
    file_name: string;
    media_type: string;
    size: Big;
    is_result: boolean;
    announced_for: ColumnType<Big | null, Big | null | undefined, Big | null>;
    scan_state: ColumnType<ScanState, ScanState | undefined, ScanState>;
    findings: Generated<string[]>;
    uploaded_at: TimeOrNull;
    viewed_at: TimeOrNull;
    viewed_by: string | null;
    created_at: Time;
    superseded_at: TimeOrNull;
    provider_title: TextOrNull;
    is_hidden: Generated<boolean>;
  };
  payments: {
    id: Generated<Big>;
    request_id: Big;
    round: Generated<number>;
    merchant_reference: string;
    amount: Big;
    currency: string;
    status: Generated<string>;
    payment_url: string | null;
    created_at: Time;
    checked_at: Time;
  };
  payment_events: {
    id: string;
    payment_id: Big;
    kind: string;
    amount: Big;
    currency: string;
    occurred_at: Time;
    received_at: Time;
  };
  code_askers: { network_hash: string; asked: Generated<number>; first_at: Time };
  verification_codes: {
    purpose: CodePurpose;
    address: string;
    code_hash: string;
    attempts: number;
    expires_at: Time;
    sent: Generated<number>;
    first_sent_at: Time;
  };
  'sandbox.payments': {
    merchant_reference: string;
    provider_reference: string;
    amount: Big;
    currency: string;
    description: string;
    language: string;
    return_url: string;
    status: Generated<string>;
    created_at: Time;
  };
  'sandbox.payment_events': {
    id: string;
    merchant_reference: string;
    kind: string;
    occurred_at: Time;
  };
  'sandbox.messages': {
    id: Generated<Big>;
    channel: string;
    recipient: string;
    subject: string;
    body: string;
    language: Generated<string>;
    received_at: Time;
    key: TextOrNull;
  };
  'sandbox.message_faults': { recipient: string; kind: 'refuse' | 'fail' | 'slow' };
}
