import { renderSVG } from 'uqr';
import { createTranslator } from '#platform/core/locale-texts.ts';
import { formatDirhams } from '#platform/core/localize.ts';
import type { PdfOrder } from '#platform/pdf/make-pdf.ts';
import { dayInDubai } from '@diwan/contract/wire/days';
import type { Language } from '@diwan/contract/wire/languages';
import { isRounded } from '@diwan/contract/wire/rounding';
import { makeEInvoices } from './e-invoice.ts';
import type { InvoiceRow } from './invoices.store.ts';

const translate = createTranslator('invoices');

const labelNames = [
  'number',
  'issued',
  'seller',
  'trn',
  'demo',
  'demoNote',
  'applicant',
  'requestNumber',
  'service',
  'agency',
  'description',
  'net',
  'vatRate',
  'vat',
  'gross',
  'subtotal',
  'vatTotal',
  'total',
  'payment',
  'reference',
  'day',
  'amount',
  'received',
  'paidBack',
  'receiptText',
  'creditText',
  'invoice',
  'invoices',
  'check',
  'eInvoice',
  'rounding',
] as const;

// Without Intl, as amounts: the same invoice has the same bytes.
const dayOf = (day: string): string => day.split('-').toReversed().join('/');
const rateOf = (vatRate: number): string => `${vatRate / 100} %`;

// A letter with a vowel sign would be extracted wrongly, and the same letter without one too.
const vowelSigns = /[\u064B-\u0652\u0670]/g;
const plain = (text: string): string => text.replace(vowelSigns, '');

const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0);

function titleOf({ kind, content }: InvoiceRow, language: Language): string {
  if (kind === 'receipt') return plain(translate('document.receipt', language));
  // Only a seller with a tax registration number issues tax documents.
  const hasTax = content.seller.trn !== '';
  const [tax, other] =
    kind === 'invoice'
      ? (['document.taxInvoice', 'document.invoice'] as const)
      : (['document.taxCreditNote', 'document.creditNote'] as const);
  return plain(translate(hasTax ? tax : other, language));
}

function describe(row: InvoiceRow, language: Language, address: string) {
  const { kind, number, content, issued_at: issuedAt } = row;
  return {
    kind,
    number,
    title: titleOf(row, language),
    issuedOn: dayOf(dayInDubai(issuedAt)),
    applicant: plain(content.applicant),
    service: plain(content.service),
    agency: plain(content.agency),
    isRounded: content.lines.some(isRounded),
    lines: content.lines.map(({ title, amount, vat, vatRate }) => ({
      title: plain(title),
      net: formatDirhams(amount),
      vatRate: rateOf(vatRate),
      vat: formatDirhams(vat),
      gross: formatDirhams(amount + vat),
    })),
    net: formatDirhams(sum(content.lines.map(({ amount }) => amount))),
    vat: formatDirhams(sum(content.lines.map(({ vat }) => vat))),
    total: formatDirhams(row.total),
    transfer: {
      reference: content.transfer.reference,
      day: dayOf(content.transfer.day),
      amount: formatDirhams(content.transfer.amount),
    },
    invoiceNumbers: content.invoiceNumbers,
    address,
    code: renderSVG(address, { ecc: 'M', border: 2 }),
  };
}

/**
 * What to print: every invoice of a request on its own pages, in the language in which it was
 * issued. `addressOf` gives the public address that confirms an invoice. The rows are not empty.
 */
export function invoiceOrder(
  rows: readonly InvoiceRow[],
  addressOf: (row: InvoiceRow) => string,
): PdfOrder {
  const [first] = rows;
  const last = rows.at(-1);
  if (!first || !last) throw new Error('There is no invoice to print');
  const { language, seller, requestNumber } = first.content;
  return {
    template: new URL('../../../../templates/invoice.typ', import.meta.url),
    createdAt: last.issued_at,
    data: {
      language,
      title: `${titleOf(first, language)} ${first.number}`,
      seller: { ...seller, name: plain(seller.name) },
      requestNumber,
      labels: Object.fromEntries(
        labelNames.map((name) => [name, plain(translate(`document.${name}`, language))]),
      ),
      documents: rows.map((row) => describe(row, language, addressOf(row))),
      eInvoices: rows.flatMap((row) => makeEInvoices(row)),
      attachment: JSON.stringify(
        rows.map(({ kind, number, total, issued_at: issuedAt, content }) => ({
          kind,
          number,
          issuedOn: dayInDubai(issuedAt),
          total,
          currency: 'AED',
          ...content,
        })),
      ),
    },
  };
}
