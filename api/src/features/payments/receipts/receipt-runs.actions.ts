import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { hasRole, type Caller } from '#platform/auth/caller.ts';
import { makeZip } from '#platform/core/make-zip.ts';
import { checkDayOrder, Refusal } from '#platform/core/refusals.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type { MadeFile } from '#platform/files/send-file.ts';
import type { FileStore } from '#platform/files/stores/file-store.ts';
import type { PdfOrder } from '#platform/pdf/make-pdf.ts';
import type {
  getReceiptRuns,
  ReceiptRun,
  startReceiptRun,
} from '@diwan/contract/payments/receipt-runs';
import { type BodyOf, money, moneyReaders, type ReplyOf } from '@diwan/contract/wire/call';
import { eInvoicesOf } from '../invoices/invoice-document.ts';
import {
  issueDueDocuments,
  orderOfInvoices,
  type InvoicesContext,
} from '../invoices/invoices.actions.ts';
import type { InvoiceRow } from '../invoices/invoices.store.ts';
import * as store from './receipt-runs.store.ts';

export interface ReceiptRunsContext {
  invoices: InvoicesContext;
  files: FileStore;
  /** Names this process in the database. */
  worker: string;
  /** How many documents a file has. */
  partSize: number;
  /** Makes the documents of a run, several at the same time. */
  make(order: PdfOrder): Promise<Buffer>;
  findUserAsCaller(userId: string): Promise<Caller | undefined>;
  isClosing(): boolean;
  warn(message: string): void;
}

/** The files of a run are stored for these days after its end. */
const keptDays = 7;
const referencePrefix = 'receipts';

/** The runs with their progress; the files can be downloaded by this caller. */
export async function listRuns(
  { invoices }: ReceiptRunsContext,
  caller: Caller,
): Promise<ReplyOf<typeof getReceiptRuns>> {
  const { runs, parts } = await store.selectRuns(invoices.database, keptDays);
  return {
    keptDays,
    runs: runs.map((run): ReceiptRun => {
      const minutes =
        ((run.finished_at ?? run.worked_at).getTime() - run.created_at.getTime()) / 60_000;
      return {
        runId: run.id,
        from: run.from,
        until: run.until,
        ...(run.kind ? { kind: run.kind } : {}),
        withXml: run.with_xml,
        state: run.state,
        total: run.total,
        done: run.done,
        ...(run.done > 0 && minutes > 0 ? { perMinute: Math.round(run.done / minutes) } : {}),
        startedBy: run.creator_name,
        createdAt: run.created_at.toISOString(),
        ...(run.finished_at ? { finishedAt: run.finished_at.toISOString() } : {}),
        parts: parts
          .filter(({ run_id: id }) => id === run.id)
          .map(({ number, receipts: documents, size }) => ({
            number,
            documents,
            size,
            filePath: invoices.references.make(
              `${referencePrefix}:${run.id}:${number}`,
              caller.userId,
            ),
          })),
      };
    }),
  };
}

/**
 * Begins a run. Throws ReceiptRunIsRunning, NoDocumentsInPeriod, and a `ValidationRefusal` of days that
 * end before they begin.
 */
export async function startRun(
  { invoices }: ReceiptRunsContext,
  caller: Caller,
  { from, until, kind, withXml = false }: BodyOf<typeof startReceiptRun>,
): Promise<void> {
  checkDayOrder({ From: from, Until: until }, 'until');
  // Those of payments of the last seconds.
  await issueDueDocuments(invoices);
  const run = {
    from,
    until,
    kind: kind ?? null,
    withXml,
    userId: caller.userId,
    name: caller.fullName,
  };
  try {
    const id = await inTransaction(invoices.database, (transaction) =>
      store.insertRun(transaction, run),
    );
    if (id === undefined) throw new Refusal('NoDocumentsInPeriod');
  } catch (error) {
    throw store.isRunTaken(error) ? new Refusal('ReceiptRunIsRunning') : error;
  }
}

/** Stops a run; one that has ended stays as it is. Throws NotFound. */
export async function cancelRun({ invoices }: ReceiptRunsContext, runId: number): Promise<void> {
  const { runs } = await store.selectRuns(invoices.database, keptDays);
  if (!runs.some(({ id }) => id === runId)) throw new Refusal('NotFound');
  await store.endRun(invoices.database, runId, 'cancelled');
}

/** A document as PDF, and with its e-invoice as a separate file where it has one. */
function filesOf(document: InvoiceRow, pdf: Buffer, withXml: boolean) {
  const eInvoices = withXml ? eInvoicesOf(document) : [];
  return [
    { path: `${document.number}.pdf`, content: pdf },
    ...eInvoices.map(({ name, xml }) => ({ path: name, content: Buffer.from(xml) })),
  ];
}

async function storeZip(files: FileStore, entries: Parameters<typeof makeZip>[0]) {
  const zip = makeZip(entries, { stored: true });
  const received = await files.receive(Readable.from([zip]), zip.length);
  const fileId = randomUUID();
  await files.store(received, fileId);
  return { fileId, size: zip.length };
}

/**
 * Makes the next file of a run and records it. A process that ends before the record leaves nothing
 * but a file that nobody names; the next process makes the same documents again, with the same
 * numbers. Returns the run as it is then; undefined where it has ended.
 */
async function makePart(
  context: ReceiptRunsContext,
  run: store.RunRow,
): Promise<store.RunRow | undefined> {
  const { invoices, files } = context;
  // The documents that are missing, each after those of earlier payments.
  while ((await issueDueDocuments(invoices)) > 0);
  if (run.last_document_id === 0) await store.countDocuments(invoices.database, run);
  const documents = await store.selectNextDocuments(invoices.database, run, context.partSize);
  const last = documents.at(-1);
  if (!last) {
    await store.endRun(invoices.database, run.id, 'done');
    return undefined;
  }
  const pdfs = await Promise.all(
    documents.map(async (document) => context.make(await orderOfInvoices(invoices, [document]))),
  );
  const { fileId, size } = await storeZip(
    files,
    documents.flatMap((document, index) =>
      filesOf(document, pdfs[index] ?? Buffer.alloc(0), run.with_xml),
    ),
  );
  const part = { fileId, size, documents: documents.length };
  const isRecorded = await inTransaction(invoices.database, (transaction) =>
    store.recordPart(transaction, run, { ...part, lastDocumentId: last.id }),
  );
  if (!isRecorded) {
    await files.remove(fileId);
    return undefined;
  }
  return { ...run, last_document_id: last.id };
}

/**
 * Works on the run that is running, if any, until it ends or the server closes. It acts in the name of
 * the person who began it. Of several processes one works; after a crash another one continues.
 */
export async function continueRun(context: ReceiptRunsContext): Promise<void> {
  const { database } = context.invoices;
  let run = await store.claimRun(database, context.worker);
  if (!run) return;
  const { id, created_by: userId } = run;
  const caller = await context.findUserAsCaller(userId);
  if (!caller || !hasRole(caller, money)) {
    await store.endRun(database, id, 'failed');
    return context.warn('The person who began the documents may not make them any more');
  }
  while (run && !context.isClosing()) run = await makePart(context, run);
}

/** Deletes the files of runs that ended long ago. */
export async function deleteOldFiles({ invoices, files }: ReceiptRunsContext): Promise<void> {
  for (const id of await store.deleteOldParts(invoices.database, keptDays)) await files.remove(id);
}

/**
 * A finished file that a reference names; undefined for a reference to something else. Throws
 * AttachmentNotFound for callers who may not read money any more, and for a deleted file.
 */
export async function openReceiptPart(
  {
    invoices,
    files,
  }: Pick<ReceiptRunsContext, 'files'> & { invoices: Pick<InvoicesContext, 'database'> },
  caller: Caller,
  referenced: string,
): Promise<MadeFile | undefined> {
  const [prefix, runId, number] = referenced.split(':');
  if (prefix !== referencePrefix) return undefined;
  const part = hasRole(caller, moneyReaders)
    ? await store.findPart(invoices.database, Number(runId), Number(number))
    : undefined;
  if (!part) throw new Refusal('AttachmentNotFound');
  return {
    file: {
      id: part.file_id,
      file_name: `documents-${runId}-${number}.zip`,
      media_type: 'application/zip',
      size: part.size,
    },
    open: (range) => files.read(part.file_id, range),
  };
}
