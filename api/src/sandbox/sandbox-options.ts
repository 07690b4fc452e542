import { timingSafeEqual } from 'node:crypto';
import type { Database } from '../platform/database/database.ts';

export interface SandboxOptions {
  database: Database;
  host: string;
  port: number;
  /** The portal, which the pages link to and send visitors back to. */
  portalUrl: string;
  key: string;
}

/** Whether a call comes from the product's side: it carries the key. */
export function isProduct(header: string | undefined, key: string): boolean {
  const given = Buffer.from(header ?? '');
  const right = Buffer.from(`Bearer ${key}`);
  return given.length === right.length && timingSafeEqual(given, right);
}
