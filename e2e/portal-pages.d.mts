/** One page of the portal that needs no record. */
export interface PortalPage {
  /** The name of its screenshot. */
  name: string;
  path: string;
  /** The demo user who opens it; anonymous without. */
  as?: string;
  /** The key of its main heading (`noun:key`), where that is fixed. */
  heading?: string;
  /** Signs in for each visit, because the page renews its token. */
  isFresh?: boolean;
}
export const publicPortalPages: readonly PortalPage[];
export const personalPortalPages: readonly PortalPage[];
