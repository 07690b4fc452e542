import { isSameSecret } from '../platform/core/same-secret.ts';
import type { Database } from '../platform/database/database.ts';

/** What the parts of the sandbox need. */
export interface SandboxOptions {
  database: Database;
  host: string;
  port: number;
  /** The portal, to which the pages link and redirect. */
  portalUrl: string;
  /** The key of every call by the product. */
  key: string;
  /** The sandbox of the payment provider, for browsers; missing where the settings name another. */
  paymentsUrl: string | undefined;
}

/** Whether the header Authorization of a call has the product's key. */
export const isAuthorized = (header: string | undefined, key: string): boolean =>
  isSameSecret(header ?? '', `Bearer ${key}`);
