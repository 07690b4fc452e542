import {
  pageList,
  type Page,
  type PageName,
  type PageNameWithParameter,
} from '@diwan/contract/portal/page-list';
import type { Role } from '@diwan/contract/wire/call';

/** One visit of a page of the portal that needs no record. */
export interface PortalVisit {
  page: PageName;
  /** The name of its picture. */
  name: string;
  path: string;
  /** The demo user who opens it; anonymous without. */
  as?: string | undefined;
  /** The key of its main heading (`noun:key`), where that is fixed. */
  heading?: string | undefined;
  /** Signs in for each visit, because the page renews its token. */
  isFresh?: boolean;
}

/** Who opens a page: the demo user of the first role that may. */
const people: readonly (readonly [Role, string])[] = [
  ['Client', 'individual'],
  ['Employee', 'employee'],
  ['Admin', 'admin'],
  ['CompanyUser', 'company2'],
  ['ServiceProvider', 'supervisor2'],
];

/**
 * Pages that are visited in another way than once at their address: with an example of a parameter, by
 * other people, or not at all, because they need a record and have separate journeys.
 */
const exceptions: Record<PageNameWithParameter, readonly Partial<PortalVisit>[]> &
  Partial<Record<PageName, readonly Partial<PortalVisit>[]>> = {
  allServices: [{}],
  legalVersion: [{ path: '/legal/1' }],
  individuals: [
    { name: 'home-services', path: '/home/services/individuals#all', as: 'individual' },
  ],
  companies: [
    { name: 'home-services-agencies', path: '/home/services/companies#category', as: 'company' },
  ],
  investors: [],
  createRequest: [
    {
      name: 'service-missing',
      path: '/requests/Create/no-such-service',
      heading: 'forms:missing.title',
    },
  ],
  wizard: [
    { name: 'wizard-choose', path: '/home/auth/9', heading: 'users:wizard.chooseTitle' },
    { name: 'wizard-identity', path: '/home/auth/1', heading: 'users:wizard.title' },
  ],
  identityReturn: [],
  staffInvitation: [],
  paymentStatus: [],
  acceptedRequest: [{ name: 'accepted-request-none', heading: 'payments:accepted.noneTitle' }],
  partnerRegister: [{}, { name: 'partner-register-form', as: 'individual' }],
  requestDetails: [],
  partnerProfile: [
    {},
    { name: 'provider-new', as: 'provider-new', isFresh: true },
    { name: 'provider-suspended', as: 'provider-suspended', isFresh: true },
  ],
  profile: [{ as: 'company2' }],
  secondFactor: [{ as: 'admin' }],
  adminUser: [],
  adminCompany: [],
  adminPartner: [],
  adminServiceDesign: [],
};

function visitsOf({ name, address, who, heading, redirectTo }: Page): PortalVisit[] {
  if (redirectTo !== undefined) return [];
  const usual: PortalVisit = {
    page: name,
    name: name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    path: address,
    as: who === 'anyone' ? undefined : people.find(([role]) => who.includes(role))?.[1],
    heading,
  };
  return (exceptions[name] ?? [{}]).map((visit) => ({ ...usual, ...visit }));
}

/**
 * What journeys, pictures and accessibility checks visit: every page of the table in
 * `contract/src/portal/pages.ts`.
 */
export const portalVisits: readonly PortalVisit[] = pageList.flatMap(visitsOf);
