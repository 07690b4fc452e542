import type { Database } from '#platform/database/database.ts';
import { selectCountedPage } from '#platform/database/keyword-search.ts';
import { sql } from '#platform/database/sql.ts';
import type {
  getVatReport,
  getVatReportLines,
  VatReportLine,
  VatReportRow,
} from '@diwan/contract/payments/vat-report';
import type { QueryOf } from '@diwan/contract/wire/call';
import type { Language } from '@diwan/contract/wire/languages';
import { emirateCodes } from '../invoices/invoices.store.ts';

/** Days of supply in Asia/Dubai, both included, and whose documents; those of all sellers without it. */
export type VatPeriod = QueryOf<typeof getVatReport>;

const emirateNames = JSON.stringify(
  Object.fromEntries(Object.entries(emirateCodes).map(([name, code]) => [code, name])),
);

// The series of an agency begin with its id after their kind. Decision 0125.
const sellingAgency = sql`substring(invoices.series from '^[A-Z]+-A([0-9]+)-')::int`;
const soldBy = (seller: VatPeriod['Seller']) =>
  seller === undefined
    ? sql`true`
    : seller === 'operator'
      ? sql`${sellingAgency} is null`
      : sql`${sellingAgency} = ${seller}`;

// A line of a document of the period, as `vatCategoryOf` reads it. The emirate is that of the agency that
// sold it, or whose request it is, else that of the seller on the document. Decision 0134.
const linesOf = ({ From, Until, Seller }: VatPeriod) => sql`(
  select invoices.id, invoices.kind, invoices.number, each.position,
    content -> 'transfer' ->> 'day' as day, content ->> 'requestNumber' as request_number,
    agencies.name as agency_name,
    coalesce(
      agencies.emirate,
      ${emirateNames}::jsonb ->> (content -> 'seller' -> 'address' ->> 'emirate')
    ) as emirate,
    line ->> 'title' as issued_title, line -> 'titles' as titles,
    case
      when (line ->> 'vatRate')::int > 0 then 'standard'
      else coalesce(line ->> 'vatCategory', 'outOfScope')
    end as category,
    (line ->> 'amount')::bigint as amount, (line ->> 'vat')::bigint as vat
  from invoices
  join requests
    on requests.id = invoices.request_id
  join agencies
    on agencies.id = coalesce(${sellingAgency}, requests.agency_id)
  cross join jsonb_array_elements(content -> 'lines') with ordinality as each (line, position)
  where invoices.kind <> 'receipt'
    and content -> 'transfer' ->> 'day' between ${From} and ${Until}
    and ${soldBy(Seller)}
)`;

/** The sums by emirate and category. */
export async function selectReport(database: Database, period: VatPeriod): Promise<VatReportRow[]> {
  const { rows } = await sql<Omit<VatReportRow, 'emirate'> & { emirate: string | null }>`
    select emirate, category,
      coalesce(sum(amount) filter (where kind = 'invoice'), 0)::bigint as supplies,
      coalesce(sum(vat) filter (where kind = 'invoice'), 0)::bigint as vat,
      coalesce(sum(amount) filter (where kind = 'creditNote'), 0)::bigint as credited,
      coalesce(sum(vat) filter (where kind = 'creditNote'), 0)::bigint as "creditedVat",
      count(*)::int as lines
    from ${linesOf(period)} as line
    group by emirate, category
    order by emirate nulls last, category`.execute(database);
  return rows.map(({ emirate, ...row }) => ({
    ...row,
    ...(emirate ? { emirate } : {}),
  })) as VatReportRow[];
}

const columns = (language: Language) => sql`
  number, position::int as line, day, request_number as "requestNumber",
  agency_name ->> ${language} as "agencyName", emirate,
  coalesce(titles ->> ${language}, issued_title) as title, category,
  case kind when 'creditNote' then -amount else amount end as amount,
  case kind when 'creditNote' then -vat else vat end as vat`;

type LineRow = Omit<VatReportLine, 'emirate'> & { emirate: string | null };
const toLine = ({ emirate, ...row }: LineRow) =>
  ({ ...row, ...(emirate ? { emirate } : {}) }) as VatReportLine;

/** A page of the lines behind a row, by their day and document. */
export async function selectLines(
  database: Database,
  language: Language,
  { Emirate, Category, PageNumber, Take, ...period }: QueryOf<typeof getVatReportLines>,
): Promise<{ items: VatReportLine[]; totalCount: number }> {
  const { items, totalCount } = await selectCountedPage<LineRow>(
    database,
    {
      columns: columns(language),
      from: sql`
        ${linesOf(period)} as line
        where coalesce(emirate, 'none') = ${Emirate}
          and category = ${Category}`,
      order: sql`day`,
      ties: sql`id, position`,
    },
    { PageNumber, Take },
  );
  return { items: items.map(toLine), totalCount };
}

const batch = 1000;

/** Every line of a period by its document, in batches. */
export async function* readLines(
  database: Database,
  language: Language,
  period: VatPeriod,
): AsyncGenerator<VatReportLine[]> {
  for (let after = { id: 0, position: 0 }; ;) {
    const { rows } = await sql<LineRow & { id: number; position: number }>`
      select ${columns(language)}, id, position
      from ${linesOf(period)} as line
      where (id, position) > (${after.id}, ${after.position})
      order by id, position
      limit ${batch}`.execute(database);
    if (rows.length > 0) yield rows.map(({ id: _id, position: _position, ...row }) => toLine(row));
    const last = rows.at(-1);
    if (!last || rows.length < batch) return;
    after = { id: last.id, position: last.position };
  }
}
