import { z } from 'zod';
import { administrators, auditReaders, defineCall } from '../wire/call.ts';
import type { PageName } from './page-list.ts';

/** What is to be done before visitors come: on the first day, and before the portal is live. */
export const readinessLists = ['firstDay', 'goingLive'] as const;
export type ReadinessList = (typeof readinessLists)[number];

interface ReadinessItem {
  lists: readonly ReadinessList[];
  /** Where an administrator does it; the address may go on with a query, or a part of the page. */
  page?: PageName;
  query?: string;
  /** The settings that the operator of the server sets instead. */
  settings?: readonly string[];
}

const both = readinessLists;
const firstDay = ['firstDay'] as const;
const goingLive = ['goingLive'] as const;

/** Every item in the order in which it is done. The server says which are done. */
export const readinessItems = {
  name: { lists: both, page: 'adminPortal', query: '#names' },
  support: { lists: both, page: 'adminPortal', query: '#support' },
  logo: { lists: goingLive, page: 'adminPortal', query: '#names' },
  secondFactor: { lists: both, page: 'adminSecurity' },
  secondAdmin: { lists: both, page: 'adminStaff' },
  staff: { lists: firstDay, page: 'adminStaff' },
  agency: { lists: firstDay, page: 'adminAgencies' },
  category: { lists: firstDay, page: 'adminCategories' },
  rejectionReasons: { lists: firstDay, page: 'adminRejectionReasons', query: '?add=usual' },
  documentTypes: { lists: firstDay, page: 'adminAttachments', query: '?show=types&add=usual' },
  service: { lists: firstDay, page: 'adminServices' },
  paymentProvider: {
    lists: both,
    settings: ['PAYMENT_PROVIDER_URL', 'N_GENIUS_KEY', 'STRIPE_KEY'],
  },
  mailSender: { lists: goingLive, settings: ['SMTP_URL', 'MAIL_FROM'] },
  mailTried: { lists: both, page: 'adminStaff' },
  legalTexts: { lists: goingLive, page: 'adminTexts', query: '?noun=static' },
  seller: { lists: goingLive, page: 'adminPayments', query: '?tab=sellers' },
  seal: { lists: goingLive, settings: ['SEAL_CERTIFICATE_FILE', 'SEAL_KEYSTORE_FILE'] },
  publicUrl: { lists: goingLive, settings: ['PUBLIC_URL'] },
  sandbox: { lists: goingLive, settings: ['SANDBOX', 'SEED'] },
} as const satisfies Record<string, ReadinessItem>;
export type ReadinessName = keyof typeof readinessItems;
export const readinessNames = Object.keys(readinessItems) as ReadinessName[];

/** The items of a list, in their order. */
export const readinessOf = (list: ReadinessList): (ReadinessItem & { name: ReadinessName })[] =>
  readinessNames
    .map((name) => ({ name, ...(readinessItems[name] as ReadinessItem) }))
    .filter(({ lists }) => lists.includes(list));

/** Our own calls. `done` names the items that are done; the list of the first day may be hidden. */
export const getPortalReadiness = defineCall({
  name: 'getPortalReadiness',
  method: 'GET',
  path: '/api/Portal/GetPortalReadiness',
  who: auditReaders,
  summary: 'What of the first day and of going live is done',
  reply: z.object({
    done: z.array(z.enum(readinessNames as [ReadinessName, ...ReadinessName[]])),
    isFirstDayHidden: z.boolean(),
  }),
  refusals: [],
});

export const hideFirstDay = defineCall({
  name: 'hideFirstDay',
  method: 'POST',
  path: '/api/Portal/HideFirstDay',
  who: administrators,
  summary: 'Hide the list of the first day on the dashboard, for every administrator',
  body: z.strictObject({}),
  reply: z.object({ isFirstDayHidden: z.boolean() }),
  refusals: [],
});
