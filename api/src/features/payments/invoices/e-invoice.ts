import { createHash } from 'node:crypto';
import { dayInDubai } from '@diwan/contract/wire/days';
import { vatCategoryOf, vatOn, vatCategories, type VatCategory } from '@diwan/contract/wire/money';
import type { InvoiceContent, InvoiceLine, InvoiceParty, InvoiceRow } from './invoices.store.ts';

/** One e-invoice: the name of its file and its bytes as text. */
interface EInvoice {
  name: string;
  xml: string;
}

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
  /** Of lines with a taxed category, at 0 % too, and of lines that are only exempt or out of scope. */
  types: { invoice: ['380', '480'], creditNote: ['381', '81'] },
  /** The supply was cancelled: Federal Decree-Law 8 of 2017, article 61. */
  supplyCancelled: 'DL8.61.1.A',
  /** UNCL 5189: discount. */
  discount: '95',
  /** UNCL 4461: bank card. */
  card: '48',
  /** The kind of an item: a service, and its code: services of public administration. */
  service: 'S',
  serviceCode: '9991',
  /** What the number of a registration is. */
  registrations: { emiratesId: 'EID', tradeLicence: 'TL', cabinetDecision: 'CD' },
} as const;

/** The codes of the categories; `percent` of lines and of allowances, `reason` of article 46. */
const categories: Record<
  VatCategory,
  { code: 'S' | 'Z' | 'E' | 'O'; percent?: string; ofAllowance?: string; reason?: string }
> = {
  standard: { code: 'S', percent: '5.00', ofAllowance: '5.00' },
  zeroRated: { code: 'Z', percent: '0.00', ofAllowance: '0.00' },
  exemptFinance: { code: 'E', ofAllowance: '0.00', reason: 'DL8.46.1' },
  exemptHousing: { code: 'E', ofAllowance: '0.00', reason: 'DL8.46.2' },
  exemptLand: { code: 'E', ofAllowance: '0.00', reason: 'DL8.46.3' },
  exemptTransport: { code: 'E', ofAllowance: '0.00', reason: 'DL8.46.4' },
  outOfScope: { code: 'O' },
};
const categoryOf = (line: InvoiceLine) => categories[vatCategoryOf(line)];

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
const sum = (lines: readonly InvoiceLine[], part: 'amount' | 'vat'): number =>
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

/** The category of a line, of a discount on the document, or of a part of the tax. */
const category = (
  name: 'ClassifiedTaxCategory' | 'TaxCategory',
  { code, percent, reason }: { code: string; percent?: string; reason?: string },
): string =>
  group(
    name,
    leaf('ID', code),
    percent === undefined ? undefined : leaf('Percent', percent),
    reason === undefined ? undefined : leaf('TaxExemptionReasonCode', reason),
    scheme,
  );

const addressOf = ({ street, city, emirate }: NonNullable<InvoiceParty['address']>): string =>
  group(
    'PostalAddress',
    leaf('StreetName', street),
    leaf('CityName', city),
    leaf('CountrySubentity', emirate),
    group('Country', leaf('IdentificationCode', 'AE')),
  );

const quoted = (name: string, value: string): string => ` ${name}="${escape(value)}"`;

function legalEntityOf(name: string, registration: InvoiceParty['registration']): string {
  if (!registration) return group('PartyLegalEntity', leaf('RegistrationName', name));
  const { kind, number, authority } = registration;
  const attributes =
    quoted('schemeAgencyID', pint.registrations[kind]) +
    (authority ? quoted('schemeAgencyName', authority) : '');
  return group(
    'PartyLegalEntity',
    leaf('RegistrationName', name),
    leaf('CompanyID', number, attributes),
  );
}

const endpointOf = (value: string): string =>
  leaf('EndpointID', value, quoted('schemeID', pint.addressScheme));
const taxSchemeOf = (trn: string): string =>
  group('PartyTaxScheme', leaf('CompanyID', trn), scheme);
// The TIN is the first ten digits of the TRN.
const tinOf = (trn: string): string => trn.slice(0, 10);

/** What an e-invoice needs of both sides. A person has no address on record. */
interface Parties {
  seller: InvoiceParty & { address: NonNullable<InvoiceParty['address']> };
  buyer: Omit<InvoiceParty, 'name'>;
}

const supplierOf = ({ seller }: Parties): string =>
  group(
    'AccountingSupplierParty',
    group(
      'Party',
      endpointOf(tinOf(seller.trn)),
      addressOf(seller.address),
      taxSchemeOf(seller.trn),
      legalEntityOf(seller.name, seller.registration),
    ),
  );

function buyerOf({ seller, buyer }: Parties, name: string, notStated: string): string {
  const { trn, registration } = buyer;
  // Where the address is not on record, the service is supplied in the emirate of its seller.
  const address = buyer.address ?? {
    street: notStated,
    city: notStated,
    emirate: seller.address.emirate,
  };
  return group(
    'AccountingCustomerParty',
    group(
      'Party',
      endpointOf(trn === '' ? pint.anyBuyer : tinOf(trn)),
      registration ? group('PartyIdentification', leaf('ID', registration.number)) : undefined,
      addressOf(address),
      trn === '' ? undefined : taxSchemeOf(trn),
      legalEntityOf(name, registration),
    ),
  );
}

/** A fee. A quantity of one: the unit is in the title, and the amount was rounded by line. */
function lineOf(line: InvoiceLine, index: number, { isCredit, service }: LineContext): string {
  const { code, percent, reason } = categoryOf(line);
  return group(
    isCredit ? 'CreditNoteLine' : 'InvoiceLine',
    leaf('ID', String(index + 1)),
    leaf(isCredit ? 'CreditedQuantity' : 'InvoicedQuantity', '1', ' unitCode="C62"'),
    money('LineExtensionAmount', line.amount),
    group(
      'Item',
      leaf('Description', service),
      leaf('Name', line.title),
      group('AdditionalItemIdentification', leaf('ID', pint.serviceCode, ' schemeID="SAC"')),
      group('CommodityClassification', leaf('CommodityCode', pint.service)),
      category('ClassifiedTaxCategory', {
        code,
        ...(percent ? { percent } : {}),
        ...(reason ? { reason } : {}),
      }),
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
      // An exempt line has no amount of tax; the others have one, also of 0.
      code === 'E' ? undefined : group('TaxTotal', money('TaxAmount', line.vat)),
    ),
  );
}

interface LineContext {
  isCredit: boolean;
  service: string;
}

function discountOf(line: InvoiceLine): string {
  const { code, ofAllowance: percent } = categoryOf(line);
  return group(
    'AllowanceCharge',
    leaf('ChargeIndicator', 'false'),
    leaf('AllowanceChargeReasonCode', pint.discount),
    leaf('AllowanceChargeReason', line.title),
    money('Amount', -line.amount),
    category('TaxCategory', { code, ...(percent ? { percent } : {}) }),
  );
}

/** The lines of each code of a category, in the order of the categories. */
function groupByCode(lines: readonly InvoiceLine[]) {
  const codes = [...new Set(vatCategories.map((each) => categories[each].code))];
  return codes.flatMap((code) => {
    const own = lines.filter((line) => categoryOf(line).code === code);
    const [first] = own;
    return first ? [{ code, own, percent: categoryOf(first).percent }] : [];
  });
}

function totalsOf(lines: readonly InvoiceLine[]): string[] {
  const [net, vat] = [sum(lines, 'amount'), sum(lines, 'vat')];
  const discounts = lines.filter(({ amount }) => amount < 0);
  const allowances = -sum(discounts, 'amount');
  return [
    group(
      'TaxTotal',
      money('TaxAmount', vat),
      leaf('TaxIncludedIndicator', 'false'),
      ...groupByCode(lines).map(({ code, own, percent }) =>
        group(
          'TaxSubtotal',
          money('TaxableAmount', sum(own, 'amount')),
          money('TaxAmount', sum(own, 'vat')),
          category('TaxCategory', { code, ...(percent ? { percent } : {}) }),
        ),
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
  { kind, number, content, issued_at: issuedAt }: InvoiceRow,
  parties: Parties,
  notStated: string,
): string {
  const { lines, transfer } = content;
  const isCredit = kind === 'creditNote';
  const root = isCredit ? 'CreditNote' : 'Invoice';
  const type = pint.types[isCredit ? 'creditNote' : 'invoice'][isTaxable(content) ? 0 : 1];
  const issuedOn = dayInDubai(issuedAt);
  const charged = lines.filter(({ amount }) => amount >= 0);
  const parts: Part[] = [
    leaf('CustomizationID', pint.customization),
    leaf('ProfileID', pint.profile),
    leaf('ProfileExecutionID', pint.flags),
    leaf('ID', number),
    leaf('UUID', uuidOf(number)),
    leaf('IssueDate', issuedOn),
    leaf(`${root}TypeCode`, type ?? ''),
    !isCredit && transfer.day < issuedOn ? leaf('TaxPointDate', transfer.day) : undefined,
    leaf('DocumentCurrencyCode', 'AED'),
    isCredit ? group('DiscrepancyResponse', leaf('ResponseCode', pint.supplyCancelled)) : undefined,
    group('OrderReference', leaf('ID', content.requestNumber)),
    ...content.invoiceNumbers.map((each) =>
      group('BillingReference', group('InvoiceDocumentReference', leaf('ID', each))),
    ),
    supplierOf(parties),
    buyerOf(parties, content.applicant, notStated),
    isCredit ? undefined : group('PaymentMeans', leaf('PaymentMeansCode', pint.card)),
    ...lines.filter(({ amount }) => amount < 0).map(discountOf),
    ...totalsOf(lines),
    ...charged.map((line, index) => lineOf(line, index, { isCredit, service: content.service })),
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

/** Whether a charged line is taxed, at 0 % too: exempt and out of scope alone are no tax invoice. */
export const isTaxable = ({ lines }: Pick<InvoiceContent, 'lines'>): boolean =>
  lines.some((line) => line.amount >= 0 && ['S', 'Z'].includes(categoryOf(line).code));

/** A registration that the rules accept: a licence needs who issued it. */
const isRegistered = ({ registration }: Pick<InvoiceParty, 'registration'>): boolean =>
  registration !== undefined && (registration.kind !== 'tradeLicence' || !!registration.authority);

/** What the rules ask of both sides; undefined where something is not known. */
function partiesOf(content: InvoiceContent): Parties | undefined {
  const { seller, buyer } = content;
  if (seller.trn === '' || !seller.address || !isRegistered(seller) || !buyer) return undefined;
  const isIdentified = isRegistered(buyer) || (buyer.trn !== '' && isTaxable(content));
  if (!isIdentified) return undefined;
  const { registration: _registration, ...unregistered } = buyer;
  return {
    seller: { ...seller, address: seller.address },
    buyer: isRegistered(buyer) ? buyer : unregistered,
  };
}

/** A document has a charge, and a credit note an invoice that it concerns. */
const isWhole = ({ kind, content }: InvoiceRow): boolean =>
  content.lines.some(({ amount }) => amount >= 0) &&
  (kind !== 'creditNote' || content.invoiceNumbers.length > 0);

/** The rule of the standard rate allows two fils between the VAT of the lines and of their sum. */
function isWithinTolerance(lines: readonly InvoiceLine[]): boolean {
  const taxed = lines.filter((line) => categoryOf(line).code === 'S');
  return (
    taxed.every(({ vatRate }) => vatRate === 500) &&
    Math.abs(sum(taxed, 'vat') - vatOn(sum(taxed, 'amount'), 500)) <= 2
  );
}

/**
 * The e-invoice of an invoice or a credit note. None of a receipt, where the rules of PINT AE ask for what
 * is not known of seller or buyer, without a charge or the invoice that is credited, with a rate that the
 * UAE does not have, and where the roundings of many lines add up to more than the rules allow. `notStated`
 * stands for an address that is not on record. The same row has the same bytes. Decisions 0084, 0128.
 */
export function makeEInvoices(row: InvoiceRow, notStated: string): EInvoice[] {
  const { kind, number, content } = row;
  const parties = kind === 'receipt' ? undefined : partiesOf(content);
  if (!parties || !isWhole(row) || !isWithinTolerance(content.lines)) return [];
  return [{ name: `${number}.xml`, xml: documentOf(row, parties, notStated) }];
}
