import type { ValidationIssue } from '@diwan/contract/wire/errors';
import { checkContacts } from '@diwan/contract/forms/contact-details';
import type { Language } from '@diwan/contract/wire/languages';
import type { PartnerDetails } from '@diwan/contract/people/partner-registration';
import type { Transaction } from '../../platform/database/database.ts';
import { Refusal, ValidationRefusal } from '../../platform/core/refusals.ts';
import type { Caller } from '../../platform/auth/session.ts';
import type { Catalogue } from '../services/services.actions.ts';
import { move, type PartnersContext } from './move-partner.actions.ts';
import { bindDocuments } from './partner-documents.actions.ts';
import { isFree } from './partner-supervisors.actions.ts';
import * as store from './partner-records.store.ts';

export interface Registration extends PartnerDetails {
  documentIds: readonly string[];
}

/**
 * What a provider says of itself as it is kept, and what is wrong with it. A licence number is the
 * same in any letters and digits.
 */
function readDetails(
  catalogue: Catalogue,
  details: PartnerDetails,
): { kept: store.KeptDetails; agencyIds: number[]; issues: ValidationIssue[] } {
  const { values, issues } = checkContacts(
    {
      nameAr: 'name',
      nameEn: 'name',
      licenceNumber: 'text',
      contactName: 'name',
      contactEmail: 'email',
      contactPhone: 'mobile',
    },
    {
      nameAr: details.nameAr,
      nameEn: details.nameEn,
      licenceNumber: details.licenceNumber,
      contactName: details.contactName,
      contactEmail: details.contactEmail,
      contactPhone: details.contactPhone,
    },
  );
  const urdu = details.nameUr
    ? checkContacts({ nameUr: 'name' }, { nameUr: details.nameUr })
    : undefined;
  const nameUr = urdu?.values.nameUr ?? '';
  const wrongUrdu = urdu?.issues.filter(({ code }) => code === 'nameHoldsAddress') ?? [];
  const agencyIds = [...new Set(details.agencyIds)];
  const known = new Set(catalogue.agencies().map(({ item }) => item.id));
  const unknown: ValidationIssue[] = agencyIds.every((id) => known.has(id))
    ? []
    : [{ field: 'agencyIds', code: 'notAllowed' }];
  const licence = values.licenceNumber
    .normalize('NFKC')
    .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) % 16))
    .toUpperCase();
  return {
    kept: {
      name: JSON.stringify({
        'ar-EG': values.nameAr,
        'en-US': values.nameEn,
        'ur-PK': nameUr || values.nameEn,
      }),
      licence_number: licence,
      contact_name: values.contactName,
      contact_email: values.contactEmail,
      contact_phone: values.contactPhone,
    },
    agencyIds,
    issues: [...issues, ...wrongUrdu, ...unknown],
  };
}

async function keepDetails(
  transaction: Transaction,
  caller: Caller,
  read: ReturnType<typeof readDetails>,
  partnerId: number,
  documentIds: readonly string[],
  isWhole: boolean,
): Promise<void> {
  const issues = [
    ...read.issues,
    ...(await bindDocuments(transaction, caller, partnerId, documentIds, isWhole)),
  ];
  if (issues.length > 0) throw new ValidationRefusal(issues);
  await store.replaceAgencies(transaction, partnerId, read.agencyIds);
}

// Two registrations of one licence at the same moment: the index decides, and the second hears what
// the first would have.
async function orLicenceInUse<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: Error & { constraint?: string }) => {
    throw error.constraint === 'partners_licence' ? new Refusal('LicenceNumberInUse') : error;
  });
}

/**
 * Registers a service provider. The account that does it works for the provider from then on, so it
 * must be free: no staff, no company, no requests of its own.
 */
export async function register(
  context: PartnersContext,
  caller: Caller,
  registration: Registration,
  language: Language,
): Promise<number> {
  const read = readDetails(context.catalogue, registration);
  return orLicenceInUse(
    context.database.transaction().execute(async (transaction) => {
      const account = await store.lockAccount(transaction, { id: caller.userId });
      if (!account || !isFree(account)) throw new Refusal('AccountCannotRegisterProvider');
      if (read.issues.length > 0) throw new ValidationRefusal(read.issues);
      if (await store.isLicenceInUse(transaction, String(read.kept.licence_number), null))
        throw new Refusal('LicenceNumberInUse');
      const partnerId = await store.insertPartner(transaction, read.kept);
      await keepDetails(transaction, caller, read, partnerId, registration.documentIds, true);
      await store.makeSupervisor(transaction, caller.userId, partnerId);
      await move(context, transaction, { caller, partnerId, action: 'register', language });
      return partnerId;
    }),
  );
}

/** Answers what was asked again. What is not sent again stays. */
export async function resubmit(
  context: PartnersContext,
  caller: Caller,
  registration: Registration & { version: number },
  language: Language,
): Promise<number> {
  const { partnerId } = caller;
  if (partnerId === null) throw new Refusal('NotFound');
  const read = readDetails(context.catalogue, registration);
  await orLicenceInUse(
    context.database.transaction().execute(async (transaction) => {
      await move(context, transaction, {
        caller,
        partnerId,
        action: 'resubmit',
        version: registration.version,
        language,
      });
      if (await store.isLicenceInUse(transaction, String(read.kept.licence_number), partnerId))
        throw new Refusal('LicenceNumberInUse');
      await keepDetails(transaction, caller, read, partnerId, registration.documentIds, false);
      await store.updatePartner(transaction, partnerId, read.kept);
    }),
  );
  return partnerId;
}
