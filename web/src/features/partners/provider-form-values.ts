import { checkContacts } from '@diwan/contract/forms/contact-details';
import type { PartnerDetails, PartnerRecord } from '@diwan/contract/people/partner-registration';
import type { ValidationIssue } from '@diwan/contract/wire/errors';

export interface ProviderValues {
  nameAr: string;
  nameEn: string;
  nameUr: string;
  licenceNumber: string;
  agencyIds: string[];
  contactName: string;
  contactEmail: string;
  contactPhone: string;
}

export const emptyProvider: ProviderValues = {
  nameAr: '',
  nameEn: '',
  nameUr: '',
  licenceNumber: '',
  agencyIds: [],
  contactName: '',
  contactEmail: '',
  contactPhone: '',
};

/**
 * The submitted values, for correction. An Urdu name that equals the English one was not provided.
 */
export function valuesOf(record: PartnerRecord): ProviderValues {
  const {
    names,
    licenceNumber = '',
    agencies,
    contactName = '',
    contactEmail = '',
    contactPhone = '',
  } = record;
  return {
    nameAr: names['ar-EG'],
    nameEn: names['en-US'],
    nameUr: names['ur-PK'] === names['en-US'] ? '' : names['ur-PK'],
    licenceNumber,
    agencyIds: agencies.map(({ id }) => String(id)),
    contactName,
    contactEmail,
    contactPhone,
  };
}

/** The validation issues in the order of the form; the server validates the same rules. */
export function issuesOf(
  values: ProviderValues,
): Pick<ValidationIssue, 'field' | 'code' | 'params'>[] {
  const texts = [
    ...checkContacts(
      { nameAr: 'nameInArabic', nameEn: 'nameInEnglish', licenceNumber: 'text' },
      values,
    ).issues,
    ...(values.nameUr.trim() === ''
      ? []
      : checkContacts({ nameUr: 'nameInUrdu' }, { nameUr: values.nameUr }).issues),
  ];
  const short = (['nameAr', 'nameEn', 'licenceNumber'] as const).filter(
    (name) =>
      values[name].trim() !== '' &&
      [...values[name].trim()].length < (name === 'licenceNumber' ? 3 : 2),
  );
  const contacts = checkContacts(
    { contactName: 'name', contactEmail: 'email', contactPhone: 'mobile' },
    values,
  ).issues;
  return [
    ...texts,
    ...short.map((field) => ({
      field,
      code: 'tooShort' as const,
      params: { minimum: field === 'licenceNumber' ? 3 : 2 },
    })),
    ...(values.agencyIds.length > 0 ? [] : [{ field: 'agencyIds', code: 'required' as const }]),
    ...contacts,
  ];
}

export function bodyOf({ nameUr, agencyIds, ...values }: ProviderValues): PartnerDetails {
  return {
    ...values,
    agencyIds: agencyIds.map(Number),
    ...(nameUr.trim() === '' ? {} : { nameUr }),
  };
}
