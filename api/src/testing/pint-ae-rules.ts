import {
  amountsOf,
  every,
  fils,
  find,
  has,
  hasEachOnce,
  isFilled,
  isInOrder,
  readXml,
  sum,
  text,
  type XmlNode,
} from './ubl-documents.ts';

export const linesOf = (document: XmlNode): XmlNode[] => [
  ...find(document, 'InvoiceLine'),
  ...find(document, 'CreditNoteLine'),
];
const typeOf = (document: XmlNode): string =>
  text(document, 'InvoiceTypeCode') + text(document, 'CreditNoteTypeCode');
const isOutOfScope = (document: XmlNode): boolean => ['480', '81'].includes(typeOf(document));
const isCredit = (document: XmlNode): boolean => ['381', '81'].includes(typeOf(document));
const lineCategory = 'Item/ClassifiedTaxCategory';
const supplier = 'AccountingSupplierParty/Party';
const customer = 'AccountingCustomerParty/Party';
const legalId = 'PartyLegalEntity/CompanyID';
/** Trade licence, Emirates ID and decision of the cabinet; of a passport the rules ask for its country. */
const registrations = ['TL', 'EID', 'CD'];
const emirates = ['AUH', 'DXB', 'SHJ', 'UAQ', 'FUJ', 'AJM', 'RAK'];
const exemptions = ['DL8.46.1', 'DL8.46.2', 'DL8.46.3', 'DL8.46.4'];

interface Rule {
  id: string;
  /** The elements that the rule is about; the document itself where not given. */
  of?: (document: XmlNode) => XmlNode[];
  holds: (node: XmlNode, document: XmlNode) => boolean;
}

const required = (id: string, path: string): Rule => ({ id, holds: (node) => has(node, path) });
const ofLine = (id: string, holds: Rule['holds']): Rule => ({ id, of: linesOf, holds });
const ofParty = (id: string, party: string, holds: Rule['holds']): Rule => ({
  id,
  of: (document) => find(document, party),
  holds,
});
const ofSubtotal = (id: string, holds: Rule['holds']): Rule => ({
  id,
  of: (document) => find(document, 'TaxTotal/TaxSubtotal'),
  holds,
});
const ofAllowance = (id: string, holds: Rule['holds']): Rule => ({
  id,
  of: (document) => find(document, 'AllowanceCharge'),
  holds,
});
const total = (name: string): string => `LegalMonetaryTotal/${name}`;
const categoryOf = (node: XmlNode, path: string): string => text(node, `${path}/ID`);

const quantityOf = (line: XmlNode): XmlNode | undefined =>
  [...find(line, 'InvoicedQuantity'), ...find(line, 'CreditedQuantity')][0];

/** What a breakdown of one category must sum up: its lines less its allowances. */
function netOf(document: XmlNode, code: string): number {
  const own = linesOf(document).filter((line) => categoryOf(line, lineCategory) === code);
  const off = find(document, 'AllowanceCharge').filter(
    (each) => categoryOf(each, 'TaxCategory') === code,
  );
  return sum(own, 'LineExtensionAmount') - sum(off, 'Amount');
}

const usedCodes = (document: XmlNode): string[] => [
  ...new Set([
    ...linesOf(document).map((line) => categoryOf(line, lineCategory)),
    ...find(document, 'AllowanceCharge').map((each) => categoryOf(each, 'TaxCategory')),
  ]),
];

/**
 * Rules of PINT AE for invoices and credit notes, as a table. The ids and what they ask for are those of
 * OpenPeppol's rules of May 2026 (the shared `ibr-…`, the national `ibr-…-ae` and `aligned-ibrp-…`), for the
 * elements that the product writes; the rules themselves are written here. A row may be stricter than its
 * rule, and one row may stand for several. Decision 0128, `docs/lab/e-invoices.md`.
 */
export const pintRules: readonly Rule[] = [
  // The header.
  { id: 'ibr-001', holds: (d) => text(d, 'CustomizationID') === 'urn:peppol:pint:billing-1@ae-1' },
  { id: 'ibr-076', holds: (d) => text(d, 'ProfileID') === 'urn:peppol:bis:billing' },
  { id: 'ibr-154-ae', holds: (d) => /^[01]{8}$/.test(text(d, 'ProfileExecutionID')) },
  {
    // A special supply asks for more than the product writes.
    id: 'ibr-157-ae',
    holds: (d) => !text(d, 'ProfileExecutionID').includes('1'),
  },
  required('ibr-002', 'ID'),
  required('ibr-193-ae', 'UUID'),
  { id: 'ibr-073', holds: (d) => /^\d{4}-\d\d-\d\d$/.test(text(d, 'IssueDate')) },
  { id: 'ibr-cl-01', holds: (d) => ['380', '480', '381', '81'].includes(typeOf(d)) },
  { id: 'ibr-cl-04', holds: (d) => text(d, 'DocumentCurrencyCode') === 'AED' },
  {
    id: 'ibr-141-ae',
    holds: (d) => !has(d, 'TaxPointDate') || text(d, 'TaxPointDate') < text(d, 'IssueDate'),
  },
  { id: 'ibr-124-ae', holds: (d) => !isCredit(d) || !has(d, 'TaxPointDate') },
  {
    id: 'ibr-055-ae',
    holds: (d) => !isCredit(d) || has(d, 'BillingReference/InvoiceDocumentReference/ID'),
  },
  {
    id: 'ibr-001-ae',
    holds: (d) =>
      !isCredit(d) || /^DL8\.61\.1\.[A-E]$/.test(text(d, 'DiscrepancyResponse/ResponseCode')),
  },
  {
    id: 'ibr-191-ae',
    holds: (d) => isCredit(d) || has(d, 'PaymentMeans/PaymentMeansCode'),
  },
  {
    // A bank card; a credit transfer would name an account.
    id: 'ibr-cl-16',
    of: (d) => find(d, 'PaymentMeans'),
    holds: (node) => text(node, 'PaymentMeansCode') === '48',
  },
  { id: 'ibr-079', holds: isFilled },
  { id: 'ibr-sr: elements occur once', holds: hasEachOnce },
  {
    id: 'ubl: order of elements',
    holds: isInOrder,
  },
  {
    id: 'ibr-126',
    of: amountsOf,
    holds: (node) => node.attributes['currencyID'] === 'AED',
  },
  { id: 'ibr-123', of: amountsOf, holds: (node) => /^-?\d+\.\d\d$/.test(node.text) },
  {
    id: 'ibr-133-ae',
    of: (d) =>
      ['PartyTaxScheme', 'TaxCategory', 'ClassifiedTaxCategory'].flatMap((name) => every(d, name)),
    holds: (node) => text(node, 'TaxScheme/ID') === 'VAT',
  },
  // The seller.
  { id: 'ibr-008', holds: (d) => find(d, `${supplier}/PostalAddress`).length === 1 },
  ofParty('ibr-006', supplier, (party) => has(party, 'PartyLegalEntity/RegistrationName')),
  ofParty('ibr-062', supplier, (party) => {
    const [endpoint] = find(party, 'EndpointID');
    return endpoint?.attributes['schemeID'] === '0235' && /^1\d{9}$/.test(endpoint.text);
  }),
  ofParty('ibr-143-ae', supplier, (party) => isWholeAddress(party)),
  ofParty(
    'ibr-134-ae',
    supplier,
    (party, d) => isOutOfScope(d) || has(party, 'PartyTaxScheme/CompanyID'),
  ),
  ofParty('ibr-150-ae', supplier, (party) => has(party, legalId)),
  ofParty('ibr-173-ae', supplier, (party) => registrations.includes(agencyOf(party))),
  ofParty('ibr-172-ae', supplier, hasAuthority),
  // The buyer.
  { id: 'ibr-010', holds: (d) => find(d, `${customer}/PostalAddress`).length === 1 },
  ofParty('ibr-007', customer, (party) => has(party, 'PartyLegalEntity/RegistrationName')),
  ofParty(
    'ibr-063',
    customer,
    (party) => find(party, 'EndpointID')[0]?.attributes['schemeID'] === '0235',
  ),
  ofParty(
    'ibr-149-ae',
    customer,
    (party) => /^[19]/.test(text(party, 'EndpointID')) || has(party, 'PartyTaxScheme/CompanyID'),
  ),
  ofParty('ibr-144-ae', customer, (party) => isWholeAddress(party)),
  ofParty(
    'ibr-135-ae',
    customer,
    (party) =>
      /^1\d{9}$/.test(text(party, 'EndpointID')) ||
      has(party, 'PartyIdentification/ID') ||
      has(party, 'PartyTaxScheme/CompanyID'),
  ),
  ofParty('ibr-136-ae', customer, (party, d) => !isOutOfScope(d) || has(party, legalId)),
  ofParty('ibr-180-ae', customer, (party) => !has(party, legalId) || agencyOf(party) !== ''),
  ofParty(
    'ibr-183-ae',
    customer,
    (party) => !has(party, legalId) || registrations.includes(agencyOf(party)),
  ),
  ofParty('ibr-101-ae', customer, hasAuthority),
  {
    id: 'ibr-132-ae',
    of: (d) => every(d, 'PartyTaxScheme'),
    holds: (node) => /^1\d{12}03$/.test(text(node, 'CompanyID')),
  },
  {
    id: 'ibr-128-ae',
    of: (d) => every(d, 'PostalAddress'),
    holds: (node) =>
      text(node, 'Country/IdentificationCode') === 'AE' &&
      emirates.includes(text(node, 'CountrySubentity')),
  },
  // The lines.
  { id: 'ibr-016', holds: (d) => linesOf(d).length > 0 },
  ofLine('ibr-021', (line) => has(line, 'ID')),
  ofLine('ibr-023', (line) => quantityOf(line)?.attributes['unitCode'] === 'C62'),
  ofLine('ibr-024', (line) => has(line, 'LineExtensionAmount')),
  ofLine('ibr-026', (line) => has(line, 'Price/PriceAmount')),
  ofLine('ibr-025', (line) => has(line, 'Item/Name')),
  ofLine('ibr-125-ae', (line) => has(line, 'Item/Description')),
  ofLine('ibr-185-ae', (line) => {
    const isService = text(line, 'Item/CommodityClassification/CommodityCode') === 'S';
    return isService && has(line, 'Item/AdditionalItemIdentification/ID');
  }),
  ofLine(
    'ibr-189-ae',
    (line) =>
      find(line, 'Item/AdditionalItemIdentification/ID')[0]?.attributes['schemeID'] === 'SAC',
  ),
  ofLine('ibr-027', (line) => fils(line, 'Price/PriceAmount') >= 0),
  ofLine(
    'ibr-126-ae',
    (line) => has(line, 'Price/BaseQuantity') && has(line, 'Price/AllowanceCharge/BaseAmount'),
  ),
  ofLine('ibr-087', (line) => Number(text(line, 'Price/BaseQuantity')) > 0),
  ofLine(
    'ibr-088',
    (line) => find(line, 'Price/BaseQuantity')[0]?.attributes['unitCode'] === 'C62',
  ),
  ofLine('ibr-083', (line) => text(line, 'Price/AllowanceCharge/ChargeIndicator') === 'false'),
  ofLine('ibr-111', (line) => find(line, 'Price/AllowanceCharge').length <= 1),
  ofLine('aligned-ibrp-004', (line) => {
    const off = 'Price/AllowanceCharge/Amount';
    const base = fils(line, 'Price/AllowanceCharge/BaseAmount');
    return has(line, off) && fils(line, 'Price/PriceAmount') === base - fils(line, off);
  }),
  ofLine('ibr-147-ae', (line) => {
    const price = fils(line, 'Price/PriceAmount') / Number(text(line, 'Price/BaseQuantity'));
    return fils(line, 'LineExtensionAmount') === price * Number(quantityOf(line)?.text);
  }),
  ofLine('ibr-145-ae', (line) => find(line, lineCategory).length === 1),
  ofLine('ibr-194-ae', (line) => has(line, 'ItemPriceExtension/Amount')),
  ofLine(
    'ibr-104-ae',
    (line) =>
      categoryOf(line, lineCategory) === 'E' || has(line, 'ItemPriceExtension/TaxTotal/TaxAmount'),
  ),
  ofLine(
    'ibr-163-ae',
    (line) =>
      categoryOf(line, lineCategory) !== 'E' || !has(line, 'ItemPriceExtension/TaxTotal/TaxAmount'),
  ),
  ofLine('ibr-165-ae', (line) => {
    const isTaxed = categoryOf(line, lineCategory) === 'S';
    return isTaxed || !fils(line, 'ItemPriceExtension/TaxTotal/TaxAmount');
  }),
  ofLine('aligned-ibrp-s-05', (line) => isRate(line, 'S', '5.00')),
  ofLine('aligned-ibrp-z-05', (line) => isRate(line, 'Z', '0.00')),
  ofLine('aligned-ibrp-e-05', (line) => isRate(line, 'E', '')),
  ofLine('aligned-ibrp-o-05', (line) => isRate(line, 'O', '')),
  ofLine(
    'ibr-167-ae',
    (line) =>
      categoryOf(line, lineCategory) !== 'E' ||
      exemptions.includes(text(line, `${lineCategory}/TaxExemptionReasonCode`)),
  ),
  // Allowances.
  ofAllowance('ibr-082', (each) => text(each, 'ChargeIndicator') === 'false'),
  ofAllowance('ibr-033', (each) => text(each, 'AllowanceChargeReasonCode') === '95'),
  ofAllowance('ibr-031', (each) => fils(each, 'Amount') > 0),
  ofAllowance('aligned-ibrp-032', (each) => text(each, 'TaxCategory/TaxScheme/ID') === 'VAT'),
  ofAllowance('aligned-ibrp-e-06', (each) => {
    const percent = { S: '5.00', Z: '0.00', E: '0.00' }[categoryOf(each, 'TaxCategory')] ?? '';
    return text(each, 'TaxCategory/Percent') === percent;
  }),
  // Categories and their breakdown.
  {
    id: 'ibr-139-ae',
    holds: (d) => usedCodes(d).every((code) => ['S', 'Z', 'E', 'O'].includes(code)),
  },
  {
    id: 'ibr-122-ae',
    holds: (d) => !isOutOfScope(d) || !usedCodes(d).includes('S'),
  },
  {
    id: 'ibr-151-ae',
    holds: (d) =>
      isOutOfScope(d) ||
      linesOf(d).some((line) => ['S', 'Z'].includes(categoryOf(line, lineCategory))),
  },
  {
    id: 'aligned-ibrp-01: one breakdown of each category',
    holds: (d) =>
      find(d, 'TaxTotal/TaxSubtotal')
        .map((part) => categoryOf(part, 'TaxCategory'))
        .toSorted()
        .join() === usedCodes(d).toSorted().join(),
  },
  ofSubtotal('aligned-ibrp-045', (part) => has(part, 'TaxableAmount')),
  ofSubtotal('aligned-ibrp-046', (part) => has(part, 'TaxAmount')),
  ofSubtotal('aligned-ibrp-08', (part, d) => {
    const code = categoryOf(part, 'TaxCategory');
    return fils(part, 'TaxableAmount') === netOf(d, code);
  }),
  ofSubtotal('aligned-ibrp-s-09', (part) => {
    const isTaxed = categoryOf(part, 'TaxCategory') === 'S';
    const due = isTaxed ? Math.round(Math.abs(fils(part, 'TaxableAmount')) * 0.05) : 0;
    return Math.abs(Math.abs(fils(part, 'TaxAmount')) - due) <= (isTaxed ? 2 : 0);
  }),
  ofSubtotal('ibr-119-ae', (part) => {
    const isRated = ['S', 'Z'].includes(categoryOf(part, 'TaxCategory'));
    return has(part, 'TaxCategory/Percent') === isRated;
  }),
  ofSubtotal('ibr-190-ae', (part) => {
    const percent = { S: '5.00', Z: '0.00' }[categoryOf(part, 'TaxCategory')] ?? '';
    return text(part, 'TaxCategory/Percent') === percent;
  }),
  ofSubtotal('aligned-ibrp-047', (part) => text(part, 'TaxCategory/TaxScheme/ID') === 'VAT'),
  // Totals.
  required('ibr-012', total('LineExtensionAmount')),
  required('ibr-013', total('TaxExclusiveAmount')),
  required('ibr-014', total('TaxInclusiveAmount')),
  required('ibr-015', total('PayableAmount')),
  // Of amounts with the tax in them the rules check no sums.
  {
    id: 'ibr-co-13: amounts without tax',
    holds: (d) => text(d, 'TaxTotal/TaxIncludedIndicator') === 'false',
  },
  {
    id: 'ibr-co-10',
    holds: (d) => fils(d, total('LineExtensionAmount')) === sum(linesOf(d), 'LineExtensionAmount'),
  },
  {
    id: 'ibr-co-11',
    holds: (d) => {
      const off = find(d, 'AllowanceCharge');
      const stated = find(d, total('AllowanceTotalAmount'));
      return off.length === 0
        ? stated.length === 0
        : fils(d, total('AllowanceTotalAmount')) === sum(off, 'Amount');
    },
  },
  {
    id: 'ibr-co-13',
    holds: (d) =>
      fils(d, total('TaxExclusiveAmount')) ===
      fils(d, total('LineExtensionAmount')) - fils(d, total('AllowanceTotalAmount')),
  },
  {
    id: 'ibr-co-14',
    holds: (d) =>
      has(d, 'TaxTotal/TaxAmount') &&
      fils(d, 'TaxTotal/TaxAmount') === sum(find(d, 'TaxTotal/TaxSubtotal'), 'TaxAmount'),
  },
  {
    id: 'ibr-co-15',
    holds: (d) =>
      fils(d, total('TaxInclusiveAmount')) ===
      fils(d, total('TaxExclusiveAmount')) + fils(d, 'TaxTotal/TaxAmount'),
  },
  {
    id: 'ibr-co-16',
    holds: (d) =>
      fils(d, total('PayableAmount')) ===
      fils(d, total('TaxInclusiveAmount')) - fils(d, total('PrepaidAmount')),
  },
];

function isWholeAddress(party: XmlNode): boolean {
  return ['StreetName', 'CityName', 'CountrySubentity', 'Country/IdentificationCode'].every(
    (part) => has(party, `PostalAddress/${part}`),
  );
}

function agencyOf(party: XmlNode): string {
  return find(party, legalId)[0]?.attributes['schemeAgencyID'] ?? '';
}

/** A trade licence names who issued it. */
function hasAuthority(party: XmlNode): boolean {
  return agencyOf(party) !== 'TL' || !!find(party, legalId)[0]?.attributes['schemeAgencyName'];
}

function isRate(line: XmlNode, code: string, percent: string): boolean {
  return (
    categoryOf(line, lineCategory) !== code || text(line, `${lineCategory}/Percent`) === percent
  );
}

/** The ids of the rules that a document breaks. */
export function findBrokenRules(xml: string): string[] {
  const document = readXml(xml);
  return pintRules
    .filter(
      ({ of = (node) => [node], holds }) => !of(document).every((node) => holds(node, document)),
    )
    .map(({ id }) => id);
}
