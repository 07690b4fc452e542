import { describe, expect, it } from 'vitest';
import type { Session } from '#lib/api/session.ts';
import type { Role } from '@diwan/contract/wire/call';
import { canSee, navigationFor, visibility, type ShellElement } from './visibility.ts';

function person(roles: Role[], isUAEPass = false): Session {
  return {
    ssid: '1',
    displayName: 'person',
    fullName: 'A Person',
    isServiceProvider: roles.includes('ServiceProvider'),
    isUAEPass,
    exp: 4_000_000_000,
    token: 't',
    roles,
  };
}

const people: Record<string, Session | null> = {
  anonymous: null,
  client: person(['Client']),
  'client by UAE PASS': person(['Client'], true),
  company: person(['CompanyUser']),
  'company by UAE PASS': person(['CompanyUser'], true),
  employee: person(['Employee']),
  'employee by UAE PASS': person(['Employee'], true),
  supervisor: person(['ServiceProvider']),
  admin: person(['Admin']),
  'admin and employee': person(['Admin', 'Employee']),
  'supervisor and employee': person(['ServiceProvider', 'Employee']),
  finance: person(['Finance']),
  content: person(['Content']),
  auditor: person(['Auditor']),
  'agency administrator': person(['AgencyAdmin']),
  'agency administrator and employee': person(['AgencyAdmin', 'Employee']),
};

const adminOnly = '. . . . . . . . x x . . . x . .';
const agencyAdmin = '. . . . . . . . x x . . . x x x';
const content = '. . . . . . . . x x . . x x . .';
const agencyContent = '. . . . . . . . x x . . x x x x';
const moneyOnly = '. . . . . . . . x x . x . x . .';
// Specification §6, in the order of `people`:                       `companyUsers` and the last
// five elements are ours
const expected: Record<ShellElement, string> = {
  //                  anonymous, client, by UAE PASS, company, by UAE PASS, employee, by UAE PASS,
  // supervisor, admin, admin+employee, supervisor+employee, finance, content, auditor,
  // agency administrator, agency administrator+employee
  login: 'x . . . . . . . . . . . . . . .',
  bell: '. . . . . x x x . . x . . . . x',
  palette: '. . . . . x x x x x x x x x x x',
  adminDashboard: agencyAdmin,
  supervisorDashboard: '. . . . . . . x . . x . . . . .',
  companyDashboard: '. . . x x . . . . . . . . . . .',
  newRequests: '. . . . . x x . x x x . . x . x',
  processingRequests: '. . . . . x x . x x x . . x . x',
  allRequests: '. . . . . x x . x x x x . x . x',
  counter: '. . . . . x x . . x x . . . . x',
  partnerProfile: '. . . . . . . x . . x . . . . .',
  adminUsers: agencyAdmin,
  adminPartners: adminOnly,
  adminCompanies: adminOnly,
  adminServices: agencyContent,
  adminAttachments: content,
  adminServiceProviders: adminOnly,
  adminAgencies: agencyAdmin,
  adminCategories: content,
  adminRejectionReasons: agencyContent,
  adminSearch: agencyContent,
  adminAnnouncements: agencyContent,
  adminDays: agencyContent,
  adminPayments: moneyOnly,
  adminCertificates: agencyContent,
  adminPortal: adminOnly,
  adminTexts: content,
  adminAccountTypes: content,
  reports: '. . . . . . . x x x x x . x x x',
  companyRequests: '. . . x x . . . . . . . . . . .',
  companyUsers: '. . . x x . . . . . . . . . . .',
  changePassword: '. . . x . x . . . x x x x x x x',
  adminWorkflow: adminOnly,
  adminSecurity: adminOnly,
  adminMessages: adminOnly,
  adminAudit: agencyAdmin,
  adminTeams: agencyAdmin,
  adminComplaints: agencyAdmin,
  adminReading: agencyAdmin,
  savedTexts: '. . . . . x x x x x x . . . . x',
  myRequests: '. x x . . . . . . . . . . . . .',
  myCertificates: '. x x x x . . . . . . . . . . .',
  issuedCertificates: '. . . . . x x . x x x . . x . x',
  notifications: '. x x x x . . . x x . . . . . .',
  profile: '. x x x x x x x x x x x x x x x',
  logout: '. x x x x x x x x x x x x x x x',
};

describe.each(Object.entries(expected))('%s', (element, row) => {
  const shown = row.split(' ');
  it.each(
    Object.entries(people).map(
      ([name, session], index) =>
        [name, shown[index] === 'x' ? 'is seen' : 'is not seen', session] as const,
    ),
  )('by %s %s', (_, verdict, session) => {
    expect(canSee(session, element as ShellElement) ? 'is seen' : 'is not seen').toBe(verdict);
  });
});

it.each(['secondFactor', 'inactive', 'suspended'] as const)(
  'a restricted user (%s) sees only the sign-out and the page that explains it',
  (restriction) => {
    const seen = [...visibility.keys()].filter((element) =>
      canSee({ ...person(['ServiceProvider']), restriction }, element),
    );
    expect(seen).toEqual(['logout', 'partnerProfile']);
  },
);

it('an employee who acts for an applicant does not see the account', () => {
  const acting = { ...person(['Client']), act: { sub: '2', name: 'An Employee' } };
  expect([
    canSee(acting, 'myRequests'),
    canSee(acting, 'logout'),
    canSee(acting, 'profile'),
    canSee(acting, 'changePassword'),
  ]).toEqual([true, true, false, false]);
});

it('expects something for every element and every user', () => {
  expect(Object.keys(expected).toSorted()).toEqual([...visibility.keys()].toSorted());
  for (const row of Object.values(expected))
    expect(row.split(' ')).toHaveLength(Object.keys(people).length);
});

const everything = [
  'users',
  'teams',
  'partners',
  'companies',
  'service-providers',
  'services',
  'agencies',
  'serviceCategories',
  'attachments',
  'rejectionReasons',
  'workflow',
  'portal',
  'texts',
  'announcements',
  'calendars',
  'certificates',
  'search',
  'payments',
  'security',
  'messages',
  'audit',
  'complaints',
  'reading',
];
const managed: Record<string, readonly string[]> = {
  admin: everything,
  auditor: everything,
  finance: ['payments'],
  'agency administrator': [
    'users',
    'teams',
    'services',
    'agencies',
    'rejectionReasons',
    'announcements',
    'calendars',
    'certificates',
    'search',
    'audit',
    'complaints',
    'reading',
  ],
  'agency administrator and employee': [
    'users',
    'teams',
    'services',
    'agencies',
    'rejectionReasons',
    'announcements',
    'calendars',
    'certificates',
    'search',
    'audit',
    'complaints',
    'reading',
  ],
  content: [
    'services',
    'serviceCategories',
    'attachments',
    'rejectionReasons',
    'texts',
    'announcements',
    'calendars',
    'certificates',
    'search',
  ],
};

it.each([
  ['anonymous', []],
  ['client', ['/requests']],
  ['company', ['/dash-board (whole page)', '/companies/my-requests/new', '/companies/users']],
  ['employee', ['/requests/new', '/requests/processing', '/requests/all', '/requests/counter']],
  ['supervisor', ['/dashboard-supervisor', '/partner/profile', '/reports']],
  [
    'supervisor and employee',
    [
      '/dashboard-supervisor',
      '/requests/new',
      '/requests/processing',
      '/requests/all',
      '/requests/counter',
      '/partner/profile',
      '/reports',
    ],
  ],
  [
    'admin',
    ['/dashboard-Admin', '/requests/new', '/requests/processing', '/requests/all', '/reports'],
  ],
  ['finance', ['/requests/all', '/reports']],
  ['content', []],
  ['agency administrator', ['/dashboard-Admin', '/reports']],
  [
    'agency administrator and employee',
    [
      '/dashboard-Admin',
      '/requests/new',
      '/requests/processing',
      '/requests/all',
      '/requests/counter',
      '/reports',
    ],
  ],
  [
    'auditor',
    ['/dashboard-Admin', '/requests/new', '/requests/processing', '/requests/all', '/reports'],
  ],
])('shows %s the links %j', (name, addresses) => {
  const { work, management } = navigationFor(people[name] ?? null);
  expect(work.map(({ to, isFullLoad }) => (isFullLoad ? `${to} (whole page)` : to))).toEqual(
    addresses,
  );
  expect(management.map(({ to }) => to.replace('/dashboard/', ''))).toEqual(managed[name] ?? []);
});
