import type { Session } from '#lib/api/session.ts';
import type { MenuEntry } from '@diwan/contract/portal/define-pages';
import { pageList, type Page, type MenuPageName } from '@diwan/contract/portal/page-list';
import { grantedRoles, signedIn, type Role } from '@diwan/contract/wire/call';
import { itemOf, type NavigationItem } from './navigation-items.ts';

type Kind = Role | 'Anonymous' | 'UAEPass';

interface Audience {
  /** Users of any of these kinds see the element … */
  for: readonly Kind[];
  /** … unless they are of one of these kinds too. */
  butNot?: readonly Kind[] | undefined;
}

/** Which users see the elements of the shell that lead to no page. Source: specification §6. */
const shellElements = {
  login: { for: ['Anonymous'] },
  bell: { for: ['Employee', 'ServiceProvider'], butNot: ['Admin'] },
  /** Ours. */
  palette: { for: grantedRoles },
  changePassword: {
    for: ['Employee', 'CompanyUser', 'Finance', 'Content', 'Auditor', 'AgencyAdmin'],
    butNot: ['UAEPass'],
  },
  /** Ours. */
  logout: { for: signedIn },
} as const satisfies Record<string, Audience>;

type MenuPage = Page & Required<Pick<Page, 'menu'>>;
const menuPages = pageList.filter(
  (page): page is MenuPage => page.menu !== undefined && page.menu.in !== 'public',
);
const audienceOf = ({ who, menu }: MenuPage): Audience => ({
  for: menu.for ?? (who === 'anyone' ? signedIn : who),
  butNot: menu.butNot,
});

/** Elements of the shell, and links by the name of their page. */
export type ShellElement = keyof typeof shellElements | MenuPageName;

/** Which users see which elements of the shell. */
export const visibility: ReadonlyMap<ShellElement, Audience> = new Map([
  ...(Object.entries(shellElements) as [ShellElement, Audience][]),
  ...menuPages.map((page) => [page.name as ShellElement, audienceOf(page)] as const),
]);

// Other links would only redirect to the page that explains the restriction. Specification §4.
const openToRestricted: readonly ShellElement[] = [
  'logout',
  ...menuPages.filter(({ explains }) => explains).map(({ name }) => name as ShellElement),
];

// Elements that an employee does not see while they act for an applicant. Decision 0028.
const closedWhileActing: readonly ShellElement[] = [
  'palette',
  'changePassword',
  ...menuPages
    .filter(({ menu }) => menu.isHiddenWhileActing)
    .map(({ name }) => name as ShellElement),
];

function kindsOf(session: Session | null): readonly Kind[] {
  if (session === null) return ['Anonymous'];
  return session.isUAEPass ? [...session.roles, 'UAEPass'] : session.roles;
}

/** Whether the user of this session sees an element. */
export function canSee(session: Session | null, element: ShellElement): boolean {
  const kinds = kindsOf(session);
  const audience = visibility.get(element);
  if (session?.restriction && !openToRestricted.includes(element)) return false;
  if (session?.act && closedWhileActing.includes(element)) return false;
  return (
    audience !== undefined &&
    audience.for.some((kind) => kinds.includes(kind)) &&
    !audience.butNot?.some((kind) => kinds.includes(kind))
  );
}

/** The links of a signed-in user: their work, and what they manage. Source: specification §6. */
export function navigationFor(session: Session | null): {
  work: readonly NavigationItem[];
  management: readonly NavigationItem[];
} {
  const shown = (place: MenuEntry['in']) =>
    menuPages
      .filter(({ name, menu }) => menu.in === place && canSee(session, name as ShellElement))
      .map(itemOf);
  return { work: shown('work'), management: shown('manage') };
}
