import { availableParallelism } from 'node:os';
import type { Config } from '#config.ts';
import type { SealState } from '@diwan/contract/requests/payments';
import type { Database } from '../database/database.ts';
import { openPdfMaker, type PdfMaker, type PdfOrder } from './make-pdf.ts';
import { insertCertificate, isKnownCertificate } from './seal-certificates.store.ts';
import { checkSeal, openSeal, readSealKey } from './seal.ts';

/** Makes documents with the seal of this deployment, and checks the seals of files. */
export interface SealedPdfs extends PdfMaker {
  /** Makes a document that is not sealed, because it is not issued. */
  preview(order: PdfOrder): Promise<Buffer>;
  check(pdf: Buffer): Promise<SealState>;
  /** Opens several threads for sealed documents of one job, beside the one of people who wait. */
  openBatch(): Pick<PdfMaker, 'make'>;
}

// A batch takes the processors that nothing else needs at that time, and not more memory than they.
const batchThreads = Math.max(1, Math.min(4, availableParallelism()));
const batchLimits = { milliseconds: 60_000, waiting: 10_000 };

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
  const seal = openSeal(await readSealKey(config), config, (certificate) =>
    insertCertificate(database, certificate),
  );
  const sealing = (of: PdfMaker): PdfMaker['make'] => {
    return async (order) => {
      const pdf = await of.make(order);
      return seal ? seal.seal(pdf, order.createdAt) : pdf;
    };
  };
  return {
    make: sealing(maker),
    openBatch: () => ({ make: sealing(openPdfMaker(batchLimits, batchThreads)) }),
    preview: (order) => maker.make(order),
    check: (pdf) => checkSeal(pdf, (fingerprint) => isKnownCertificate(database, fingerprint)),
  };
}
