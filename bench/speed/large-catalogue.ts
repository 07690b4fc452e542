// A catalogue of another size: the services of the demo data, with different names.
import type { LocalizedText } from '@diwan/contract/wire/languages';
import type { Database } from '../../api/src/platform/database/database.ts';
import { sql } from '../../api/src/platform/database/sql.ts';

const emirates: LocalizedText[] = [
  { 'ar-EG': 'أبوظبي', 'en-US': 'Abu Dhabi', 'ur-PK': 'ابوظہبی' },
  { 'ar-EG': 'دبي', 'en-US': 'Dubai', 'ur-PK': 'دبئی' },
  { 'ar-EG': 'الشارقة', 'en-US': 'Sharjah', 'ur-PK': 'شارجہ' },
  { 'ar-EG': 'عجمان', 'en-US': 'Ajman', 'ur-PK': 'عجمان' },
  { 'ar-EG': 'الفجيرة', 'en-US': 'Fujairah', 'ur-PK': 'فجیرہ' },
  { 'ar-EG': 'رأس الخيمة', 'en-US': 'Ras Al Khaimah', 'ur-PK': 'راس الخیمہ' },
];
const syllables = 'ba ri mo sul tan ka lee no zar hud fa wi que dor pel yas'.split(' ');
const arabicSyllables = 'با ري مو سل تن كا لي نو زر هد فا وي قو در بل يس'.split(' ');

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

/** Removes services from the catalogue, or adds some, so that it has `count`. */
export async function resizeCatalogue(database: Database, count: number): Promise<void> {
  const known = await database
    .selectFrom('services')
    .select(['id', 'name', 'replaced_name'])
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute();
  await database
    .updateTable('services')
    .set({ deleted_at: new Date() })
    .where('id', 'in', [0, ...known.slice(count).map(({ id }) => id)])
    .execute();
  const added = Array.from({ length: Math.max(0, count - known.length) }, (_, index) => {
    const source = known[index % known.length] as (typeof known)[number];
    const number = known.length + index;
    return {
      source: source.id,
      replaced_name: `${source.replaced_name}-${number}`,
      name: varied(source.name, number),
    };
  });
  await sql`
    insert into services (
      replaced_name, name, description, agency_id, category_id, partner_id, form, attachments,
      fees, working_days, terms, steps, result, ours_in, eligibility
    )
    select added.replaced_name, added.name, description, agency_id, category_id, partner_id,
      form, attachments, fees, working_days, terms, steps, result, ours_in, eligibility
    from jsonb_to_recordset(${JSON.stringify(added)}::jsonb)
      as added(source int, replaced_name text, name jsonb)
    join services on services.id = added.source
  `.execute(database);
  await sql`
    insert into service_account_types (service_id, account_type_id)
    select service.id, account_type_id
    from services as service
    join services as source
      on source.replaced_name = regexp_replace(service.replaced_name, '-[0-9]+$', '')
      and source.id <> service.id
    join service_account_types types on types.service_id = source.id
    where not exists (
      select
      from service_account_types
      where service_account_types.service_id = service.id
    )
  `.execute(database);
  await sql`vacuum (analyze) services`.execute(database);
}
