import type { CertificatesContext } from '#features/certificates/certificates.actions.ts';
import type { Caller } from '#platform/auth/caller.ts';
import { createTokenEncryptor } from '#platform/auth/encrypted-token.ts';
import { requestLinkKeys } from '#platform/auth/secrets.ts';
import { findUserAsCaller } from '#platform/auth/sessions/find-caller.ts';
import { afterCall } from '#platform/database/calls/call-connection.ts';
import type { Transaction } from '#platform/database/database.ts';
import type { AppContext, Feature } from '#platform/http/context.ts';
import { openHubs } from '#platform/hubs/hubs.ts';
import type { Calendars } from '../calendars/calendars.actions.ts';
import type { CalendarsContext } from '../calendars/declared-calendars.actions.ts';
import type { DraftsContext } from '../drafts/drafts.actions.ts';
import type { FinesContext } from '../fines/fines.actions.ts';
import type { LegalPages } from '../legal-pages/legal-pages.actions.ts';
import { openNotifier } from '../messages/notifications.actions.ts';
import type { Catalogue } from '../services/services.actions.ts';
import type { CheckPassword } from '../users/sign-in/reauthenticate.actions.ts';
import type { Workflows } from '../workflow/workflows.actions.ts';
import { chargeRates } from './actions/charges.ts';
import { lockForCorrection } from './actions/corrections.actions.ts';
import { serveRequestActions } from './actions/request-actions.routes.ts';
import { requestHubs } from './actions/request-hubs.ts';
import { notifyInfected } from './documents/infected-documents.ts';
import { serveProviderDocuments } from './documents/provider-documents.routes.ts';
import { moveDueDays, previewDueDays } from './due-day-moves/move-due-days.actions.ts';
import { serveHandover } from './handover/handover.routes.ts';
import { moveAgencies } from './handover/move-agencies.actions.ts';
import { releaseLostRequests } from './handover/release-lost.actions.ts';
import type { InquiryContext } from './lists/inquire.actions.ts';
import { serveRequestLists } from './lists/request-lists.routes.ts';
import { serveSavedFilters } from './lists/saved-filters.routes.ts';
import { condenseCounts } from './model/request-counts.store.ts';
import { requestLinks, type RequestLinks } from './model/request-links.ts';
import { lockVisibleRequest, mayView, visibleTo } from './model/visibility.actions.ts';
import { sendNotices } from './notices/notices.actions.ts';
import { serveNotices } from './notices/notices.routes.ts';
import { deleteOldNotices } from './notices/notices.store.ts';
import { recordAccess, type AccessLogContext } from './record/access-log.actions.ts';
import { serveRequestCosts } from './record/request-costs.routes.ts';
import type { RecordContext } from './record/request-record.actions.ts';
import { insertRequestChanged, openViewers, type Viewers } from './record/viewers.actions.ts';
import { renewSeconds } from './record/viewers.store.ts';
import { serveReferralCodes } from './referral-codes/referral-codes.routes.ts';
import { serveRejectionReasons } from './rejection-reasons/rejection-reasons.routes.ts';
import { serveRequests } from './requests.routes.ts';
import { serveSnippets } from './snippets/snippets.routes.ts';
import { endDueHolds } from './staff-actions/end-holds.actions.ts';
import {
  performDueActions,
  type PendingActionsContext,
} from './staff-actions/pending-actions.actions.ts';
import { serveStaffActions } from './staff-actions/staff-actions.routes.ts';
import { serveUrgentReading } from './urgent-reading/urgent-reading.routes.ts';

/** What the actions on requests need, opened once at the start. */
interface RequestServices {
  workflow: Workflows;
  calendars: Calendars;
  links: RequestLinks;
  notifier: RecordContext['notifier'];
  /** Sends the stored events of the hubs and the stored messages; called after the commit. */
  announce(hasMessages?: boolean): void;
  /** Publishes the stored events of the hubs, and waits for that. */
  publishEvents(): Promise<void>;
  /** Who has which request open. */
  viewers: Viewers;
}

/**
 * What requests give to other features. Features that requests import (drafts, attachments,
 * messages) cannot import it back, so `app.ts` passes it to them.
 */
interface OpenRequests extends RequestServices {
  /** Whether a caller may see a request now. */
  mayView(caller: Caller, requestId: number): Promise<boolean>;
  /** Records that staff opened a request, or a document of it. */
  recordAccess(caller: Caller, requestId: number, attachmentId?: string): Promise<void>;
  /** Tells the applicant which documents of a request were found harmful. */
  notifyInfected(transaction: Transaction, requestId: number): Promise<void>;
  /** What a change of calendars would move. */
  previewDueDays: CalendarsContext['previewDueDays'];
  lockForCorrection: DraftsContext['lockForCorrection'];
  /** What certificates need of requests. */
  visibleTo: CertificatesContext['requests']['visibleTo'];
  lock: CertificatesContext['requests']['lock'];
  notifyOfCertificate: CertificatesContext['requests']['notifyOfCertificate'];
}

/** Opens the hubs, the links of requests and the notifications to applicants. */
export async function openRequests(
  context: AppContext,
  { workflow, calendars }: { workflow: Workflows; calendars: Calendars },
): Promise<OpenRequests> {
  const { database, config, outbox, publicUrl } = context;
  const viewers = openViewers(database, () => hubs.announce());
  const hubs = await openHubs(context, requestHubs(viewers));
  const encryptor = createTokenEncryptor(
    await requestLinkKeys(database, config),
    'request link',
    config.REQUEST_LINK_CIPHER,
  );
  const links = requestLinks(encryptor, publicUrl);
  const notifier = await openNotifier(config, publicUrl, links.make);
  const accessLog = { database, workflow, accessLogMinutes: config.READ_NOTE_MINUTES };
  return {
    workflow,
    calendars,
    links,
    notifier,
    announce(hasMessages = true) {
      void afterCall(() => {
        hubs.announce();
        if (hasMessages) outbox.wake();
      });
    },
    publishEvents: () => hubs.publish(),
    viewers,
    mayView: (caller, requestId) => mayView({ database }, caller, requestId),
    recordAccess: (caller, requestId, attachmentId) =>
      recordAccess(accessLog, caller, requestId, attachmentId),
    notifyInfected: (transaction, requestId) =>
      notifyInfected({ notifier }, transaction, requestId),
    previewDueDays: (...asked) =>
      previewDueDays({ database, workflow, calendars, now: () => new Date() }, ...asked),
    lockForCorrection: (transaction, caller, target) =>
      lockForCorrection({ workflow }, transaction, caller, target),
    visibleTo,
    lock: lockVisibleRequest,
    async notifyOfCertificate(transaction, caller, requestId, { notification, number, reason }) {
      const request = await lockVisibleRequest(transaction, caller, requestId);
      await insertRequestChanged(request)?.execute(transaction);
      const change = { notification, reference: number, reasons: [reason] };
      await notifier.notify(transaction, { requestId, ...change });
    },
  };
}

/** What requests need from the catalogue, and what `openRequests` opened. */
interface RequestsDependencies extends RequestServices {
  catalogue: Catalogue;
  fines: FinesContext;
  legal: LegalPages;
  checkPassword: CheckPassword;
}

/** Requests: their record, their actions and their lists. */
export function registerRequests(
  context: AppContext,
  { publishEvents, viewers, checkPassword, ...opened }: RequestsDependencies,
): Feature {
  const { server, database, config } = context;
  const { links } = opened;
  const requests: RecordContext & AccessLogContext & InquiryContext = {
    ...opened,
    database,
    references: context.references,
    sms: context.integrations.sms,
    codes: context.codes,
    rates: chargeRates(config),
    maximumFiles: config.DOCUMENTS_PER_REQUEST,
    maximumPerDay: config.REQUESTS_PER_DAY,
    fourEyes: config.FOUR_EYES === 'on',
    refundApprovalAbove: config.REFUND_APPROVAL_ABOVE,
    chargeApprovalAbove: config.CHARGE_APPROVAL_ABOVE,
    undoSeconds: config.UNDO_SECONDS,
    accessLogMinutes: config.READ_NOTE_MINUTES,
    readersShown: config.READERS_SHOWN,
    now: () => new Date(),
    report: (error) => server.log.error({ err: error }, 'SMS not sent'),
  };
  const pending: PendingActionsContext = {
    ...requests,
    findUserAsCaller: (userId) => findUserAsCaller({ database, config }, userId),
    reportFailure: (error) => server.log.error({ err: error }, 'Pending action failed'),
  };
  serveRequests(context, requests);
  serveRequestActions(context, requests);
  serveStaffActions(context, requests);
  serveRequestCosts(context, requests);
  serveRequestLists(context, { ...requests, publishEvents });
  serveProviderDocuments(context, requests);
  serveReferralCodes(context);
  serveRejectionReasons(context);
  serveSavedFilters(context);
  serveSnippets(context);
  serveNotices(context, requests);
  serveHandover(context, requests);
  serveUrgentReading(context, { ...requests, publicUrl: context.publicUrl, checkPassword });
  return {
    jobs: [
      { everySeconds: 5, run: () => condenseCounts(database) },
      { everySeconds: 1, run: () => performDueActions(pending) },
      { everySeconds: 1, run: () => releaseLostRequests(pending) },
      { everySeconds: 2, run: () => moveAgencies(requests) },
      { everySeconds: 10, run: () => endDueHolds(pending) },
      { everySeconds: 5, run: () => moveDueDays(requests) },
      {
        everySeconds: 5,
        run: async () => {
          if (await sendNotices(database, links)) context.outbox.wake();
        },
      },
      { everySeconds: 600, run: () => deleteOldNotices(database, config.NOTIFICATION_DAYS) },
      { everySeconds: renewSeconds, run: () => viewers.renew() },
    ],
  };
}
