import type { EligibilityRule } from '@diwan/contract/catalogue/eligibility';
import type { DiscountRule, FeeRule, LocalizedQuote } from '@diwan/contract/catalogue/fees';
import type { VersionOrigin } from '@diwan/contract/catalogue/service-designs';
import type { DraftDocument, ServiceDocument } from '@diwan/contract/catalogue/service-document';
import type { CatalogueJob, JobState } from '@diwan/contract/catalogue/transfer';
import type {
  AnnouncementAudience,
  AnnouncementKind,
  AnnouncementSeverity,
} from '@diwan/contract/content/announcements';
import type { TextForm } from '@diwan/contract/content/text-checks';
import type { AttachmentRule, Answers, ServiceForm } from '@diwan/contract/forms/forms';
import type {
  CaseDecision,
  MessageVerdict,
  PaymentCaseKind,
  PaymentEventKind,
  PaymentEventSource,
  RefundReason,
  RefundState,
  RefusedMessageReason,
} from '@diwan/contract/payments/events';
import type {
  LedgerAccount,
  LedgerEntryKind,
  LedgerTotal,
  SettlementDecision,
  SettlementDifferenceKind,
  SettlementDifferenceState,
} from '@diwan/contract/payments/ledger';
import type { PayoutState } from '@diwan/contract/payments/payouts';
import type { PaymentProviderName } from '@diwan/contract/payments/providers';
import type { ReceiptRunState } from '@diwan/contract/payments/receipt-runs';
import type { AuditEvent, AuditKind } from '@diwan/contract/people/audit';
import type { ChangeAction, ChangeEntity, FieldChange } from '@diwan/contract/people/changes';
import type { PartnerAction, PartnerState } from '@diwan/contract/people/partner-states';
import type {
  MessageError,
  MessageState,
  NotificationOutcome,
  RequestNotification,
} from '@diwan/contract/requests/messages';
import type { InvoiceKind, PaymentMethod, PaymentStatus } from '@diwan/contract/requests/payments';
import type { ReasonKind } from '@diwan/contract/requests/rejection-reasons';
import type { ReaderKind } from '@diwan/contract/requests/requests';
import type { Correction } from '@diwan/contract/requests/return-marks';
import type { FilterChoice, FilteredList } from '@diwan/contract/requests/saved-filters';
import type { Workflow } from '@diwan/contract/requests/workflow';
import type { WorkflowDraft } from '@diwan/contract/requests/workflows';
import type { RoleChangeKind, RolePosition } from '@diwan/contract/staff/role-changes';
import type { Channel, MessageChannel } from '@diwan/contract/wire/channels';
import type { Language, LocalizedText } from '@diwan/contract/wire/languages';
import type { ScanState } from '@diwan/contract/wire/uploads';
import type { Identity } from '../core/identity.ts';

/** What a code by mail or SMS is for; one of another purpose opens nothing. */
export type CodePurpose = 'inquiry' | 'register' | 'contact' | 'password' | 'counter';

/** What an audit event holds beside who and when. */
export type AuditDetail = Pick<AuditEvent, 'reason' | 'before' | 'after' | 'by'>;

/** A mark of a return as the history keeps it, in every language. */
export interface StoredMark {
  field: string;
  attachmentId?: string;
  reasonId?: number;
  title: LocalizedText;
  message: LocalizedText;
}

/** Overridden forms of a text by language: the text, and what the product shipped then. */
export type StoredOverrides = Partial<
  Record<Language, Partial<Record<TextForm, { text: string; shipped: string }>>>
>;

/** What an update changed, as the history keeps it. */
export type StoredCorrection = Omit<Correction, 'marks'> & {
  marks: (StoredMark & { isChanged: boolean; explanation: string })[];
};

/** For whom somebody acted: at a counter for a person, or for their company. */
export interface StoredActedFor {
  by: 'counter' | 'company';
  name: LocalizedText;
}

/** A value of a change of the catalogue; texts are in every language until somebody reads them. */
export type ShownValue = LocalizedText | string | number | boolean | null | undefined;

/** What a job of the catalogue found or did, for its admin. */
export type StoredSummary = Pick<CatalogueJob, 'counts' | 'changesCount' | 'problemsCount'> & {
  changes: (Omit<CatalogueJob['changes'][number], 'name' | 'fields'> & {
    name: LocalizedText | string;
    fields: { field: string; before?: ShownValue; after?: ShownValue }[];
  })[];
  /** `code` is ours or of a validation. */
  problems: {
    list: string;
    row: number;
    column: string;
    code: string;
    params?: Record<string, string | number>;
  }[];
};

/** An invoice, receipt or credit note as it was issued, in the language of its request. */
export interface InvoiceContent {
  language: Language;
  seller: {
    name: string;
    trn: string;
    isDemo: boolean;
    /** Missing where no address is set; `emirate` is a code of ISO 3166-2 without its country. */
    address?: { street: string; city: string; emirate: string };
  };
  applicant: string;
  requestNumber: string;
  service: string;
  agency: string;
  /** Amounts in fils; `vatRate` in basis points. A receipt has no lines. */
  lines: { title: string; amount: number; vatRate: number; vat: number }[];
  /** The payment or the refund: its reference, its day in Asia/Dubai, fils. */
  transfer: { reference: string; day: string; amount: number };
  /** The numbers of the invoices that a receipt or a credit note concerns. */
  invoiceNumbers: string[];
}

/** A certificate as it was issued. `isValue`: an answer or a fact of the request. */
export interface CertificateContent {
  language: Language;
  title: string;
  paragraphs: { text: string; isValue: boolean }[][];
  applicant: string;
  requestNumber: string;
  service: string;
  agency: string;
}

/**
 * The types of columns that PostgreSQL does not know: the values of jsonb columns, and the text
 * columns that hold one of a few words. `schema.generated.ts` refers to them by `table.column`.
 * After a change of the names run `npm run database:types`.
 */
export interface ColumnTypes {
  'account_types.alt': LocalizedText;
  'account_types.description': LocalizedText;
  'account_types.name': LocalizedText;
  'agencies.name': LocalizedText;
  'announcements.audience': AnnouncementAudience;
  'announcements.kind': AnnouncementKind;
  'announcements.severity': AnnouncementSeverity;
  'announcements.text': LocalizedText;
  'announcements.title': LocalizedText;
  'attachment_types.description': LocalizedText;
  'attachment_types.media_types': AttachmentRule['mediaTypes'];
  'attachment_types.name': LocalizedText;
  'attachments.scan_state': ScanState;
  'audit_events.detail': AuditDetail;
  'audit_events.kind': AuditKind;
  'catalogue_job_parts.entries': unknown[];
  'catalogue_job_parts.rows': number[];
  'catalogue_jobs.kind': CatalogueJob['kind'];
  'catalogue_jobs.plan': unknown;
  'catalogue_jobs.state': Exclude<JobState, 'interrupted'>;
  'catalogue_jobs.summary': StoredSummary;
  'categories.description': LocalizedText;
  'categories.name': LocalizedText;
  'changes.action': ChangeAction;
  'changes.entity': ChangeEntity;
  'changes.fields': FieldChange[];
  'changes.name': LocalizedText | string;
  'communication_types.channels': Channel[];
  'communication_types.name': LocalizedText;
  'companies.name': LocalizedText;
  'company_invitations.language': Language;
  'drafts.answers': Record<string, unknown>;
  'drafts.explanations': Record<string, string>;
  'drafts.form': ServiceForm;
  'forms.attachment_rules': AttachmentRule[];
  'forms.content': ServiceForm;
  'certificate_templates.body': LocalizedText;
  'certificate_templates.title': LocalizedText;
  'certificates.content': CertificateContent;
  'invoices.content': InvoiceContent;
  'invoices.kind': InvoiceKind;
  'ledger_accounts.name': LedgerAccount;
  'ledger_days.day': string;
  'ledger_days.totals': LedgerTotal[];
  'ledger_entries.day': string;
  'ledger_entries.kind': LedgerEntryKind;
  'ledger_lines.account': LedgerAccount;
  'ledger_lines.provider': PaymentProviderName;
  'logos.content': Buffer;
  'held_actions.sent': unknown;
  'identity_links.identity': Identity;
  'messages.channel': MessageChannel;
  'messages.fault': MessageError;
  'messages.language': Language;
  'messages.news': RequestNotification;
  'messages.state': MessageState;
  'partner_documents.scan_state': ScanState;
  'partner_history.action': PartnerAction;
  'partner_history.from_state': PartnerState;
  'partner_history.message': LocalizedText;
  'partner_history.to_state': PartnerState;
  'partners.name': LocalizedText;
  'partners.state': PartnerState;
  'payment_cases.decision': CaseDecision;
  'payment_cases.kind': PaymentCaseKind;
  'payment_cases.provider': PaymentProviderName;
  'payouts.paid_on': string;
  'payouts.provider': PaymentProviderName;
  'payouts.state': PayoutState;
  'payment_events.kind': PaymentEventKind;
  'payment_events.source': PaymentEventSource;
  'payment_messages.provider': PaymentProviderName;
  'payment_messages.verdict': MessageVerdict;
  'payment_providers.name': PaymentProviderName;
  'payment_rules.fallback': PaymentProviderName;
  'payment_rules.method': PaymentMethod;
  'payment_rules.provider': PaymentProviderName;
  'receipt_runs.from_day': string;
  'receipt_runs.until_day': string;
  'receipt_runs.state': ReceiptRunState;
  'payments.method': PaymentMethod;
  'payments.provider': PaymentProviderName;
  'payments.status': PaymentStatus;
  'refunds.expected_by': string;
  'refunds.reason': RefundReason;
  'refunds.state': RefundState;
  'refused_payment_messages.reason': RefusedMessageReason;
  'referral_codes.name': LocalizedText;
  'rejection_reasons.kind': ReasonKind;
  'rejection_reasons.name': LocalizedText;
  'request_history.acted_for': StoredActedFor;
  'request_history.marks': StoredMark[];
  'request_history.correction': StoredCorrection;
  'request_history.message': LocalizedText;
  'request_history.notice': NotificationOutcome;
  'request_history.reason_texts': LocalizedText[];
  'request_history.reasons': number[];
  'request_reads.office': LocalizedText;
  'request_reads.reader_kind': ReaderKind;
  'requests.acted_for': StoredActedFor;
  'requests.answers': Answers;
  'requests.evidence_rules': AttachmentRule[];
  'requests.due_on': string;
  'requests.promised_on': string;
  'requests.hold_until': string;
  'requests.hold_reason': LocalizedText;
  'request_history.hold_until': string;
  'requests.language': Language;
  'agencies.discounts': DiscountRule[];
  'requests.quote': LocalizedQuote;
  'sandbox.message_faults.kind': 'refuse' | 'fail' | 'slow';
  'role_changes.after': RolePosition;
  'role_changes.before': RolePosition;
  'role_changes.kind': RoleChangeKind;
  'saved_filters.choice': FilterChoice;
  'saved_filters.list': FilteredList;
  'search_openings.language': Language;
  'search_questions.language': Language;
  'search_terms.language': Language;
  'service_closures.reason': LocalizedText;
  'service_drafts.base': ServiceDocument;
  'service_drafts.document': DraftDocument;
  'service_versions.document': ServiceDocument;
  'service_versions.origin': VersionOrigin;
  'provider_charge_rates.provider': PaymentProviderName;
  'settlement_differences.day': string;
  'settlement_differences.decision': SettlementDecision;
  'settlement_differences.kind': SettlementDifferenceKind;
  'settlement_differences.provider': PaymentProviderName;
  'settlement_differences.state': SettlementDifferenceState;
  'settlement_files.day': string;
  'settlement_files.provider': PaymentProviderName;
  'settlement_lines.kind': 'payment' | 'refund';
  'services.attachments': AttachmentRule[];
  'services.available_from': string;
  'services.available_until': string;
  'services.description': LocalizedText;
  'services.eligibility': EligibilityRule[];
  'services.fees': FeeRule[];
  'services.form': ServiceForm;
  'services.name': LocalizedText;
  'services.result': LocalizedText;
  'services.steps': LocalizedText[];
  'services.terms': LocalizedText;
  'settings.value': unknown;
  'signing_keys.private_jwk': Record<string, unknown>;
  'snippets.texts': Partial<LocalizedText>;
  'text_overrides.texts': StoredOverrides;
  'staff_invitations.language': Language;
  'users.language': Language;
  'verification_codes.purpose': CodePurpose;
  'workflow_drafts.document': WorkflowDraft;
  'workflows.document': Workflow;
}
