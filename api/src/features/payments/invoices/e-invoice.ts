import { createHash } from 'node:crypto';
import { dayInDubai } from '@diwan/contract/wire/days';
import type { InvoiceRow } from './invoices.store.ts';

/** One e-invoice: the name of its file and its bytes as text. */
interface EInvoice {
  name: string;
  xml: string;
}

type Line = InvoiceRow['content']['lines'][number];

/**
 * The identifiers of PINT AE, the UAE's form of the Peppol international invoice (UBL 2.1). Source:
 * docs.peppol.eu/poac/ae. The flags say which special kind of supply it is: none.
 */
const pint = {
  customization: 'urn:peppol:pint:billing-1@ae-1',
  profile: 'urn:peppol:bis:billing',
  flags: '00000000',
  /** The scheme of electronic addresses in the UAE, whose value is the TIN: ten digits of the TRN. */
  addressScheme: '0235',
  /** The address of a buyer that the e-invoicing rules do not concern. */
  anyBuyer: '9900000098',
  taxInvoice: '380',
  invoiceOutOfScope: '480',
  taxCreditNote: '381',
  creditNoteOutOfScope: '81',
  /** The supply was cancelled: Federal Decree-Law 8 of 2017, article 61. */
  supplyCancelled: 'DL8.61.1.A',
  /** UNCL 5189: discount. */
  discount: '95',
  /** UNCL 4461: bank card. */
  card: '48',
} as const;

/** A part of the document: its name, what is in it, and attributes. A missing part is left out. */
type Part = string | undefined;

const escape = (text: string): string =>
  text
    // Characters that XML cannot have.
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

const leaf = (name: string, text: string, attribute = ''): string =>
  `<cbc:${name}${attribute}>${escape(text)}</cbc:${name}>`;
const group = (name: string, ...parts: Part[]): string =>
  `<cac:${name}>${parts.filter((part) => part !== undefined).join('')}</cac:${name}>`;
const decimal = (fils: number): string =>
  `${fils < 0 ? '-' : ''}${Math.floor(Math.abs(fils) / 100)}.${String(Math.abs(fils) % 100).padStart(2, '0')}`;
const money = (name: string, fils: number): string =>
  leaf(name, decimal(fils), ' currencyID="AED"');
const sum = (lines: readonly Line[], part: 'amount' | 'vat'): number =>
  lines.reduce((total, line) => total + line[part], 0);

/** The same document has the same UUID (RFC 9562, version 8). */
function uuidOf(id: string): string {
  const hash = createHash('sha256').update(`diwan e-invoice ${id}`).digest();
  hash[6] = (hash.readUInt8(6) & 0x0f) | 0x80;
  hash[8] = (hash.readUInt8(8) & 0x3f) | 0x80;
  return hash
    .toString('hex')
    .slice(0, 32)
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

const scheme = group('TaxScheme', leaf('ID', 'VAT'));

/** Standard rate with 5 %, or not subject to tax, which has no rate. */
const category = (name: string, isTaxed: boolean): string =>
  group(
    name,
    leaf('ID', isTaxed ? 'S' : 'O'),
    isTaxed ? leaf('Percent', '5.00') : undefined,
    scheme,
  );

function supplierOf({ seller }: InvoiceRow['content']): string {
  const address = seller.address && [
    leaf('StreetName', seller.address.street),
    leaf('CityName', seller.address.city),
    leaf('CountrySubentity', seller.address.emirate),
  ];
  return group(
    'AccountingSupplierParty',
    group(
      'Party',
      leaf('EndpointID', seller.trn.slice(0, 10), ` schemeID="${pint.addressScheme}"`),
      group(
        'PostalAddress',
        ...(address ?? []),
        group('Country', leaf('IdentificationCode', 'AE')),
      ),
      group('PartyTaxScheme', leaf('CompanyID', seller.trn), scheme),
      group('PartyLegalEntity', leaf('RegistrationName', seller.name)),
    ),
  );
}

const buyerOf = ({ applicant }: InvoiceRow['content']): string =>
  group(
    'AccountingCustomerParty',
    group(
      'Party',
      leaf('EndpointID', pint.anyBuyer, ` schemeID="${pint.addressScheme}"`),
      group('PostalAddress', group('Country', leaf('IdentificationCode', 'AE'))),
      group('PartyLegalEntity', leaf('RegistrationName', applicant)),
    ),
  );

/** A fee. A quantity of one: the unit is in the title, and the amount was rounded by line. */
function lineOf(line: Line, index: number, isCredit: boolean, isTaxed: boolean): string {
  return group(
    isCredit ? 'CreditNoteLine' : 'InvoiceLine',
    leaf('ID', String(index + 1)),
    leaf(isCredit ? 'CreditedQuantity' : 'InvoicedQuantity', '1', ' unitCode="C62"'),
    money('LineExtensionAmount', line.amount),
    group(
      'Item',
      leaf('Name', line.title),
      // A service.
      group('CommodityClassification', leaf('CommodityCode', 'S')),
      category('ClassifiedTaxCategory', isTaxed),
    ),
    group(
      'Price',
      money('PriceAmount', line.amount),
      leaf('BaseQuantity', '1', ' unitCode="C62"'),
      group(
        'AllowanceCharge',
        leaf('ChargeIndicator', 'false'),
        money('Amount', 0),
        money('BaseAmount', line.amount),
      ),
    ),
    group(
      'ItemPriceExtension',
      money('Amount', line.amount + line.vat),
      // A line that is not subject to tax has no amount of tax.
      isTaxed ? group('TaxTotal', money('TaxAmount', line.vat)) : undefined,
    ),
  );
}

const discountOf = (line: Line, isTaxed: boolean): string =>
  group(
    'AllowanceCharge',
    leaf('ChargeIndicator', 'false'),
    leaf('AllowanceChargeReasonCode', pint.discount),
    leaf('AllowanceChargeReason', line.title),
    money('Amount', -line.amount),
    category('TaxCategory', isTaxed),
  );

function totalsOf(lines: readonly Line[], isTaxed: boolean): string[] {
  const [net, vat] = [sum(lines, 'amount'), sum(lines, 'vat')];
  const discounts = lines.filter(({ amount }) => amount < 0);
  const allowances = -sum(discounts, 'amount');
  return [
    group(
      'TaxTotal',
      money('TaxAmount', vat),
      leaf('TaxIncludedIndicator', 'false'),
      group(
        'TaxSubtotal',
        money('TaxableAmount', net),
        money('TaxAmount', vat),
        category('TaxCategory', isTaxed),
      ),
    ),
    group(
      'LegalMonetaryTotal',
      money('LineExtensionAmount', net + allowances),
      money('TaxExclusiveAmount', net),
      money('TaxInclusiveAmount', net + vat),
      allowances > 0 ? money('AllowanceTotalAmount', allowances) : undefined,
      // It is issued after the payment.
      money('PrepaidAmount', net + vat),
      money('PayableAmount', 0),
    ),
  ];
}

function documentOf(
  { kind, content, issued_at: issuedAt }: InvoiceRow,
  lines: readonly Line[],
  { id, isTaxed }: { id: string; isTaxed: boolean },
): string {
  const isCredit = kind === 'creditNote';
  const root = isCredit ? 'CreditNote' : 'Invoice';
  const type = isCredit
    ? leaf('CreditNoteTypeCode', isTaxed ? pint.taxCreditNote : pint.creditNoteOutOfScope)
    : leaf('InvoiceTypeCode', isTaxed ? pint.taxInvoice : pint.invoiceOutOfScope);
  const suffix = isTaxed ? '' : id.slice(id.search(/-O$|$/));
  const charged = lines.filter(({ amount }) => amount >= 0);
  const parts: Part[] = [
    leaf('CustomizationID', pint.customization),
    leaf('ProfileID', pint.profile),
    leaf('ProfileExecutionID', pint.flags),
    leaf('ID', id),
    leaf('UUID', uuidOf(id)),
    leaf('IssueDate', dayInDubai(issuedAt)),
    type,
    leaf('DocumentCurrencyCode', 'AED'),
    isCredit ? group('DiscrepancyResponse', leaf('ResponseCode', pint.supplyCancelled)) : undefined,
    group('OrderReference', leaf('ID', content.requestNumber)),
    ...content.invoiceNumbers.map((number) =>
      group('BillingReference', group('InvoiceDocumentReference', leaf('ID', number + suffix))),
    ),
    supplierOf(content),
    buyerOf(content),
    isCredit ? undefined : group('PaymentMeans', leaf('PaymentMeansCode', pint.card)),
    ...lines.filter(({ amount }) => amount < 0).map((line) => discountOf(line, isTaxed)),
    ...totalsOf(lines, isTaxed),
    ...charged.map((line, index) => lineOf(line, index, isCredit, isTaxed)),
  ];
  const names = ['CommonAggregateComponents-2', 'CommonBasicComponents-2'].map(
    (name, index) =>
      `xmlns:${index === 0 ? 'cac' : 'cbc'}="urn:oasis:names:specification:ubl:schema:xsd:${name}"`,
  );
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n` +
    `<${root} xmlns="urn:oasis:names:specification:ubl:schema:xsd:${root}-2" ${names.join(' ')}>` +
    `${parts.filter((part) => part !== undefined).join('\n')}</${root}>\n`
  );
}

/**
 * The e-invoices of an invoice or a credit note: one of the lines with VAT, and one of those that are
 * not subject to it, because a document has either. The second one has the number with `-O` where there
 * are both. Empty for a receipt, for a seller without a TRN, and with a rate that the UAE does not have.
 * The same row has the same bytes. Decision 0084.
 */
export function makeEInvoices(row: InvoiceRow): EInvoice[] {
  const { kind, number, content } = row;
  if (kind === 'receipt' || content.seller.trn === '') return [];
  const taxed = content.lines.filter(({ vatRate }) => vatRate > 0);
  const others = content.lines.filter(({ vatRate }) => vatRate === 0);
  if (taxed.some(({ vatRate }) => vatRate !== 500)) return [];
  const both = taxed.length > 0 && others.length > 0;
  return [
    { lines: taxed, id: number, isTaxed: true },
    { lines: others, id: both ? `${number}-O` : number, isTaxed: false },
  ]
    .filter(({ lines }) => lines.length > 0)
    .map(({ lines, ...document }) => ({
      name: `${document.id}.xml`,
      xml: documentOf(row, lines, document),
    }));
}
