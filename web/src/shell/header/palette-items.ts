import { loadJson, storeItem } from '#lib/browser/storage.ts';
import type { findAnything } from '@diwan/contract/requests/request-lists';
import type { ReplyOf } from '@diwan/contract/wire/call';

/** The kinds of rows, in the order in which they are shown. */
export const paletteKinds = [
  'requests',
  'documents',
  'payments',
  'pages',
  'people',
  'services',
  'companies',
  'partners',
] as const;
export type PaletteKind = (typeof paletteKinds)[number];

/** A row of the palette, and where it leads. */
export interface PaletteItem {
  kind: PaletteKind;
  name: string;
  /** What tells it from others of the same name. */
  detail?: string;
  to: string;
}

/** Keeps the direction of a name out of the text around it. */
const isolate = (text: string) => `\u2068${text}\u2069`;

const requestOf = (requestNumber: string) =>
  `/requests/request-details?${new URLSearchParams({ 'request-number': requestNumber })}`;

type Found = ReplyOf<typeof findAnything>;

/** The words of rows without their own name. */
interface PaletteTexts {
  document: (kind: Found['documents'][number]['kind']) => string;
  payment: (payment: Found['payments'][number]) => string;
}

/** What the server found, as rows. */
export function itemsOf(found: Found, isAdmin: boolean, texts: PaletteTexts): PaletteItem[] {
  return [
    ...found.requests.map(
      ({ requestNumber, serviceName, applicantName, statusName }): PaletteItem => ({
        kind: 'requests',
        name: requestNumber,
        detail: [statusName, serviceName, isolate(applicantName)].join(' · '),
        to: requestOf(requestNumber),
      }),
    ),
    ...found.documents.map(({ number, kind, requestNumber }): PaletteItem => ({
      kind: 'documents',
      name: number,
      detail: [texts.document(kind), isolate(requestNumber)].join(' · '),
      to: `${requestOf(requestNumber)}#${number}`,
    })),
    ...found.payments.map((payment): PaletteItem => ({
      kind: 'payments',
      name: payment.merchantReference,
      detail: texts.payment(payment),
      to: `/dashboard/payments?${new URLSearchParams({ payment: payment.merchantReference })}`,
    })),
    ...found.people.map(({ userId, username, fullName, email }): PaletteItem => ({
      kind: 'people',
      name: fullName,
      detail: [username, email].map(isolate).join(' · '),
      to: `/dashboard/users/${userId}`,
    })),
    ...found.services.map(({ id, name, agencyName, replacedName }): PaletteItem => ({
      kind: 'services',
      name,
      detail: agencyName,
      to: isAdmin
        ? `/dashboard/services/${id}`
        : `/requests/Create/${encodeURIComponent(replacedName)}`,
    })),
    ...found.companies.map(({ id, name }): PaletteItem => ({
      kind: 'companies',
      name,
      to: `/dashboard/companies/${id}`,
    })),
    ...found.partners.map(({ id, name }): PaletteItem => ({
      kind: 'partners',
      name,
      to: `/dashboard/service-providers/${id}`,
    })),
  ];
}

const maximumRecent = 6;
const recentKey = (userId: string) => `palette-recent:${userId}` as const;

const isItem = (value: unknown): value is PaletteItem => {
  const { kind, name, to } = (value ?? {}) as Record<string, unknown>;
  return (
    paletteKinds.some((each) => each === kind) &&
    typeof name === 'string' &&
    typeof to === 'string' &&
    to.startsWith('/') &&
    !to.startsWith('//')
  );
};

/** What the user opened last in this browser. */
export function loadRecent(userId: string): PaletteItem[] {
  const stored = loadJson('local', recentKey(userId));
  return Array.isArray(stored) ? stored.filter(isItem).slice(0, maximumRecent) : [];
}

/** Keeps names and addresses only: details say who applied for what. */
export function storeRecent(userId: string, { kind, name, to }: PaletteItem): void {
  const others = loadRecent(userId).filter((item) => item.to !== to);
  storeItem(
    'local',
    recentKey(userId),
    JSON.stringify([{ kind, name, to }, ...others].slice(0, maximumRecent)),
  );
}
