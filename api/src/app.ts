import type { FastifyInstance } from 'fastify';
import type { Config } from './config.ts';
import { registerAccountTypes } from './features/account-types/feature.ts';
import { registerAgencies } from './features/agencies/feature.ts';
import { openAnnouncements } from './features/announcements/announcements.actions.ts';
import { registerAnnouncements } from './features/announcements/feature.ts';
import { registerAttachments } from './features/attachments/feature.ts';
import { openCalendars } from './features/calendars/calendars.actions.ts';
import { registerCalendars } from './features/calendars/feature.ts';
import { registerCategories } from './features/categories/feature.ts';
import { openCertificates } from './features/certificates/certificates.actions.ts';
import { registerCertificates } from './features/certificates/feature.ts';
import { makeCertificateFile } from './features/certificates/issued-certificates.actions.ts';
import { registerCompanies } from './features/companies/feature.ts';
import { registerComplaints } from './features/complaints/feature.ts';
import { registerDrafts } from './features/drafts/feature.ts';
import { openFines, registerFines } from './features/fines/feature.ts';
import { registerLedger } from './features/ledger/feature.ts';
import { registerLegalPages } from './features/legal-pages/feature.ts';
import { openLegalPages } from './features/legal-pages/legal-pages.actions.ts';
import { registerMessages } from './features/messages/feature.ts';
import { registerPartners } from './features/partners/feature.ts';
import { registerPayments } from './features/payments/feature.ts';
import { makeInvoiceFile, openInvoices } from './features/payments/invoices/invoices.actions.ts';
import { openReceiptPart } from './features/payments/receipts/receipt-runs.actions.ts';
import { registerPortalDetails } from './features/portal-details/feature.ts';
import { registerReports } from './features/reports/feature.ts';
import { openRequests, registerRequests } from './features/requests/feature.ts';
import { recordOverpayment } from './features/requests/requests.actions.ts';
import { registerSearches } from './features/searches/feature.ts';
import { registerServiceDesigns } from './features/service-designs/feature.ts';
import { countedFees, keepVersions } from './features/service-designs/keep-versions.actions.ts';
import { registerServices } from './features/services/feature.ts';
import { openCatalogue } from './features/services/services.actions.ts';
import { registerSitemap } from './features/sitemap/feature.ts';
import { openStatusOfPortal, registerStatus } from './features/status/feature.ts';
import { registerSystem } from './features/system/feature.ts';
import { registerTeams } from './features/teams/feature.ts';
import { registerTexts } from './features/texts/feature.ts';
import { registerUsers } from './features/users/feature.ts';
import { registerWorkflow } from './features/workflow/feature.ts';
import { hasAction } from './features/workflow/workflow-rules.actions.ts';
import { openWorkflows } from './features/workflow/workflows.actions.ts';
import { openScheduler } from './platform/core/scheduler.ts';
import type { Database } from './platform/database/database.ts';
import { serveStorage } from './platform/files/storage-routes.ts';
import type { Feature, Integrations } from './platform/http/context.ts';
import { openAppContext } from './platform/http/http-server.ts';
import { openSealedPdfs } from './platform/pdf/sealed-pdfs.ts';

interface Outside extends Integrations {
  openJobs?: typeof openScheduler;
}

/**
 * The product by its features. `publicUrl` is the address of the portal that users see, without a
 * slash at its end. The catalogue is read while the sandboxes of `integrations` start.
 * Periodic jobs run at their times, or as `openJobs` lets them.
 */
export async function buildApp(
  config: Config,
  database: Database,
  publicUrl: string,
  integrations: Outside | Promise<Outside>,
): Promise<FastifyInstance> {
  const [catalogue, opened] = await Promise.all([openCatalogue(database), integrations]);
  const context = await openAppContext(config, database, publicUrl, opened);
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined)
    (await import('./platform/http/tracing.ts')).traceCalls(context);
  const announcements = await openAnnouncements(database, catalogue);
  const workflow = await openWorkflows(database, config);
  const calendars = await openCalendars(database);
  const legal = openLegalPages(database, context);
  const requests = await openRequests(context, { workflow, calendars });
  const fines = openFines(context);
  const pdf = await openSealedPdfs(context);
  const certificates = await openCertificates(context, { requests, catalogue, pdf });
  const invoices = await openInvoices(context, { ...requests, pdf });
  const users = await registerUsers(context);
  const status = await openStatusOfPortal(context);
  const features: Feature[] = [
    users,
    registerSystem(context, { status }),
    registerStatus(context, { status }),
    await registerTexts(context),
    await registerPortalDetails(context),
    await registerLegalPages(context, legal),
    registerAccountTypes(context, { catalogue }),
    registerAgencies(context, { catalogue }),
    registerCategories(context, { catalogue }),
    registerTeams(context),
    registerServices(context, {
      catalogue,
      keepVersions,
      countedFees,
      ownerActions: {
        hasAction: (serviceId, action) => hasAction(workflow.activeFor(serviceId), action),
        changes: () => workflow.changes(),
      },
    }),
    registerSearches(context, { catalogue }),
    registerAnnouncements(context, { catalogue, announcements }),
    registerAttachments(context, {
      ...requests,
      catalogue,
      makeFile: async (caller, referenced) =>
        (await makeInvoiceFile(invoices, caller, referenced)) ??
        (await openReceiptPart({ files: context.documents.files, invoices }, caller, referenced)) ??
        makeCertificateFile(certificates, caller, referenced),
    }),
    registerDrafts(context, { ...requests, catalogue }),
    registerFines(context, {
      ...fines,
      catalogue,
      recordSurplus: (transaction, requestId, amount) =>
        recordOverpayment(requests, transaction, requestId, amount),
      announce: () => requests.announce(),
    }),
    registerRequests(context, {
      ...requests,
      catalogue,
      fines,
      legal,
      checkPassword: users.checkPassword,
    }),
    registerCalendars(context, {
      catalogue,
      calendars,
      previewDueDays: requests.previewDueDays,
    }),
    registerComplaints(context, { catalogue, calendars }),
    registerWorkflow(context, { catalogue, workflow }),
    registerServiceDesigns(context, { catalogue, workflow }),
    registerMessages(context, requests),
    registerCertificates(context, certificates),
    registerPayments(context, { ...requests, fines, invoices }),
    registerLedger(context, pdf),
    registerCompanies(context),
    registerPartners(context, { catalogue, openStatuses: () => workflow.openStatuses() }),
    registerReports(context, requests),
    await registerSitemap(context, { catalogue, announcements, legal, status }),
  ];
  const { server, documents, outbox } = context;
  if (documents.files.blocks)
    await serveStorage(server, documents.files.blocks, documents.keys, async (id) => {
      for (const { isUploadExpected } of features) if (await isUploadExpected?.(id)) return true;
      return false;
    });
  const schedule = (opened.openJobs ?? openScheduler)(server);
  for (const { everySeconds, channel, run } of features.flatMap(({ jobs = [] }) => jobs)) {
    const runSoon = schedule(everySeconds, run);
    if (channel) await context.notifications.listen(channel, runSoon, runSoon);
  }
  server.addHook('onClose', () => outbox.stop());
  return server;
}
