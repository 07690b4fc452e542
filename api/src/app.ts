import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { getLiveness, getReadiness } from '@diwan/contract/wire/health';
import type { Config } from './config.ts';
import { serveAccountTypes } from './features/account-types/account-types.routes.ts';
import { serveAgencies } from './features/agencies/agencies.routes.ts';
import {
  arrivalOf,
  awaitsContent,
  pruneUnused,
} from './features/attachments/attachments.actions.ts';
import { serveAttachments } from './features/attachments/attachments.routes.ts';
import { serveCategories } from './features/categories/categories.routes.ts';
import { pruneDrafts } from './features/drafts/drafts.actions.ts';
import { serveDrafts } from './features/drafts/drafts.routes.ts';
import { settleDue } from './features/payments/payments.actions.ts';
import { servePayments } from './features/payments/payments.routes.ts';
import { serveCompanies } from './features/companies/companies.routes.ts';
import { serveCompanyUsers } from './features/companies/company-users.routes.ts';
import {
  awaitsDocument,
  partnerArrivalOf,
  pruneUnusedDocuments,
} from './features/partners/partner-documents.actions.ts';
import { serveMessages } from './features/messages/messages.routes.ts';
import { openNotices, readMessageWords } from './features/messages/notices.actions.ts';
import { servePartnerRegistration } from './features/partners/partner-registration.routes.ts';
import { servePartners } from './features/partners/partners.routes.ts';
import { condenseFigures } from './features/reports/reports.actions.ts';
import { serveReports } from './features/reports/reports.routes.ts';
import { requestLinks } from './features/requests/model/request-links.ts';
import { lockToMend } from './features/requests/actions/keep-attachments.actions.ts';
import { mayView } from './features/requests/requests.actions.ts';
import { openWorkflow } from './features/requests/workflow/workflows.actions.ts';
import { serveWorkflows } from './features/requests/workflow/workflows.routes.ts';
import { requestHubs } from './features/requests/actions/request-hubs.ts';
import { noteRead } from './features/requests/record/request-reads.actions.ts';
import { tellInfected } from './features/requests/documents/tell-infected.ts';
import { serveRequests } from './features/requests/requests.routes.ts';
import { serveSavedFilters } from './features/requests/lists/saved-filters.routes.ts';
import { openCatalogue } from './features/services/services.actions.ts';
import { serveServices } from './features/services/services.routes.ts';
import { headOf, portalName } from './features/sitemap/page-heads.ts';
import { serveSitemap } from './features/sitemap/sitemap.routes.ts';
import { serveActing } from './features/users/acting/acting.routes.ts';
import { serveAccounts } from './features/users/accounts.routes.ts';
import { serveAudit } from './features/users/admin/audit.routes.ts';
import { deleteOldIdentityData } from './features/users/users.actions.ts';
import { serveUAEPass } from './features/users/uae-pass/uae-pass.routes.ts';
import { serveUserLists } from './features/users/admin/user-lists.routes.ts';
import { serveUsers } from './features/users/users.routes.ts';
import { openBotCheck, type BotCheckOptions } from './platform/http/bot-check.ts';
import { openChores } from './platform/core/chores.ts';
import type { Database, Transaction } from './platform/database/database.ts';
import { openDocuments } from './platform/files/document-intake.ts';
import { openHubs } from './platform/hubs/hubs.ts';
import type { AppContext } from './platform/http/context.ts';
import { openHttpServer } from './platform/http/http-server.ts';
import type { IdentityProvider } from './platform/integrations/identity-provider.ts';
import type { MailGateway } from './platform/messages/mail.ts';
import { openOutbox, pruneMessages } from './platform/messages/message-outbox.ts';
import { serveMetrics } from './platform/http/metrics.ts';
import { openApi } from './platform/http/openapi.ts';
import type { PaymentProvider } from './platform/integrations/payment-provider.ts';
import { servePortal } from './platform/portal/portal.ts';
import { openScanner } from './platform/files/scanner.ts';
import { serve } from './platform/http/serve.ts';
import { openSessions, type Caller } from './platform/auth/session.ts';
import { linkKeys, ownSecret } from './platform/auth/secrets.ts';
import { sealedText } from './platform/auth/sealed-text.ts';
import { signedReferences } from './platform/auth/signed-references.ts';
import { serveStorage } from './platform/files/storage-routes.ts';
import type { SmsGateway } from './platform/messages/sms.ts';
import { openVerificationCodes } from './platform/auth/verification-codes.ts';
import { version } from './version.ts';

export interface Outside {
  paymentProvider: PaymentProvider;
  sms: SmsGateway;
  mail: MailGateway;
  /** Missing where nobody signs in with UAE PASS. */
  identityProvider?: IdentityProvider;
  /** Missing where the check is off. */
  botCheck?: Pick<BotCheckOptions, 'provider' | 'siteKey' | 'scriptUrl'>;
}

function serveHealth(context: AppContext): void {
  serve(context, getLiveness, () => ({ status: 'ok' as const }));
  serve(context, getReadiness, async ({ reply }) => {
    const ready = await sql`select 1`.execute(context.database).then(
      () => true,
      () => false,
    );
    return ready ? { status: 'ok' as const } : reply.status(503).send({ status: 'unavailable' });
  });
  context.server.get('/.well-known/jwks.json', (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=300')
      .send({ keys: context.sessions.keys.publicKeys() }),
  );
  context.server.get('/openapi.json', () => openApi(version, context.publicUrl));
}

/**
 * The product by its features. `publicUrl` is the address that people see, without a slash at its
 * end.
 */
export async function buildApp(
  config: Config,
  database: Database,
  publicUrl: string,
  outside: Outside,
): Promise<FastifyInstance> {
  const server = await openHttpServer(
    config,
    publicUrl,
    outside.botCheck
      ? [new URL(outside.botCheck.scriptUrl).origin, ...config.BOT_CHECK_ORIGINS]
      : [],
  );
  const outbox = openOutbox({
    database,
    mail: outside.mail,
    sms: outside.sms,
    tries: config.MESSAGE_TRIES,
    warn: (message) => server.log.warn(message),
  });
  const context: AppContext = {
    server,
    config,
    database,
    publicUrl,
    outbox,
    sessions: await openSessions(database, config, new URL(publicUrl).origin),
  };
  if (outside.botCheck) {
    context.botCheck = openBotCheck({
      ...outside.botCheck,
      actions: new Set(config.BOT_CHECK_ACTIONS),
      minimumScore: config.BOT_CHECK_MINIMUM_SCORE,
      passesWhenUnreachable: config.BOT_CHECK_WHEN_UNREACHABLE === 'pass',
      hosts: [publicUrl, ...config.PORTAL_ORIGINS].map((origin) => new URL(origin).hostname),
    });
  }
  const catalogue = await openCatalogue(database);
  const workflow = await openWorkflow(database, config);
  const references = signedReferences(
    await ownSecret(database, 'file-references'),
    config.FILE_REFERENCE_SECONDS,
  );
  const hubs = await openHubs(context, requestHubs);
  const announce = () => {
    hubs.announce();
    outbox.wake();
  };
  const links = requestLinks(
    sealedText(await linkKeys(database, config), 'request link', config.REQUEST_LINK_CIPHER),
    publicUrl,
  );
  const notices = openNotices(await readMessageWords(config), publicUrl, links.make);
  const payments = {
    database,
    provider: outside.paymentProvider,
    publicUrl,
    notices,
    announce,
    warn: (message: string) => server.log.warn(message),
  };

  serveMetrics(context);
  serveHealth(context);
  const codes = await openVerificationCodes(database, config.VERIFICATION_CODES_PER_DAY);
  serveAccounts(
    context,
    { codes, mail: outside.mail, sms: outside.sms },
    await serveUsers(context),
  );
  serveActing(context, { codes, mail: outside.mail, sms: outside.sms });
  serveUAEPass(context, outside.identityProvider);
  serveAudit(context);
  serveAccountTypes(context, catalogue);
  serveAgencies(context, catalogue);
  serveCategories(context, catalogue);
  serveServices(context, catalogue);
  serveSitemap(context, catalogue, config.ROBOTS === 'index');
  const {
    files,
    intake,
    secret: storageSecret,
  } = await openDocuments(database, config, {
    scanner: openScanner(config),
    warn: (message) => server.log.warn(message),
  });
  if (files.blocks)
    await serveStorage(
      server,
      files.blocks,
      storageSecret,
      async (id) => (await awaitsContent(database, id)) || awaitsDocument(database, id),
    );
  const attachments = {
    database,
    catalogue,
    references,
    files,
    intake,
    unsentMegabytes: config.DOCUMENTS_UNSENT_MEGABYTES,
    unsentInHour: config.DOCUMENTS_UNSENT_PER_HOUR,
    tellInfected: (transaction: Transaction, requestId: number) =>
      tellInfected({ notices }, transaction, requestId),
    mayView: (caller: Caller, requestId: number) => mayView({ database }, caller, requestId),
    noteRead: (caller: Caller, requestId: number, attachmentId?: string) =>
      noteRead(
        { database, workflow, readMinutes: config.READ_NOTE_MINUTES },
        caller,
        requestId,
        attachmentId,
      ),
  };
  serveAttachments(context, attachments);
  serveDrafts(context, catalogue, (transaction, caller, target) =>
    lockToMend({ workflow }, transaction, caller, target),
  );
  serveSavedFilters(context);
  serveRequests(context, {
    catalogue,
    workflow,
    references,
    announce,
    links,
    notices,
    sms: outside.sms,
    codes,
  });
  serveMessages(context, attachments);
  serveWorkflows(context, { catalogue, workflow });
  servePayments(context, payments);
  serveUserLists(context);
  serveCompanies(context);
  serveCompanyUsers(context, outside.mail);
  servePartners(context, catalogue);
  const partners = {
    ...attachments,
    publicUrl,
    openStatuses: () => workflow.openStatuses(),
    mailWaits: outbox.wake,
  };
  servePartnerRegistration(context, partners);
  serveReports(context, { database, workflow });
  const site = { publicUrl, name: portalName, mayBeIndexed: config.ROBOTS === 'index' };
  await servePortal(server, {
    folder: config.PORTAL_DIR,
    site,
    headOf: (path, language) => headOf(catalogue, publicUrl, path, language),
  });

  const hour = 3600;
  const every = openChores(server);
  every(Math.min(config.PAYMENT_CHECK_SECONDS, 10), () =>
    settleDue(payments, config.PAYMENT_CHECK_SECONDS),
  );
  every(5, () => workflow.refresh());
  every(5, () => catalogue.refresh());
  every(5, outbox.wake);
  every(15, () =>
    arrivalOf(attachments)
      .scanWaiting()
      .then(() => partnerArrivalOf(partners).scanWaiting()),
  );
  every(300, () => context.sessions.keys.renew());
  every(hour, () => deleteOldIdentityData(database));
  every(hour, () => pruneDrafts({ database, config }));
  every(hour, () => pruneUnused(attachments, config.UNUSED_ATTACHMENT_DAYS));
  every(hour, () => pruneUnusedDocuments(partners, config.UNUSED_ATTACHMENT_DAYS));
  every(hour, () => pruneMessages(database, config.MESSAGE_DAYS));
  every(hour, () => condenseFigures(database));
  server.addHook('onClose', () => outbox.stop());
  return server;
}
