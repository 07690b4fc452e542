// The best statements that we know for lists as clerks filter them. They read the indexes of the product.
import { normalizeText } from '../../api/src/platform/core/normalize-text.ts';
import type { BareStatement } from './bare-server.ts';
import { describeRow, literal } from './bare-sql.ts';

export const columns = [
  'number',
  'service',
  'agency',
  'applicant',
  'status',
  'total',
  'holder',
] as const;
export type Column = (typeof columns)[number];

/** What a clerk asks a list for. */
export interface Question {
  /** The user who asks. */
  clerkId: string;
  /** The agencies whose requests the clerk sees; all when absent. */
  agencies?: readonly number[];
  statusIds: readonly number[];
  /** The beginning of the first day and the end of the last one. */
  from: Date;
  before: Date;
  keyword?:
    | { kind: 'number' | 'mobile'; value: string }
    | { kind: 'words'; words: readonly Word[] };
  sortBy: 'sent' | 'due' | Column;
  order: 'asc' | 'desc';
  pageNumber: number;
  take: number;
}

/** A word, and the services and agencies in whose names it occurs. */
export interface Word {
  text: string;
  services: readonly number[];
  agencies: readonly number[];
}

const mostCounted = 10_000;
const mostFound = 200;

/** The order of a list as columns of `row`, and the value that is sorted besides the times. */
interface Sorting {
  value?: string;
  join?: string;
  order: string;
}

// `bench.places` has the places of services and agencies in the order of their Arabic names.
function sortingOf({ sortBy, order }: Question, statusOrder: string): Sorting {
  const sent = `created_at ${order}, id ${order}`;
  if (sortBy === 'sent') return { order: sent };
  if (sortBy === 'due') {
    const reverse = order === 'asc' ? 'desc' : 'asc';
    return {
      value: 'due_on',
      order: `value ${order} nulls last, created_at ${reverse}, id ${reverse}`,
    };
  }
  const values: Record<Column, [value: string, join?: string]> = {
    number: ['number'],
    applicant: ['applicant_name collate "ar-x-icu"'],
    total: ['total'],
    status: [`array_position(${statusOrder}, status_id)`],
    service: [
      'service_places.place',
      `join bench.places service_places
        on service_places.kind = 'service' and service_places.id = service_id`,
    ],
    agency: [
      'agency_places.place',
      `join bench.places agency_places
        on agency_places.kind = 'agency' and agency_places.id = agency_id`,
    ],
    holder: [
      'holders.full_name collate "ar-x-icu"',
      'left join users holders on holders.id = holder_id',
    ],
  };
  const [value, join = ''] = values[sortBy];
  return { value, join, order: `value ${order} nulls last, created_at desc, id desc` };
}

/** Collects the values of a statement. */
function openValues() {
  const values: unknown[] = [];
  return {
    values,
    add: (value: unknown, type: string) => `$${values.push(value)}::${type}`,
  };
}

type Values = ReturnType<typeof openValues>;

/** The conditions of a list but those of its statuses and agencies. */
function daysOf({ from, before }: Question, { add }: Values): string {
  return `created_at >= ${add(from, 'timestamptz')} and created_at < ${add(before, 'timestamptz')}`;
}

/**
 * A select for each status and agency, each of which reads one index in the order of sending. PostgreSQL
 * merges them; of one condition for all of them it would sort the whole list.
 */
function partsOf(
  { agencies, statusIds }: Question,
  { add }: Values,
): (selected: string, condition: string, ending?: string) => string {
  const ofAgencies = agencies?.map((id) => `agency_id = ${add(id, 'int')} and`) ?? [''];
  const ofStatuses = statusIds.map((id) => `status_id = ${add(id, 'int')}`);
  return (selected, condition, ending = '') =>
    ofAgencies
      .flatMap((agency) =>
        ofStatuses.map(
          (status) =>
            `(select ${selected} from requests where ${agency} ${status} and ${condition} ${ending})`,
        ),
      )
      .join(' union all ');
}

const isFoundBy = ({ text, services, agencies }: Word, { add }: Values): string => {
  const places = [
    `strpos(replace(search_text, ' ', ''), ${add(text, 'text')}) > 0`,
    // A list of values that is hashed; an array would be searched for each request.
    ...(services.length > 0 ? [`service_id in (select unnest(${add(services, 'int[]')}))`] : []),
    ...(agencies.length > 0 ? [`agency_id = any(${add(agencies, 'int[]')})`] : []),
  ];
  return places.length > 1 ? `(${places.join(' or ')})` : (places[0] as string);
};

interface List {
  before?: string;
  /** Selects the ids of the page with their places. */
  page: string;
  total: string;
}

const numbered = (from: string, { order }: Sorting, { pageNumber, take }: Question) => `
  select id, row_number() over () as place
  from (
    select id
    from ${from}
    order by ${order}
    limit ${take} offset ${(pageNumber - 1) * take}
  ) as sorted`;

/** A complete number or mobile number: a few requests, whatever else is asked for. */
function listOfOne(
  question: Question,
  { column, value }: { column: string; value: string },
  sorting: Sorting,
): [List, Values] {
  const values = openValues();
  const { add } = values;
  const { agencies, statusIds } = question;
  const conditions = [
    `${column} = ${add(value, 'text')}`,
    `status_id = any(${add(statusIds, 'int[]')})`,
    ...(agencies ? [`agency_id = any(${add(agencies, 'int[]')})`] : []),
    daysOf(question, values),
  ].join(' and ');
  const { value: sorted = 'null', join = '' } = sorting;
  return [
    {
      before: `with found as materialized (
        select listed.id, listed.created_at, ${sorted} as value
        from (select * from requests where ${conditions}) as listed ${join}
      )`,
      page: numbered('found', sorting, question),
      total: 'select count(*) from found',
    },
    values,
  ];
}

function listOfWords(question: Question, words: readonly Word[]): [List, Values] {
  const values = openValues();
  const days = daysOf(question, values);
  const parts = partsOf(question, values);
  const found = words.map((word) => isFoundBy(word, values)).join(' and ');
  const { pageNumber, take } = question;
  const limit = Math.max(mostFound, pageNumber * take) + 1;
  // Of the list, in the order of which the first requests are found; a search is sorted by nothing else.
  const isBySent = question.sortBy === 'sent';
  const order = isBySent && question.order === 'asc' ? 'asc' : 'desc';
  const sorting = { order: `created_at ${order}, id ${order}` };
  const ending = `order by ${sorting.order} limit ${limit}`;
  return [
    {
      before: `with found as materialized (
        select id, created_at
        from (${parts('id, created_at', `${days} and ${found}`, ending)}) as listed
        ${ending}
      )`,
      page: numbered('found', sorting, question),
      total: 'select count(*) from found',
    },
    values,
  ];
}

function listByDue(question: Question, sorting: Sorting): [List, Values] {
  const values = openValues();
  const days = daysOf(question, values);
  const parts = partsOf(question, values);
  const { agencies, statusIds, pageNumber, take } = question;
  const end = pageNumber * take;
  const statuses = `status_id = any(${values.add(statusIds, 'int[]')})`;
  const ofAgencies = agencies ? `agency_id = any(${values.add(agencies, 'int[]')}) and` : '';
  const [, , reverse] = /, (created_at (asc|desc)), /.exec(sorting.order) ?? [];
  const undatedOrder = `order by created_at ${reverse}, id ${reverse} limit ${end}`;
  return [
    {
      // The index of due days has the few requests that have one.
      before: `with dated as materialized (
          select id, created_at, due_on as value
          from requests
          where due_on is not null and ${ofAgencies} ${statuses} and ${days}
          order by ${sorting.order.replace('value', 'due_on')}
          limit ${end}
        ),
        undated as materialized (
          select id, created_at, null::date as value
          from (${parts(
            'id, created_at',
            `${days} and due_on is null and (select count(*) from dated) < ${end}`,
            undatedOrder,
          )}) as listed
          ${undatedOrder}
        )`,
      page: numbered(
        '(select * from dated union all select * from undated) as listed',
        sorting,
        question,
      ),
      total: countOf(parts, days, question),
    },
    values,
  ];
}

const countOf = (
  parts: ReturnType<typeof partsOf>,
  days: string,
  { pageNumber, take }: Question,
) => `
  select count(*)
  from (
    select 1
    from (${parts('1', days)}) as listed
    limit ${Math.max(mostCounted, pageNumber * take) + 1}
  ) as counted`;

const sources: Record<Column, string> = {
  number: 'number',
  service: 'service_id',
  agency: 'agency_id',
  applicant: 'applicant_name',
  status: 'status_id',
  total: 'total',
  holder: 'holder_id',
};

function listBy(question: Question, sorting: Sorting): [List, Values] {
  const values = openValues();
  const days = daysOf(question, values);
  const parts = partsOf(question, values);
  const { sortBy, pageNumber, take } = question;
  const end = pageNumber * take;
  const total = countOf(parts, days, question);
  if (sortBy === 'sent') {
    const ending = `order by ${sorting.order} limit ${end}`;
    const page = numbered(
      `(${parts('id, created_at', days, ending)}) as listed`,
      sorting,
      question,
    );
    return [{ page, total }, values];
  }
  const source = sources[sortBy as Column];
  const { value, join = '' } = sorting;
  const page = numbered(
    `(
      select listed.id, listed.created_at, ${value} as value
      from (${parts(`id, created_at, ${source}`, days)}) as listed ${join}
    ) as valued`,
    sorting,
    question,
  );
  return [{ page, total }, values];
}

/** The reply for a question; `statuses` as JSON by id, and their ids in the order of the workflow. */
export function clerkList(
  question: Question,
  statuses: string,
  orderOfStatuses: readonly number[],
): BareStatement {
  const { keyword, pageNumber, take, sortBy } = question;
  const sorting = sortingOf(question, `array[${orderOfStatuses.join(', ')}]`);
  const [list, { values, add }] =
    keyword?.kind === 'words'
      ? listOfWords(question, keyword.words)
      : keyword
        ? listOfOne(
            question,
            {
              column: keyword.kind === 'number' ? 'number' : 'phone_number',
              value: keyword.value,
            },
            sorting,
          )
        : sortBy === 'due'
          ? listByDue(question, sorting)
          : listBy(question, sorting);
  const most = Math.max(keyword?.kind === 'words' ? mostFound : mostCounted, pageNumber * take);
  const item = describeRow(
    `${literal(statuses)}::jsonb`,
    `holder.id = ${add(question.clerkId, 'uuid')}`,
  );
  return {
    text: `
      ${list.before ?? ''}
      select json_strip_nulls(json_build_object(
        'items', coalesce((
          select json_agg(${item} order by page.place)
          from (${list.page}) as page
          join requests row on row.id = page.id
          join services on services.id = row.service_id
          join agencies on agencies.id = row.agency_id
          left join users holder on holder.id = row.holder_id
        ), '[]'),
        'pageNumber', ${add(pageNumber, 'int')},
        'totalCount', least(count, ${most}),
        'isTotalAtLeast', case when count > ${most} then true end
      ))::text
      from (${list.total}) as counted`,
    values,
  };
}

/** A word in the form that searches compare. */
export const wordsOf = (text: string): string[] => normalizeText(text).split(' ');
