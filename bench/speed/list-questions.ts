import { arabicNames, oldWords, rareName } from './people-names.ts';

export const askers = ['employee', 'supervisor', 'company', 'individual'] as const;
export type Asker = (typeof askers)[number];

/** Keywords taken from the data itself. */
export interface Words {
  number: string;
  phone: string;
}

export interface Question {
  name: string;
  askers: readonly Asker[];
  query: (words: Words) => Record<string, string>;
  /** Also for callers who are not clerks; for clerks all plans are shown. */
  isPlanShown?: true;
}

/** The day that many days ago. */
export const day = (ago: number) =>
  new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
const all = askers;
const staff: readonly Asker[] = ['employee'];
const many: readonly Asker[] = ['employee', 'supervisor', 'company'];
const keyword =
  (text: string, more: Record<string, string> = {}) =>
  () => ({ SearchKeyword: text, Take: '20', ...more });
const [mohammed = ''] = arabicNames.given;

export const questions: readonly Question[] = [
  { name: 'first page', askers: all, query: () => ({ Take: '20' }), isPlanShown: true },
  {
    name: 'first page, oldest first',
    askers: many,
    query: () => ({ Take: '20', sortOrder: 'asc' }),
  },
  { name: 'by status: new', askers: many, query: () => ({ StatusId: '3', Take: '20' }) },
  { name: 'by status: completed', askers: all, query: () => ({ StatusId: '9', Take: '20' }) },
  {
    name: 'by five statuses',
    askers: many,
    query: () => ({ StatusIds: '4,5,6,7,8', Take: '20' }),
    isPlanShown: true,
  },
  {
    name: 'new and processing, due first',
    askers: many,
    query: () => ({ StatusIds: '3,4', SortBy: 'due', sortOrder: 'asc', Take: '20' }),
    isPlanShown: true,
  },
  {
    name: 'all, due first',
    askers: many,
    query: () => ({ SortBy: 'due', sortOrder: 'asc', Take: '20' }),
  },
  { name: 'late', askers: many, query: () => ({ Due: 'late', SortBy: 'due', Take: '20' }) },
  {
    name: 'of a service, due first',
    askers: staff,
    query: () => ({ ServiceId: '5', SortBy: 'due', sortOrder: 'asc', Take: '20' }),
  },
  { name: 'held by the caller', askers: staff, query: () => ({ OnlyMine: 'true', Take: '20' }) },
  {
    name: 'a week',
    askers: many,
    query: () => ({ DateFrom: day(100), DateTo: day(94), Take: '20' }),
  },
  {
    name: 'a year',
    askers: many,
    query: () => ({ DateFrom: day(500), DateTo: day(135), Take: '20' }),
  },
  { name: 'page 1000', askers: many, query: () => ({ PageNumber: '1000', Take: '20' }) },
  {
    name: 'page 1000 of completed',
    askers: many,
    query: () => ({ StatusId: '9', PageNumber: '1000', Take: '20' }),
  },
  {
    name: 'page 1000 of five statuses',
    askers: staff,
    query: () => ({ StatusIds: '2,5,9,10,4', PageNumber: '1000', Take: '20' }),
  },
  {
    name: 'page 1000 of a year',
    askers: staff,
    query: () => ({ DateFrom: day(500), DateTo: day(135), PageNumber: '1000', Take: '20' }),
  },
  {
    name: 'page 40 000, past half',
    askers: staff,
    query: () => ({ PageNumber: '40000', Take: '20' }),
  },
  { name: 'past the end', askers: all, query: () => ({ PageNumber: '1000000', Take: '100' }) },
  { name: 'word: rare name', askers: many, query: keyword(rareName.toLowerCase()) },
  {
    name: 'word: of thousands, long ago',
    askers: many,
    query: keyword(oldWords.many),
    isPlanShown: true,
  },
  {
    name: 'word: of some in Urdu, long ago',
    askers: many,
    query: keyword(oldWords.some),
    isPlanShown: true,
  },
  {
    name: 'word: of some, long ago, completed',
    askers: many,
    query: keyword(oldWords.some, { StatusId: '9' }),
  },
  { name: 'word: the most common name', askers: many, query: keyword(mohammed), isPlanShown: true },
  { name: 'word: a family name', askers: many, query: keyword('الزعابي') },
  { name: 'two names', askers: many, query: keyword('mohammed khan') },
  { name: 'word: of many services', askers: many, query: keyword('renew') },
  { name: 'word: of an agency, and a name', askers: many, query: keyword('dubai sharma') },
  { name: 'one letter', askers: staff, query: keyword('a') },
  {
    name: 'request number',
    askers: many,
    query: ({ number }) => ({ SearchKeyword: number, Take: '20' }),
  },
  {
    name: 'the end of a request number',
    askers: staff,
    query: ({ number }) => ({ SearchKeyword: number.slice(-5), Take: '20' }),
  },
  { name: 'phone', askers: many, query: ({ phone }) => ({ SearchKeyword: phone, Take: '20' }) },
  { name: 'wildcards', askers: many, query: keyword('%_%') },
  { name: 'nothing to find', askers: many, query: keyword('xyzzyqqq') },
  {
    name: 'status and word and a year',
    askers: many,
    query: keyword('ahmed', { StatusId: '9', DateFrom: day(500), DateTo: day(135) }),
  },
  { name: 'new, and a word', askers: many, query: keyword('fatima', { StatusId: '3' }) },
  {
    name: 'page 100 of a common word',
    askers: staff,
    query: keyword(mohammed, { PageNumber: '100' }),
  },
  {
    name: 'a year of numbers, long ago',
    askers: many,
    query: ({ number }) => ({ SearchKeyword: number.slice(0, 4), Take: '20' }),
  },
  { name: 'two digits', askers: many, query: keyword('57') },
  {
    name: 'last page of a common word',
    askers: staff,
    query: keyword(mohammed, { PageNumber: '500', sortOrder: 'asc' }),
  },
  {
    name: 'returned, and a rare name',
    askers: many,
    query: keyword(rareName.toLowerCase(), { StatusId: '5' }),
  },
  {
    name: 'five statuses, and a family name',
    askers: many,
    query: keyword('الزعابي', { StatusIds: '4,5,6,7,8' }),
  },
  {
    name: 'with refundable fees, and a name',
    askers: many,
    query: keyword('fatima', { HasRefundableFees: 'true' }),
  },
  {
    name: 'with refundable fees',
    askers: many,
    query: () => ({ HasRefundableFees: 'true', Take: '20' }),
    isPlanShown: true,
  },
];
