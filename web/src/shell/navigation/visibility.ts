import type { Role } from '@diwan/contract/wire/call';
import type { Session } from '../../lib/api/session.ts';

type Kind = Role | 'Anonymous' | 'UAEPass';

interface Audience {
  /** Any of these sees it … */
  for: readonly Kind[];
  /** … unless they are one of these too. */
  butNot?: readonly Kind[];
}

const everybodySignedIn: readonly Kind[] = [
  'Admin',
  'Employee',
  'ServiceProvider',
  'CompanyUser',
  'Client',
];

/**
 * Who sees what in the shell. Source: specification §6; those marked `ours` are not in its
 * sentence.
 */
export const visibility = {
  login: { for: ['Anonymous'] },
  bell: { for: ['Employee', 'ServiceProvider'], butNot: ['Admin'] },
  adminDashboard: { for: ['Admin'] },
  supervisorDashboard: { for: ['ServiceProvider'], butNot: ['Admin'] },
  companyDashboard: { for: ['CompanyUser'], butNot: ['Admin', 'ServiceProvider'] },
  requestLists: { for: ['Employee', 'Admin'] },
  /** Ours. */
  counter: { for: ['Employee'] },
  partnerProfile: { for: ['ServiceProvider'] },
  users: { for: ['Admin'] },
  partners: { for: ['Admin'] },
  companies: { for: ['Admin'] },
  services: { for: ['Admin'] },
  attachments: { for: ['Admin'] },
  serviceProviders: { for: ['Admin'] },
  categories: { for: ['Admin'] },
  rejectionReasons: { for: ['Admin'] },
  reports: { for: ['Admin', 'ServiceProvider'] },
  companyRequests: { for: ['CompanyUser'] },
  /** Ours. */
  companyUsers: { for: ['CompanyUser'] },
  changePassword: { for: ['Employee', 'CompanyUser'], butNot: ['UAEPass'] },
  /** Ours. */
  workflow: { for: ['Admin'] },
  security: { for: ['Admin'] },
  /** Ours. */
  messages: { for: ['Admin'] },
  /** Ours. */
  audit: { for: ['Admin'] },
  /** Ours. */
  clientRequests: { for: ['Client'] },
  /** Ours: also the way of every other person with a password to change it. */
  profile: { for: everybodySignedIn },
  /** Ours. */
  logout: { for: everybodySignedIn },
} as const satisfies Record<string, Audience>;
export type ShellElement = keyof typeof visibility;

// The rest would only lead back to the page that says why. Specification §4.
const openToRestricted: readonly ShellElement[] = ['partnerProfile', 'logout'];

// What nobody reaches who acts for somebody else. Decision 0028.
const closedWhileActing: readonly ShellElement[] = [
  'profile',
  'changePassword',
  'companyDashboard',
  'companyUsers',
];

function kindsOf(session: Session | null): readonly Kind[] {
  if (session === null) return ['Anonymous'];
  return session.isUAEPass ? [...session.roles, 'UAEPass'] : session.roles;
}

export function sees(session: Session | null, element: ShellElement): boolean {
  const kinds = kindsOf(session);
  const audience: Audience = visibility[element];
  if (session?.restriction && !openToRestricted.includes(element)) return false;
  if (session?.act && closedWhileActing.includes(element)) return false;
  return (
    audience.for.some((kind) => kinds.includes(kind)) &&
    !audience.butNot?.some((kind) => kinds.includes(kind))
  );
}
