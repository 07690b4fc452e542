import type { Caller } from '#platform/auth/caller.ts';
import { Refusal, ValidationRefusal } from '#platform/core/refusals.ts';
import type { Transaction } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { checkContacts } from '@diwan/contract/forms/contact-details';
import { normalizeLicenceNumber } from '@diwan/contract/people/new-account';
import type { PartnerDetails } from '@diwan/contract/people/partner-registration';
import type { ValidationIssue } from '@diwan/contract/wire/errors';
import type { Language } from '@diwan/contract/wire/languages';
import type { Catalogue } from '../services/services.actions.ts';
import { bindDocuments } from './partner-documents.actions.ts';
import * as store from './partner-records.store.ts';
import { isUnaffiliated } from './partner-supervisors.actions.ts';
import {
  applyTransition,
  rejectDuplicateLicence,
  type PartnersContext,
} from './partner-transitions.actions.ts';

interface Registration extends PartnerDetails {
  documentIds: readonly string[];
}

/**
 * Validates the details of a service provider and returns them as columns. Licence numbers are
 * normalized to Latin digits and upper case.
 */
function parseDetails(
  catalogue: Catalogue,
  details: PartnerDetails,
): { columns: store.StoredDetails; agencyIds: number[]; issues: ValidationIssue[] } {
  const { values, issues } = checkContacts(
    {
      nameAr: 'nameInArabic',
      nameEn: 'nameInEnglish',
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
    ? checkContacts({ nameUr: 'nameInUrdu' }, { nameUr: details.nameUr })
    : undefined;
  const nameUr = urdu?.values.nameUr ?? '';
  // Without a name in Urdu, the English one is shown.
  const wrongUrdu = urdu?.issues.filter(({ code }) => code !== 'whitespace') ?? [];
  const agencyIds = [...new Set(details.agencyIds)];
  const known = new Set(catalogue.agencies().map(({ item }) => item.id));
  const unknown: ValidationIssue[] = agencyIds.every((id) => known.has(id))
    ? []
    : [{ field: 'agencyIds', code: 'notAllowed' }];
  const licence = normalizeLicenceNumber(values.licenceNumber);
  return {
    columns: {
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

async function storeDetails(
  transaction: Transaction,
  caller: Caller,
  details: ReturnType<typeof parseDetails>,
  { partnerId, ids, isWhole }: { partnerId: number; ids: readonly string[]; isWhole: boolean },
): Promise<void> {
  const issues = [
    ...details.issues,
    ...(await bindDocuments(transaction, caller, partnerId, { ids, isWhole })),
  ];
  if (issues.length > 0) throw new ValidationRefusal(issues);
  await store.replaceAgencies(transaction, partnerId, details.agencyIds);
}

/**
 * Registers a service provider and returns its id. The account becomes its first supervisor, so it
 * must have no role, company or requests.
 */
export async function register(
  context: PartnersContext,
  caller: Caller,
  registration: Registration,
  language: Language,
): Promise<number> {
  const details = parseDetails(context.catalogue, registration);
  return rejectDuplicateLicence(
    inTransaction(context.database, async (transaction) => {
      const account = await store.lockAccount(transaction, { id: caller.userId });
      if (!account || !isUnaffiliated(account)) throw new Refusal('AccountCannotRegisterProvider');
      if (details.issues.length > 0) throw new ValidationRefusal(details.issues);
      if (await store.isLicenceInUse(transaction, String(details.columns.licence_number), null))
        throw new Refusal('LicenceNumberInUse');
      const partnerId = await store.insertPartner(transaction, details.columns);
      await storeDetails(transaction, caller, details, {
        partnerId,
        ids: registration.documentIds,
        isWhole: true,
      });
      await store.makeSupervisor(transaction, caller.userId, partnerId);
      await applyTransition(context, transaction, {
        caller,
        partnerId,
        action: 'register',
        language,
      });
      return partnerId;
    }),
  );
}

/** Submits a corrected registration. Documents that are not sent again stay. */
export async function resubmit(
  context: PartnersContext,
  caller: Caller,
  registration: Registration & { version: number },
  language: Language,
): Promise<number> {
  const { partnerId } = caller;
  if (partnerId === null) throw new Refusal('NotFound');
  const details = parseDetails(context.catalogue, registration);
  await rejectDuplicateLicence(
    inTransaction(context.database, async (transaction) => {
      await applyTransition(context, transaction, {
        caller,
        partnerId,
        action: 'resubmit',
        version: registration.version,
        language,
      });
      if (
        await store.isLicenceInUse(transaction, String(details.columns.licence_number), partnerId)
      )
        throw new Refusal('LicenceNumberInUse');
      await storeDetails(transaction, caller, details, {
        partnerId,
        ids: registration.documentIds,
        isWhole: false,
      });
      await store.updatePartner(transaction, partnerId, details.columns);
    }),
  );
  return partnerId;
}
