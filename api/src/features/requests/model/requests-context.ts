import type { Calendars } from '#features/calendars/calendars.actions.ts';
import type { FinesContext } from '#features/fines/fines.actions.ts';
import type { Notifier } from '#features/messages/notifications.actions.ts';
import type { Catalogue } from '#features/services/services.actions.ts';
import type { Workflows } from '#features/workflow/workflows.actions.ts';
import type { FileReferences } from '#platform/auth/file-references.ts';
import type { Database } from '#platform/database/database.ts';
import type { LegalPageName } from '@diwan/contract/content/legal-pages';
import type { FourEyesSetting } from './four-eyes.ts';

/** Rates in basis points. */
export interface ChargeRates {
  /** VAT on administrative fees. */
  feeVatRate: number;
  /** The fee of the payment gateway on fines. */
  finesGatewayFeeRate: number;
}

/** What the calls on requests depend on. */
export interface RequestsContext extends FourEyesSetting {
  database: Database;
  catalogue: Catalogue;
  workflow: Workflows;
  calendars: Calendars;
  fines: FinesContext;
  /** The legal texts in force; the past of the demo data has none. */
  legal: { inForce(page: LegalPageName): { id: number } | undefined };
  rates: ChargeRates;
  /** The setting DOCUMENTS_PER_REQUEST. */
  maximumFiles: number;
  /** How many requests one user may send within 24 hours: the setting REQUESTS_PER_DAY. */
  maximumPerDay: number;
  /** How long an action can be undone, in seconds: the setting UNDO_SECONDS. */
  undoSeconds: number;
  /**
   * What one person refunds to a request within 24 hours without a second one, in fils: the setting
   * REFUND_APPROVAL_ABOVE.
   */
  refundApprovalAbove: number;
  /**
   * What one person adds to a request by fines and fees within 24 hours without a second one, in fils:
   * the setting CHARGE_APPROVAL_ABOVE.
   */
  chargeApprovalAbove: number;
  references: FileReferences;
  notifier: Notifier;
  /** The clock of the history. */
  now(): Date;
  /** Sends the stored events of the hubs and the stored messages; called after the commit. */
  announce(hasMessages?: boolean): void;
}
