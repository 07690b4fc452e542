import { z } from 'zod';
import { invoiceKinds } from '../requests/payments.ts';
import { defineCall, money, moneyReaders } from '../wire/call.ts';
import { isRealDay } from '../wire/days.ts';
import { recordId } from '../wire/ids.ts';

/** The state of a run; only one runs at a time. */
export const receiptRunStates = ['running', 'done', 'cancelled', 'failed'] as const;
export type ReceiptRunState = (typeof receiptRunStates)[number];

/**
 * A run that makes the documents of a period, of one kind or of all: invoices, receipts and credit notes,
 * by the day of their payment or refund; `withXml`: with their e-invoices as separate files. `total` and
 * `done` count documents; `perMinute` is its speed. `parts` are the finished files, each a ZIP with PDFs:
 * `filePath` is for DownloadFile, `size` in bytes. They are stored for `keptDays` after the end.
 */
export const receiptRun = z.object({
  runId: z.int(),
  from: z.iso.date(),
  until: z.iso.date(),
  kind: z.enum(invoiceKinds).optional(),
  withXml: z.boolean(),
  state: z.enum(receiptRunStates),
  total: z.int(),
  done: z.int(),
  perMinute: z.int().optional(),
  startedBy: z.string(),
  createdAt: z.string(),
  finishedAt: z.string().optional(),
  parts: z.array(
    z.object({ number: z.int(), documents: z.int(), size: z.int(), filePath: z.string() }),
  ),
});
export type ReceiptRun = z.infer<typeof receiptRun>;

const day = z.string().max(10).refine(isRealDay, 'is no day');
const runs = z.object({ runs: z.array(receiptRun), keptDays: z.int() });

/** Our own calls: the specification shows no such runs. The runs of the last days, newest first. */
export const getReceiptRuns = defineCall({
  name: 'getReceiptRuns',
  method: 'GET',
  path: '/api/Invoice/GetReceiptRuns',
  who: moneyReaders,
  summary: 'Runs that make documents of a period, with their progress and files, the newest first',
  reply: runs,
  refusals: [],
});
export const startReceiptRun = defineCall({
  name: 'startReceiptRun',
  method: 'POST',
  path: '/api/Invoice/StartReceiptRun',
  who: money,
  summary:
    'Make the invoices, receipts and credit notes from one day to another, in the background',
  body: z.object({
    from: day,
    until: day,
    /** Only these; without it all documents. */
    kind: z.enum(invoiceKinds).optional(),
    withXml: z.boolean().optional(),
  }),
  reply: runs,
  isExport: true,
  refusals: ['ReceiptRunIsRunning', 'NoDocumentsInPeriod'],
});
export const cancelReceiptRun = defineCall({
  name: 'cancelReceiptRun',
  method: 'POST',
  path: '/api/Invoice/CancelReceiptRun',
  who: money,
  summary: 'Stop a run; the files that it has finished stay',
  body: z.object({ runId: recordId }),
  reply: runs,
  refusals: ['NotFound'],
});
