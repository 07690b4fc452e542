import { createHmac } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  linesOfPayment,
  linesOfRefund,
  lockRequestToInvoice,
  type Buyer,
} from '#features/requests/requests.actions.ts';
import { issuedPortalLogo, printLogo } from '#features/services/logos/logos.actions.ts';
import type { Caller } from '#platform/auth/caller.ts';
import type { FileReferences } from '#platform/auth/file-references.ts';
import { openKey, type Keys } from '#platform/auth/secrets.ts';
import { createTranslator, localizedText } from '#platform/core/locale-texts.ts';
import { Refusal } from '#platform/core/refusals.ts';
import { isSameSecret } from '#platform/core/same-secret.ts';
import { DatabaseUnavailable } from '#platform/database/database-failures.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { acquireNamedLock } from '#platform/database/named-lock.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type { MadeFile } from '#platform/files/send-file.ts';
import type { AppContext } from '#platform/http/context.ts';
import type { PdfOrder } from '#platform/pdf/make-pdf.ts';
import type { SealedPdfs } from '#platform/pdf/sealed-pdfs.ts';
import type { InvoiceCheck, InvoiceKind, SealState } from '@diwan/contract/requests/payments';
import { dayInDubai } from '@diwan/contract/wire/days';
import { languages, type Language, type LocalizedText } from '@diwan/contract/wire/languages';
import { invoiceOrder } from './invoice-document.ts';
import type { InvoiceContent, InvoiceLine } from './invoices.store.ts';
import * as store from './invoices.store.ts';
import {
  addressOf,
  findSellers,
  sellerOf,
  type ConfiguredOperator,
  type InvoiceSellers,
} from './sellers.actions.ts';

const translate = createTranslator('invoices');

export interface InvoicesContext {
  database: Database;
  references: FileReferences;
  publicUrl: string;
  /** Sign the codes on invoices. */
  keys: Keys;
  /** The operator where none is stored. */
  seller: ConfiguredOperator;
  pdf: SealedPdfs;
  now(): Date;
  warn(message: string): void;
  mayView(caller: Caller, requestId: number): Promise<boolean>;
  recordAccess(caller: Caller, requestId: number): Promise<void>;
}

/** Opens the invoices and the keys of their codes. */
export async function openInvoices(
  context: Pick<AppContext, 'database' | 'references' | 'publicUrl' | 'config' | 'server'>,
  { mayView, recordAccess, pdf }: Pick<InvoicesContext, 'mayView' | 'recordAccess' | 'pdf'>,
): Promise<InvoicesContext> {
  const { database, references, publicUrl, config } = context;
  return {
    database,
    references,
    publicUrl,
    keys: await openKey(database, 'invoice-codes'),
    seller: sellerOf(config),
    pdf,
    now: () => new Date(),
    warn: (message) => context.server.log.warn(message),
    mayView,
    recordAccess,
  };
}

type PaidPart = ReturnType<typeof linesOfPayment>[number] & { titles: LocalizedText };

/** Lines in the language of their document, each with its title in every language. */
function inEveryLanguage(
  language: Language,
  linesIn: (language: Language) => ReturnType<typeof linesOfPayment>,
): PaidPart[] {
  const all = languages.map((each) => [each, linesIn(each)] as const);
  return linesIn(language).map((line, index) => ({
    ...line,
    titles: Object.fromEntries(
      all.map(([each, lines]) => [each, lines[index]?.title ?? line.title]),
    ) as LocalizedText,
  }));
}

/** Lines that one seller sells. `prefix`: what its series of numbers begins with after their kind. */
interface Sale {
  seller: InvoiceContent['seller'];
  prefix: string;
  lines: InvoiceLine[];
}

const totalOf = (lines: readonly InvoiceLine[]): number =>
  lines.reduce((sum, { amount, vat }) => sum + amount + vat, 0);

/**
 * The lines by their seller: those of the agency where it sells, then those of the operator. What a seller
 * sells for nothing is shown with the other lines.
 */
function splitBySeller(
  lines: readonly PaidPart[],
  { operator, agency }: { operator: Sale; agency: Sale | undefined },
): Sale[] {
  if (!agency) return [{ ...operator, lines: [...lines] }];
  const ofAgency = lines.filter(({ isOperatorFee }) => !isOperatorFee);
  const ofOperator = lines.filter(({ isOperatorFee }) => isOperatorFee);
  if (totalOf(ofOperator) === 0) return [{ ...agency, lines: [...lines] }];
  if (totalOf(ofAgency) === 0) return [{ ...operator, lines: [...lines] }];
  return [
    { ...agency, lines: ofAgency },
    { ...operator, lines: ofOperator },
  ];
}

/** The agency that sold by the last of these invoices whose series is that of an agency. */
function sellingAgencyOf(invoices: readonly store.InvoiceRow[]): number | undefined {
  const ids = invoices.flatMap(({ series }) => /^INV-A(\d+)-/.exec(series)?.[1] ?? []);
  return ids.length === 0 ? undefined : Number(ids.at(-1));
}

const lineOf = ({
  title,
  titles,
  amount,
  vat,
  vatRate,
  vatCategory,
}: InvoiceLine): InvoiceLine => ({
  title,
  ...(titles ? { titles } : {}),
  amount,
  vat,
  vatRate,
  ...(vatCategory ? { vatCategory } : {}),
});

/**
 * Issues the invoices and the receipt of a payment, or the credit notes of a refund, unless they are
 * issued: one of each seller. One at a time in all processes, so that numbers follow the order of the calls.
 * The request is locked before the counters. Decisions 0120, 0125.
 */
async function issueDocuments(
  context: Pick<InvoicesContext, 'seller' | 'now'>,
  transaction: Transaction,
  due: store.DueTransfer,
): Promise<void> {
  await acquireNamedLock(transaction, 'invoices');
  const request = await lockRequestToInvoice(transaction, due.requestId);
  const transfer = await store.findDueTransfer(transaction, due);
  if (!transfer) return;
  const { language, buyer } = request;
  const { reference, at, amount } = transfer;
  const issuedAt = context.now();
  const year = dayInDubai(issuedAt).slice(0, 4);
  const invoices = (await store.selectInvoices(transaction, due.requestId)).filter(
    ({ kind }) => kind === 'invoice',
  );
  // Who sold takes it back, also where the request has moved to another agency since.
  const agencyId =
    (due.kind === 'refund' ? sellingAgencyOf(invoices) : undefined) ?? request.agencyId;
  const sellers = await findSellers(transaction, context.seller, { agencyId, language });
  const operator: Sale = { seller: sellers.operator, prefix: '', lines: [] };
  const agencyPrefix = `A${agencyId}-`;
  const saleOfAgency = (agency: NonNullable<InvoiceSellers['agency']>): Sale => ({
    seller: agency.seller,
    prefix: agencyPrefix,
    lines: [],
  });
  const issue = (
    kind: InvoiceKind,
    { seller, prefix, lines }: Sale,
    { total, invoiceNumbers = [] }: { total: number; invoiceNumbers?: string[] },
  ): Promise<string> =>
    store.insertInvoice(transaction, {
      kind,
      requestId: due.requestId,
      transferId: due.id,
      series: `${seriesOf[kind]}-${prefix}${year}`,
      total,
      content: {
        language,
        seller,
        applicant: buyer.name,
        buyer: buyerOf(buyer),
        requestNumber: request.number,
        service: request.serviceName,
        agency: request.agencyName,
        lines: lines.map(lineOf),
        transfer: { reference, day: dayInDubai(at), amount: total },
        invoiceNumbers,
        ...issuedPortalLogo(),
      },
      issuedAt,
    });
  if (due.kind === 'payment') {
    const agency = sellers.agency?.isOwnSeller ? saleOfAgency(sellers.agency) : undefined;
    const lines = inEveryLanguage(language, (each) =>
      linesOfPayment(request.quote, transfer.before, amount, each),
    );
    const numbers = await store.selectInvoiceNumbers(transaction, due.id);
    if (numbers.length === 0) {
      const sales = splitBySeller(lines, { operator, agency });
      for (const sale of sales)
        numbers.push(
          await issue('invoice', sale, {
            total: sales.length === 1 ? amount : totalOf(sale.lines),
          }),
        );
    }
    await issue('receipt', operator, { total: amount, invoiceNumbers: numbers });
    await store.markInvoiced(transaction, due.id, issuedAt);
    return;
  }
  const isOfAgency = ({ series }: store.InvoiceRow) =>
    series.startsWith(`${seriesOf.invoice}-${agencyPrefix}`);
  // Also where the agency sells nothing by now.
  const agency =
    sellers.agency && invoices.some(isOfAgency) ? saleOfAgency(sellers.agency) : undefined;
  const { rest } = linesOfRefund(request, transfer, language);
  const lines = inEveryLanguage(language, (each) => linesOfRefund(request, transfer, each).lines);
  const titles = localizedText(translate, 'document.surplus');
  const surplus = { title: titles[language], titles, amount: rest, vatRate: 0, vat: 0 };
  const sales = splitBySeller(rest > 0 ? [...lines, surplus] : lines, { operator, agency });
  for (const sale of sales)
    await issue('creditNote', sale, {
      total: sales.length === 1 ? amount : totalOf(sale.lines),
      invoiceNumbers: invoices
        .filter((invoice) => isOfAgency(invoice) === (sale.prefix !== ''))
        .map(({ number }) => number),
    });
}

/**
 * Issues the documents of the payments and refunds that have none, in the order in which the money moved:
 * those of one request, or the first ones of all. A payment whose documents fail keeps none of the others
 * waiting; the next call tries it again. Returns how many have their documents now.
 */
export async function issueDueDocuments(
  context: Pick<InvoicesContext, 'database' | 'seller' | 'now' | 'warn'>,
  which: { requestId?: number; limit?: number } = {},
): Promise<number> {
  let issued = 0;
  for (const transfer of await store.selectDueTransfers(context.database, which))
    try {
      await inTransaction(context.database, (transaction) =>
        issueDocuments(context, transaction, transfer),
      );
      issued += 1;
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      context.warn(
        `the documents of ${transfer.kind} ${transfer.id} are tried again: ${(error as Error).message}`,
      );
    }
  return issued;
}

/** Issues what is due of a request, after the earlier payments of others. */
async function issueDueOf(context: InvoicesContext, requestId: number): Promise<void> {
  const due = await store.selectDueTransfers(context.database, { requestId, limit: 1 });
  if (due.length === 0) return;
  await issueDueDocuments(context);
  // Only while those of the time before decision 0120 are issued, there may be more of others.
  await issueDueDocuments(context, { requestId });
}

const buyerOf = (buyer: Buyer): NonNullable<InvoiceContent['buyer']> => ({
  trn: buyer.trn,
  ...addressOf(buyer),
  ...(buyer.identification ? { registration: buyer.identification } : {}),
});

const seriesOf: Record<InvoiceKind, string> = { invoice: 'INV', receipt: 'RCP', creditNote: 'CRN' };

const referencePrefix = 'invoices';

const ofKind =
  (kind: string | undefined) =>
  (row: store.InvoiceRow): boolean =>
    !kind || row.kind === kind;

/**
 * A reference for DownloadFile to the invoices of a request, for this caller. Throws
 * RequestNotFound, and InvoiceNotFound where nothing was paid.
 */
export async function getInvoicePath(
  context: InvoicesContext,
  caller: Caller,
  { RequestId: requestId, Kind: kind }: { RequestId: number; Kind?: InvoiceKind | undefined },
): Promise<string> {
  // guard: invoices of a request that the caller may not see
  if (!(await context.mayView(caller, requestId))) throw new Refusal('RequestNotFound');
  await issueDueOf(context, requestId);
  const issued = await store.selectInvoices(context.database, requestId);
  const last = issued.findLast(ofKind(kind));
  if (!last) throw new Refusal('InvoiceNotFound');
  await context.recordAccess(caller, requestId);
  return context.references.make(
    `${referencePrefix}:${requestId}:${last.id}:${kind ?? ''}`,
    caller.userId,
  );
}

/** What to print for invoices of one request. The rows are not empty. */
export async function orderOfInvoices(
  context: Pick<InvoicesContext, 'database' | 'publicUrl' | 'keys'>,
  rows: readonly store.InvoiceRow[],
): Promise<PdfOrder> {
  const paths = new Set(rows.flatMap(({ content }) => content.portalLogo ?? []));
  const logos = await Promise.all(
    [...paths].map(async (path) => [path, await printLogo(context.database, path)] as const),
  );
  return invoiceOrder(rows, (row) => checkAddress(context, row), Object.fromEntries(logos));
}

/**
 * The invoices that a reference names, as one PDF; undefined for a reference to something else.
 * Throws AttachmentNotFound where the caller may not see the request any more, and ServerBusy.
 */
export async function makeInvoiceFile(
  context: InvoicesContext,
  caller: Caller,
  referenced: string,
): Promise<MadeFile | undefined> {
  const [prefix, requestId, lastId, kind] = referenced.split(':');
  if (prefix !== referencePrefix) return undefined;
  // guard: invoice of a request that the caller may not see any more
  if (!(await context.mayView(caller, Number(requestId)))) throw new Refusal('AttachmentNotFound');
  const issued = await store.selectInvoices(context.database, Number(requestId), Number(lastId));
  const rows = issued.filter(ofKind(kind));
  const [first] = rows;
  if (!first) throw new Refusal('AttachmentNotFound');
  const content = await context.pdf.make(await orderOfInvoices(context, rows));
  return {
    file: {
      id: referenced.replaceAll(':', '-'),
      file_name: `${first.number}.pdf`,
      media_type: 'application/pdf',
      size: content.length,
    },
    open: (range) =>
      Promise.resolve(
        Readable.from([range ? content.subarray(range.start, range.end + 1) : content]),
      ),
  };
}

type SignedRow = Pick<store.InvoiceRow, 'id' | 'number' | 'total'>;

// 128 bits: as short as a QR code needs, as long as nobody can guess.
function signatureOf(key: string, row: SignedRow): Buffer {
  return createHmac('sha256', key)
    .update(`${row.id}:${row.number}:${row.total}`)
    .digest()
    .subarray(0, 16);
}

/** The public address that confirms an invoice. */
function checkAddress(
  context: Pick<InvoicesContext, 'publicUrl' | 'keys'>,
  row: SignedRow,
): string {
  const code = `${row.id.toString(36)}.${signatureOf(context.keys()[0] ?? '', row).toString('base64url')}`;
  return `${context.publicUrl}/invoice?code=${code}`;
}

/** What the code on an invoice confirms. A forged code and one of a missing invoice look the same. */
export async function checkCode(context: InvoicesContext, code: string): Promise<InvoiceCheck> {
  const [, id36 = '', signature = ''] = /^([1-9a-z][0-9a-z]{0,9})\.([\w-]{22})$/.exec(code) ?? [];
  const id = Number.parseInt(id36, 36);
  const row = Number.isSafeInteger(id)
    ? await store.findCheckedInvoice(context.database, id)
    : undefined;
  if (
    !row ||
    // guard: signature of the code on an invoice
    !context
      .keys()
      .some((key) => isSameSecret(Buffer.from(signature, 'base64url'), signatureOf(key, row)))
  )
    return { isGenuine: false };
  const { kind, number, total, issued_at: issuedAt, invoiced, refunded } = row;
  return {
    isGenuine: true,
    kind,
    number,
    total,
    issuedOn: dayInDubai(issuedAt),
    // Receipts and credit notes do not have their own state.
    ...(kind === 'invoice' ? { state: stateOf(refunded, invoiced) } : {}),
  };
}

function stateOf(refunded: number, invoiced: number): InvoiceCheck['state'] {
  if (refunded === 0) return 'paid';
  return refunded < invoiced ? 'refundedInPart' : 'refunded';
}

/** What the seal of a file, given in base64, says. The file is not stored. */
export function checkFile({ pdf }: InvoicesContext, content: string): Promise<SealState> {
  return pdf.check(Buffer.from(content, 'base64'));
}
