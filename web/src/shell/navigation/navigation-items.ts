import { hasRole, type Session } from '#lib/api/session.ts';
import { pageList, type Page } from '@diwan/contract/portal/page-list';
import { grantedRoles } from '@diwan/contract/wire/call';

/** A link; its text is `navigation.<name>`. */
export interface NavigationItem {
  name: string;
  to: string;
  /** The server renders this page, so the link loads the whole page. Source: specification §2. */
  isFullLoad?: boolean | undefined;
  /** The list whose number of requests the link shows. */
  count?: 'new' | 'processing' | undefined;
}

/** The link to a page that has an entry in a menu. */
export const itemOf = ({ name, address, menu, isFullLoad }: Page): NavigationItem => ({
  name: menu?.text ?? name,
  to: address,
  isFullLoad,
  count: menu?.count,
});

const publicItems = pageList.filter(({ menu }) => menu?.in === 'public').map(itemOf);

/** The links for everybody. The home page ends the session, so signed-in users get no link to it. */
export const publicItemsFor = (session: Session | null): readonly NavigationItem[] =>
  session === null ? publicItems : publicItems.filter(({ name }) => name !== 'home');

export function isStaff(session: Session | null): boolean {
  return hasRole(session, ...grantedRoles);
}
