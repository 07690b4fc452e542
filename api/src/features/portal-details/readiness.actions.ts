import { isDemonstration, type Config } from '#config.ts';
import { recordChange, type ChangeAuthor } from '#platform/auth/changes.ts';
import type { Database } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type { StoredPortalDetails } from '#platform/portal/portal-details.ts';
import { readinessNames, type ReadinessName } from '@diwan/contract/portal/readiness';
import { selectPortalDetails } from './portal-details.store.ts';
import * as store from './readiness.store.ts';

const ofSettings = (config: Config) => ({
  paymentProvider: Boolean(config.PAYMENT_PROVIDER_URL ?? config.N_GENIUS_KEY ?? config.STRIPE_KEY),
  mailSender: config.SMTP_URL !== undefined && !/@localhost\b/.test(config.MAIL_FROM),
  seal: Boolean(config.SEAL_CERTIFICATE_FILE ?? config.SEAL_KEYSTORE_FILE),
  publicUrl: config.PUBLIC_URL?.startsWith('https:') ?? false,
  sandbox: !isDemonstration(config),
});

const ofDetails = ({ name, supportPhone, supportEmail, logo }: StoredPortalDetails) => ({
  name: name !== undefined,
  support: Boolean(supportPhone) || Boolean(supportEmail),
  logo: logo !== undefined,
});

/** Which items of the first day and of going live are done. */
export async function readReadiness(
  database: Database,
  config: Config,
): Promise<{ done: ReadinessName[]; isFirstDayHidden: boolean }> {
  const [{ isFirstDayHidden, ...stored }, row] = await Promise.all([
    store.selectReadiness(database),
    selectPortalDetails(database),
  ]);
  const { INVOICE_TRN, INVOICE_STREET, INVOICE_CITY, INVOICE_EMIRATE } = config;
  const isSellerSet = Boolean(INVOICE_TRN && INVOICE_STREET && INVOICE_CITY && INVOICE_EMIRATE);
  const states: Record<ReadinessName, boolean> = {
    ...stored,
    seller: stored.seller || isSellerSet,
    ...ofSettings(config),
    ...ofDetails(row?.content ?? {}),
  };
  return { done: readinessNames.filter((name) => states[name]), isFirstDayHidden };
}

/** Hides the list of the first day for every administrator. */
export async function hideFirstDay(
  database: Database,
  author: ChangeAuthor,
  now: Date,
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    if (await store.hideFirstDay(transaction, now))
      await recordChange(transaction, author, {
        entity: 'portal',
        entityId: 'details',
        action: 'changed',
        before: { isFirstDayHidden: false },
        after: { isFirstDayHidden: true },
      });
  });
}
