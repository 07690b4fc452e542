import type { X509Certificate } from 'node:crypto';
import type { Database } from '../database/database.ts';

/** Stores a certificate that seals documents, unless it is stored. */
export async function insertCertificate(
  database: Database,
  certificate: X509Certificate,
): Promise<void> {
  await database
    .insertInto('seal_certificates')
    .values({ fingerprint: certificate.fingerprint256, certificate: certificate.toString() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Whether a certificate of this fingerprint has sealed documents. */
export async function isKnownCertificate(
  database: Database,
  fingerprint: string,
): Promise<boolean> {
  const known = await database
    .selectFrom('seal_certificates')
    .select('fingerprint')
    .where('fingerprint', '=', fingerprint)
    .executeTakeFirst();
  return known !== undefined;
}
