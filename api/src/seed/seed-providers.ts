import { Readable } from 'node:stream';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type { PartnerDocumentName } from '@diwan/contract/people/partner-registration';
import type { Config } from '../config.ts';
import {
  announceDocument,
  openPartnerDocumentUploads,
} from '../features/partners/partner-documents.actions.ts';
import {
  changeState,
  type PartnersContext,
} from '../features/partners/partner-transitions.actions.ts';
import { register } from '../features/partners/register-partner.actions.ts';
import { openCatalogue } from '../features/services/services.actions.ts';
import type { Caller } from '../platform/auth/caller.ts';
import { createFileReferences } from '../platform/auth/file-references.ts';
import { hashPassword } from '../platform/auth/password-hash.ts';
import { openKey } from '../platform/auth/secrets.ts';
import type { Database } from '../platform/database/database.ts';
import { acquireNamedLock } from '../platform/database/named-lock.ts';
import { openDocuments } from '../platform/files/document-intake.ts';
import { findDemoCallers } from './demo-callers.ts';
import { demoPdf } from './demo-documents.ts';
import { demoPassword } from './seed.ts';

/** Service providers that are not active: one waits for verification, one is suspended. */
export const demoProviders = [
  {
    username: 'provider-new',
    fullName: 'Salem Al Demo',
    fullNameAr: 'سالم العرض',
    phoneNumber: '+971500000011',
    isSuspended: false,
    agency: 'dubai-municipality',
    details: {
      nameAr: 'مركز العرض لخدمات البلدية (تجريبي)',
      nameEn: 'Demo Municipal Services Centre',
      nameUr: 'ڈیمو مرکز برائے بلدیاتی خدمات',
      licenceNumber: 'DEMO-100201',
    },
  },
  {
    username: 'provider-suspended',
    fullName: 'Latifa Al Demo',
    fullNameAr: 'لطيفة العرض',
    phoneNumber: '+971500000012',
    isSuspended: true,
    agency: 'dubai-land-department',
    details: {
      nameAr: 'مركز العرض للخدمات العقارية (تجريبي)',
      nameEn: 'Demo Property Services Centre',
      nameUr: 'ڈیمو مرکز برائے جائیداد کی خدمات',
      licenceNumber: 'DEMO-100202',
    },
  },
] as const;

async function openAccount(
  database: Database,
  { username, fullName, fullNameAr, phoneNumber }: (typeof demoProviders)[number],
): Promise<Caller> {
  const email = `${username}@example.com`;
  const row = {
    username,
    password_hash: await hashPassword(demoPassword),
    full_name: fullName,
    full_name_ar: fullNameAr,
    phone_number: phoneNumber,
    email,
    roles: [],
    company_id: null,
    partner_id: null,
  };
  const { id } = await database
    .insertInto('users')
    .values(row)
    .returning('id')
    .executeTakeFirstOrThrow();
  return {
    userId: id,
    sessionId: '',
    fullName,
    fullNameAr,
    phoneNumber,
    roles: ['Client'],
    scope: [],
    teams: [],
    companyId: null,
    partnerId: null,
  };
}

async function sendDocument(
  context: PartnersContext,
  caller: Caller,
  name: PartnerDocumentName,
  title: string,
): Promise<string> {
  const content = demoPdf(title);
  const { id } = await announceDocument(context, caller, {
    name,
    fileName: `${title.toLowerCase().replaceAll(' ', '-')}.pdf`,
    mediaType: 'application/pdf',
    size: content.length,
  });
  await openPartnerDocumentUploads(context).receive(caller, id, Readable.from([content]));
  return id;
}

async function simulateProvider(
  context: PartnersContext,
  admin: Caller,
  provider: (typeof demoProviders)[number],
): Promise<void> {
  const caller = await openAccount(context.database, provider);
  const documentIds = [
    await sendDocument(context, caller, 'tradeLicence', 'Trade licence'),
    await sendDocument(context, caller, 'authorisationLetter', 'Authorisation letter'),
  ];
  const agency = await context.database
    .selectFrom('agencies')
    .select('id')
    .where('slug', '=', provider.agency)
    .executeTakeFirstOrThrow();
  const contact = {
    contactName: provider.fullName,
    contactEmail: `${provider.username}@example.com`,
    contactPhone: provider.phoneNumber,
  };
  const partnerId = await register(
    context,
    caller,
    { ...provider.details, ...contact, agencyIds: [agency.id], documentIds },
    'ar-EG',
  );
  if (!provider.isSuspended) return;
  const language = 'ar-EG';
  await changeState(context, { caller: admin, partnerId, action: 'verify', language });
  await changeState(context, { caller: admin, partnerId, action: 'accept', language });
  await changeState(context, {
    caller: admin,
    partnerId,
    action: 'suspend',
    reasons: ['licenceExpired'],
    language,
  });
}

/**
 * Adds the demo's inactive service providers through the product's own actions, once. A database
 * without the demo's accounts is not changed. `report` receives a line after the work.
 */
export async function seedProviders(
  database: Database,
  config: Config,
  report: (line: string) => void,
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    await acquireNamedLock(transaction, 'seed of providers');
    const admin = (await findDemoCallers(transaction))?.get('admin');
    const isThere = await transaction
      .selectFrom('users')
      .select('id')
      .where(
        'username',
        'in',
        demoProviders.map(({ username }) => username),
      )
      .executeTakeFirst();
    if (!admin || isThere) return;
    // The transactions of the actions are parts of this one.
    const references = createFileReferences(
      await openKey(database, 'file-references'),
      config.FILE_REFERENCE_SECONDS,
    );
    const context: PartnersContext = {
      database: transaction,
      catalogue: await openCatalogue(database),
      ...(await openDocuments(database, config)),
      unsentMegabytes: config.DOCUMENTS_UNSENT_MEGABYTES,
      references,
      publicUrl: '',
      openStatuses: () => [],
      wakeOutbox: () => undefined,
    };
    for (const provider of demoProviders) await simulateProvider(context, admin, provider);
    // Mail about events in the past is not sent.
    await transaction
      .deleteFrom('messages')
      .where('recipient', 'like', 'provider-%@example.com')
      .execute();
    report(
      `Seeded the demo: ${demoProviders.length} service providers that do not work yet or any more`,
    );
  });
}
