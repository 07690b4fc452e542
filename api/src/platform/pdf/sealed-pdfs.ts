import type { SealState } from '@diwan/contract/requests/payments';
import type { Config } from '../../config.ts';
import type { Database } from '../database/database.ts';
import { openPdfMaker, type PdfMaker, type PdfOrder } from './make-pdf.ts';
import { checkSeal, openSeal, readSealKey } from './seal.ts';

/** Makes documents with the seal of this deployment, and checks the seals of files. */
export interface SealedPdfs extends PdfMaker {
  /** Makes a document that is not sealed, because it is not issued. */
  preview(order: PdfOrder): Promise<Buffer>;
  check(pdf: Buffer): Promise<SealState>;
}

/**
 * Opens the making of sealed documents. Each certificate that seals a document is stored, so that
 * its documents stay genuine after it was replaced. Throws a ConfigError. Decision 0074.
 */
export async function openSealedPdfs({
  database,
  config,
}: {
  database: Database;
  config: Config;
}): Promise<SealedPdfs> {
  const maker = openPdfMaker();
  const seal = openSeal(await readSealKey(config), config, async (certificate) => {
    await database
      .insertInto('seal_certificates')
      .values({ fingerprint: certificate.fingerprint256, certificate: certificate.toString() })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
  return {
    async make(order) {
      const pdf = await maker.make(order);
      return seal ? seal.seal(pdf, order.createdAt) : pdf;
    },
    preview: (order) => maker.make(order),
    check: (pdf) =>
      checkSeal(pdf, async (fingerprint) => {
        const known = await database
          .selectFrom('seal_certificates')
          .select('fingerprint')
          .where('fingerprint', '=', fingerprint)
          .executeTakeFirst();
        return known !== undefined;
      }),
  };
}
