import { renderSVG } from 'uqr';
import type { PrintedLogo } from '#features/services/logos/logos.actions.ts';
import { createTranslator } from '#platform/core/locale-texts.ts';
import { formatDirhams } from '#platform/core/localize.ts';
import type { PdfOrder } from '#platform/pdf/make-pdf.ts';
import { dayInDubai } from '@diwan/contract/wire/days';
import type { Language } from '@diwan/contract/wire/languages';
import { vatCategories, vatCategoryOf } from '@diwan/contract/wire/money';
import { isRounded } from '@diwan/contract/wire/rounding';
import { isTaxable, makeEInvoices } from './e-invoice.ts';
import type { InvoiceLine, InvoiceParty, InvoiceRow } from './invoices.store.ts';
import { demoTrn, emirateOf } from './sellers.actions.ts';

const translate = createTranslator('invoices');
const translateForm = createTranslator('forms');

const labelNames = [
  'number',
  'issued',
  'supplied',
  'seller',
  'trn',
  'demo',
  'demoNote',
  'buyer',
  'licence',
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
  'vatSummary',
  'notSubject',
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
/** The rate of a line, or why it has none. */
function treatmentOf(line: InvoiceLine, language: Language): { rate: string } | { words: string } {
  const category = vatCategoryOf(line);
  if (category === 'standard') return { rate: `${line.vatRate / 100} %` };
  if (category === 'zeroRated') return { rate: '0 %' };
  return { words: plain(translate(`document.vatShort.${category}`, language)) };
}

// A letter with a vowel sign would be extracted wrongly, and the same letter without one too.
const vowelSigns = /[\u064B-\u0652\u0670]/g;
const plain = (text: string): string => text.replace(vowelSigns, '');

const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0);

function titleOf({ kind, content }: InvoiceRow, language: Language): string {
  if (kind === 'receipt') return plain(translate('document.receipt', language));
  // A tax document has a seller with a tax registration number and a line that VAT concerns.
  const isTax = content.seller.trn !== '' && isTaxable(content);
  const [tax, other] =
    kind === 'invoice'
      ? (['document.taxInvoice', 'document.invoice'] as const)
      : (['document.taxCreditNote', 'document.creditNote'] as const);
  return plain(translate(isTax ? tax : other, language));
}

/** The parts of an address: each may be written in other letters than the next one. */
function addressParts(address: InvoiceParty['address'], language: Language): string[] {
  if (!address) return [];
  const emirate = emirateOf(address.emirate);
  const parts = [
    address.street,
    address.city,
    emirate ? translateForm(`emirates.${emirate}`, language) : address.emirate,
    translate('document.country', language),
  ];
  // A city is called as its emirate.
  return parts.filter((part, index) => parts.indexOf(part) === index).map(plain);
}

/** The amounts of each category of VAT that the lines have. */
function summaryOf(lines: readonly InvoiceLine[], language: Language) {
  return vatCategories.flatMap((category) => {
    const own = lines.filter((line) => vatCategoryOf(line) === category);
    if (own.length === 0) return [];
    return [
      {
        name: plain(translate(`document.vatCategories.${category}`, language)),
        net: formatDirhams(sum(own.map(({ amount }) => amount))),
        vat: formatDirhams(sum(own.map(({ vat }) => vat))),
      },
    ];
  });
}

const isOutOfScope = (line: InvoiceLine): boolean => vatCategoryOf(line) === 'outOfScope';

function describe(row: InvoiceRow, language: Language, address: string) {
  const { kind, number, content, issued_at: issuedAt } = row;
  const { seller, buyer, lines } = content;
  return {
    kind,
    number,
    title: titleOf(row, language),
    issuedOn: dayOf(dayInDubai(issuedAt)),
    // Of a refund it is the day of the refund, which its table shows.
    suppliedOn: kind === 'invoice' ? dayOf(content.transfer.day) : '',
    seller: {
      name: plain(seller.name),
      address: addressParts(seller.address, language),
      trn: seller.trn,
      isExample: seller.isDemo && seller.trn === demoTrn,
    },
    buyer: {
      name: plain(content.applicant),
      address: addressParts(buyer?.address, language),
      trn: buyer?.trn ?? '',
      licence: buyer?.registration?.kind === 'tradeLicence' ? buyer.registration.number : '',
    },
    service: plain(content.service),
    agency: plain(content.agency),
    isRounded: lines.some(isRounded),
    isOutOfScope: lines.length > 0 && lines.every(isOutOfScope),
    lines: lines.map((line) => ({
      title: plain(line.title),
      net: formatDirhams(line.amount),
      treatment: treatmentOf(line, language),
      vat: formatDirhams(line.vat),
      gross: formatDirhams(line.amount + line.vat),
    })),
    summary: summaryOf(lines, language),
    net: formatDirhams(sum(lines.map(({ amount }) => amount))),
    vat: formatDirhams(sum(lines.map(({ vat }) => vat))),
    total: formatDirhams(row.total),
    transfer: {
      reference: content.transfer.reference,
      day: dayOf(content.transfer.day),
      amount: formatDirhams(content.transfer.amount),
    },
    invoiceNumbers: content.invoiceNumbers,
    portalLogo: content.portalLogo ?? '',
    address,
    code: renderSVG(address, { ecc: 'M', border: 2 }),
  };
}

/** The e-invoice of a document, if it has one. */
export const eInvoicesOf = (row: InvoiceRow) =>
  makeEInvoices(row, translate('document.notStated', row.content.language));

/**
 * What to print: every invoice of a request on its own pages, in the language in which it was
 * issued. `addressOf` gives the public address that confirms an invoice, `logos` the stored logos of
 * the portal by their paths. The rows are not empty.
 */
export function invoiceOrder(
  rows: readonly InvoiceRow[],
  addressOf: (row: InvoiceRow) => string,
  logos: Readonly<Record<string, PrintedLogo | null>>,
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
      seller: { name: plain(seller.name), isDemo: seller.isDemo },
      requestNumber,
      labels: Object.fromEntries(
        labelNames.map((name) => [name, plain(translate(`document.${name}`, language))]),
      ),
      logos,
      documents: rows.map((row) => describe(row, language, addressOf(row))),
      eInvoices: rows.flatMap(eInvoicesOf),
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
