import type { LocalizedText } from '@diwan/contract/wire/languages';
import type { CatalogueRows } from '../api/src/features/services/services.store.ts';
import { readSeedFiles, resolve } from '../api/src/seed/seed-files.ts';

const emirates: LocalizedText[] = [
  { 'ar-EG': 'أبوظبي', 'en-US': 'Abu Dhabi', 'ur-PK': 'ابوظہبی' },
  { 'ar-EG': 'دبي', 'en-US': 'Dubai', 'ur-PK': 'دبئی' },
  { 'ar-EG': 'الشارقة', 'en-US': 'Sharjah', 'ur-PK': 'شارجہ' },
  { 'ar-EG': 'عجمان', 'en-US': 'Ajman', 'ur-PK': 'عجمان' },
  { 'ar-EG': 'الفجيرة', 'en-US': 'Fujairah', 'ur-PK': 'فجیرہ' },
  { 'ar-EG': 'رأس الخيمة', 'en-US': 'Ras Al Khaimah', 'ur-PK': 'راس الخیمہ' },
];
const syllables = [
  'ba',
  'ri',
  'mo',
  'sul',
  'tan',
  'ka',
  'lee',
  'no',
  'zar',
  'hud',
  'fa',
  'wi',
  'que',
  'dor',
  'pel',
  'yas',
];
const arabicSyllables = [
  'با',
  'ري',
  'مو',
  'سل',
  'تن',
  'كا',
  'لي',
  'نو',
  'زر',
  'هد',
  'فا',
  'وي',
  'قو',
  'در',
  'بل',
  'يس',
];

/**
 * An invented place name, different for each number: otherwise ten thousand services would share
 * the words of two hundred.
 */
function placeName(number: number, from: readonly string[]): string {
  return [number % 16, Math.floor(number / 16) % 16, Math.floor(number / 256) % 16]
    .map((at) => from[at])
    .join('');
}

function varied(text: LocalizedText, number: number): LocalizedText {
  const emirate = emirates[number % emirates.length] as LocalizedText;
  const english = placeName(number, syllables);
  const arabic = placeName(number, arabicSyllables);
  return {
    'ar-EG': `${text['ar-EG']} ${arabic} ${emirate['ar-EG']}`,
    'en-US': `${text['en-US']} ${english} ${emirate['en-US']}`,
    'ur-PK': `${text['ur-PK']} ${arabic} ${emirate['ur-PK']}`,
  };
}

/**
 * The demo catalogue multiplied to `count` services with different names, as rows of the database.
 */
export async function largeCatalogue(count: number): Promise<CatalogueRows> {
  const files = await readSeedFiles();
  const agencyIds = new Map(files.agencies.map(({ slug }, index) => [slug, index + 1]));
  const categoryIds = new Map(files.categories.map(({ slug }, index) => [slug, index + 1]));
  const services = Array.from({ length: count }, (_, index) => {
    const { agency, service } = files.services[
      index % files.services.length
    ] as (typeof files.services)[number];
    const { form, attachments, fees, workingDays, terms, steps, result } = resolve(
      files.forms,
      service.form,
      'the form',
    );
    const isFirst = index < files.services.length;
    return {
      id: index + 1,
      replaced_name: isFirst ? service.replacedName : `${service.replacedName}-${index}`,
      name: isFirst ? service.name : varied(service.name, index),
      description: service.description,
      agency_id: resolve(agencyIds, agency, 'the agency'),
      category_id: resolve(categoryIds, service.category, 'the category'),
      partner_id: null,
      form,
      attachments,
      fees,
      working_days: workingDays,
      terms,
      steps,
      result,
      popular_rank: isFirst ? (service.popularRank ?? null) : null,
      ours_in: [],
      eligibility: service.eligibility ?? [],
      deleted_at: null,
    };
  });
  const logo = '/logos/agencies/dubai-police.svg';
  return {
    version: 1,
    services,
    accountTypes: files.accountTypes.map(({ accountTypeId, ...type }) => ({
      ...type,
      id: accountTypeId,
      logo,
    })),
    agencies: files.agencies.map((agency, index) => ({
      ...agency,
      id: index + 1,
      logo,
      ours_in: agency.oursIn,
    })),
    categories: files.categories.map((category, index) => ({
      ...category,
      id: index + 1,
      logo,
      ours_in: category.oursIn,
    })),
    synonyms: files.synonyms,
    serviceAccountTypes: services.map(({ id }) => ({
      service_id: id,
      account_type_id: (id % 3) + 1,
    })),
  } as unknown as CatalogueRows;
}
