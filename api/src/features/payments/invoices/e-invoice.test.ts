import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { vatOn } from '@diwan/contract/wire/money';
import { makeEInvoices } from './e-invoice.ts';
import type { InvoiceRow } from './invoices.store.ts';

type Line = InvoiceRow['content']['lines'][number];

const line = (amount: number, vatRate: number, title = 'Fee'): Line => ({
  title,
  amount,
  vatRate,
  vat: vatOn(amount, vatRate),
});

function rowOf(lines: Line[], more: Partial<InvoiceRow> = {}): InvoiceRow {
  const kind = more.kind ?? 'invoice';
  return {
    id: 1,
    kind,
    number: kind === 'creditNote' ? 'CRN-2026-000001' : 'INV-2026-000001',
    issued_at: new Date('2026-11-24T21:00:00Z'),
    total: lines.reduce((total, { amount, vat }) => total + amount + vat, 0),
    content: {
      language: 'ar-EG',
      seller: {
        name: 'مشغّل البوابة <و> "شركاؤه" & co',
        trn: '100000000000003',
        isDemo: true,
        address: { street: 'Street 1', city: 'Dubai', emirate: 'DXB' },
      },
      applicant: 'سارة',
      requestNumber: 'DW-2026-1',
      service: 'Service',
      agency: 'Agency',
      lines,
      transfer: { reference: 'PAY-1', day: '2026-11-24', amount: 1 },
      invoiceNumbers: kind === 'creditNote' ? ['INV-2026-000001'] : [],
    },
    ...more,
  } as InvoiceRow;
}

interface Node {
  name: string;
  text: string;
  attributes: Record<string, string>;
  children: Node[];
}

/** A strict reader of the XML that we write: every element must be closed by its own name. */
function parse(xml: string): Node {
  const root: Node = { name: '', text: '', attributes: {}, children: [] };
  const open = [root];
  for (const [, declaration, close, name, attributes = '', text] of xml.matchAll(
    /(<\?[^>]*\?>)|<(\/?)([\w:]+)((?:\s[\w:]+="[^"<]*")*)>|([^<>]+)/g,
  )) {
    const current = open.at(-1) as Node;
    if (declaration) continue;
    if (text !== undefined) current.text += text;
    else if (close) {
      expect(open.pop()?.name).toBe(name);
    } else if (name) {
      const pairs = [...attributes.matchAll(/([\w:]+)="([^"]*)"/g)];
      const made = { name, text: '', children: [], attributes: {} } as Node;
      for (const [, key = '', value = ''] of pairs) made.attributes[key] = value;
      current.children.push(made);
      open.push(made);
    }
  }
  expect(open).toHaveLength(1);
  const [only] = root.children;
  if (!only || root.children.length > 1) throw new Error('not one root');
  return only;
}

const all = (node: Node, path: string): Node[] =>
  path
    .split('/')
    .reduce<Node[]>(
      (nodes, step) =>
        nodes.flatMap(({ children }) => children.filter(({ name }) => name.endsWith(`:${step}`))),
      [node],
    );
const one = (node: Node, path: string): string => {
  const found = all(node, path);
  expect([path, found.length]).toEqual([path, 1]);
  return found[0]?.text ?? '';
};
const fils = (node: Node, path: string): number => Math.round(Number(one(node, path)) * 100);

const required = [
  'CustomizationID',
  'ProfileID',
  'ProfileExecutionID',
  'ID',
  'UUID',
  'IssueDate',
  'DocumentCurrencyCode',
  'AccountingSupplierParty/Party/EndpointID',
  'AccountingSupplierParty/Party/PostalAddress/StreetName',
  'AccountingSupplierParty/Party/PostalAddress/CityName',
  'AccountingSupplierParty/Party/PostalAddress/CountrySubentity',
  'AccountingSupplierParty/Party/PostalAddress/Country/IdentificationCode',
  'AccountingSupplierParty/Party/PartyTaxScheme/CompanyID',
  'AccountingSupplierParty/Party/PartyTaxScheme/TaxScheme/ID',
  'AccountingSupplierParty/Party/PartyLegalEntity/RegistrationName',
  'AccountingCustomerParty/Party/EndpointID',
  'AccountingCustomerParty/Party/PartyLegalEntity/RegistrationName',
  'TaxTotal/TaxAmount',
  'TaxTotal/TaxIncludedIndicator',
  'LegalMonetaryTotal/PayableAmount',
];

/** The elements in the order of the UBL schema: those of a document that we write. */
const schemaOrder = [
  'CustomizationID',
  'ProfileID',
  'ProfileExecutionID',
  'ID',
  'UUID',
  'IssueDate',
  'InvoiceTypeCode',
  'CreditNoteTypeCode',
  'DocumentCurrencyCode',
  'DiscrepancyResponse',
  'OrderReference',
  'BillingReference',
  'AccountingSupplierParty',
  'AccountingCustomerParty',
  'PaymentMeans',
  'AllowanceCharge',
  'TaxTotal',
  'LegalMonetaryTotal',
  'InvoiceLine',
  'CreditNoteLine',
];

/** Mandatory elements in the order of the schema, code lists and formats. */
function checkHeader(document: Node): void {
  for (const path of required) expect([path, one(document, path).trim()]).not.toEqual([path, '']);
  const places = document.children.map(({ name }) => schemaOrder.indexOf(name.slice(4)));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places).not.toContain(-1);
  expect(one(document, 'CustomizationID')).toBe('urn:peppol:pint:billing-1@ae-1');
  expect(one(document, 'ProfileExecutionID')).toMatch(/^[01]{8}$/);
  expect(one(document, 'IssueDate')).toMatch(/^\d{4}-\d\d-\d\d$/);
  expect(one(document, 'UUID')).toMatch(
    /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
  );
  const trn = one(document, 'AccountingSupplierParty/Party/PartyTaxScheme/CompanyID');
  expect(trn).toMatch(/^1\d{14}$/);
  const [endpoint] = all(document, 'AccountingSupplierParty/Party/EndpointID');
  expect([endpoint?.text, endpoint?.attributes]).toEqual([trn.slice(0, 10), { schemeID: '0235' }]);
  expect(['AUH', 'AJM', 'DXB', 'FUJ', 'RAK', 'SHJ', 'UAQ']).toContain(
    one(document, 'AccountingSupplierParty/Party/PostalAddress/CountrySubentity'),
  );
  const currencies = JSON.stringify(document).match(/"currencyID":"[^"]*"/g) ?? [];
  expect(new Set(currencies)).toEqual(new Set(['"currencyID":"AED"']));
}

const linesOf = (document: Node): Node[] => [
  ...all(document, 'InvoiceLine'),
  ...all(document, 'CreditNoteLine'),
];

/** One category for everything, a rate only where it is taxed. Returns whether it is. */
function checkCategories(document: Node): boolean {
  const categories = [
    ...linesOf(document).flatMap((each) => all(each, 'Item/ClassifiedTaxCategory')),
    ...all(document, 'AllowanceCharge/TaxCategory'),
    ...all(document, 'TaxTotal/TaxSubtotal/TaxCategory'),
  ];
  const codes = [...new Set(categories.map((each) => one(each, 'ID')))];
  expect(codes).toHaveLength(1);
  expect(['S', 'O']).toContain(codes[0]);
  const isTaxed = codes[0] === 'S';
  for (const each of categories) {
    expect(all(each, 'Percent').map(({ text }) => text)).toEqual(isTaxed ? ['5.00'] : []);
    expect(one(each, 'TaxScheme/ID')).toBe('VAT');
  }
  return isTaxed;
}

/** A credit note says why and for which invoice, and has no means of payment. */
function checkKind(document: Node, isTaxed: boolean): void {
  const isCredit = document.name === 'CreditNote';
  const [taxed, other] = isCredit ? ['381', '81'] : ['380', '480'];
  const code = one(document, `${document.name}TypeCode`);
  expect(code).toBe(isTaxed ? taxed : other);
  expect(all(document, 'DiscrepancyResponse/ResponseCode')).toHaveLength(isCredit ? 1 : 0);
  expect(all(document, 'BillingReference').length > 0).toBe(isCredit);
  expect(all(document, 'PaymentMeans/PaymentMeansCode')).toHaveLength(isCredit ? 0 : 1);
}

function checkLine(line: Node, isTaxed: boolean): void {
  const amount = fils(line, 'LineExtensionAmount');
  const [quantity] = [...all(line, 'InvoicedQuantity'), ...all(line, 'CreditedQuantity')];
  expect(fils(line, 'Price/PriceAmount') * Number(quantity?.text)).toBe(amount);
  expect(fils(line, 'Price/PriceAmount')).toBeGreaterThanOrEqual(0);
  const tax = all(line, 'ItemPriceExtension/TaxTotal').map((of) => fils(of, 'TaxAmount'));
  expect(tax).toHaveLength(isTaxed ? 1 : 0);
  expect(fils(line, 'ItemPriceExtension/Amount')).toBe(amount + (tax[0] ?? 0));
}

function checkTotals(document: Node, isTaxed: boolean): void {
  const allowances = all(document, 'AllowanceCharge');
  const lines = linesOf(document);
  const net = lines.reduce((sum, each) => sum + fils(each, 'LineExtensionAmount'), 0);
  const off = allowances.reduce((sum, each) => sum + fils(each, 'Amount'), 0);
  const total = (name: string) => fils(document, `LegalMonetaryTotal/${name}`);
  expect(total('LineExtensionAmount')).toBe(net);
  if (allowances.length > 0) expect(total('AllowanceTotalAmount')).toBe(off);
  expect(total('TaxExclusiveAmount')).toBe(net - off);
  const vat = fils(document, 'TaxTotal/TaxAmount');
  expect(total('TaxInclusiveAmount')).toBe(net - off + vat);
  expect(total('PayableAmount')).toBe(total('TaxInclusiveAmount') - total('PrepaidAmount'));
  const [subtotal] = all(document, 'TaxTotal/TaxSubtotal');
  if (!subtotal) throw new Error('There is no breakdown of the tax');
  expect([fils(subtotal, 'TaxableAmount'), fils(subtotal, 'TaxAmount')]).toEqual([net - off, vat]);
  // The rule compares with the rate of the sum and allows less than one dirham.
  expect(Math.abs(vat - (isTaxed ? (net - off) * 0.05 : 0))).toBeLessThan(100);
}

/** The rules of PINT AE that can be checked here; each throws. */
function checkRules(document: Node): void {
  checkHeader(document);
  const isTaxed = checkCategories(document);
  checkKind(document, isTaxed);
  expect(linesOf(document).length).toBeGreaterThan(0);
  for (const line of linesOf(document)) checkLine(line, isTaxed);
  checkTotals(document, isTaxed);
}

describe('the e-invoices', () => {
  it('of random fees and discounts follow the rules, and add up to the invoice', () => {
    const fees = fc.array(
      fc.record({
        amount: fc.nat(5_000_000),
        vatRate: fc.constantFrom(0, 500),
        isHalf: fc.boolean(),
        title: fc.string({ unit: 'binary', maxLength: 20 }).map((text) => `x${text}`),
      }),
      { minLength: 1, maxLength: 5 },
    );
    fc.assert(
      fc.property(fees, fc.constantFrom('invoice', 'creditNote'), (shapes, kind) => {
        const lines = shapes.flatMap(({ amount, vatRate, isHalf, title }) => {
          const fee = line(amount, vatRate, title);
          const half = Math.floor(amount / 2);
          const vat = vatOn(amount - half, vatRate) - fee.vat;
          return isHalf && half > 0 ? [fee, { ...fee, amount: -half, vat }] : [fee];
        });
        const row = rowOf(lines, { kind });
        const documents = makeEInvoices(row);
        const parsed = documents.map(({ xml }) => parse(xml));
        for (const document of parsed) checkRules(document);
        const total = parsed.reduce(
          (sum, document) => sum + fils(document, 'LegalMonetaryTotal/TaxInclusiveAmount'),
          0,
        );
        expect(total).toBe(row.total);
        expect(makeEInvoices(row)).toEqual(documents);
        expect(new Set(documents.map(({ name }) => name)).size).toBe(documents.length);
      }),
      { numRuns: 60 },
    );
  });

  it('keep every letter of a name and nothing that is no XML', () => {
    const [only] = makeEInvoices(rowOf([line(1000, 500, 'رسم\u0000 & <b>')]));
    const document = parse(only?.xml ?? '');
    expect(only?.name).toBe('INV-2026-000001.xml');
    expect(one(document, 'InvoiceLine/Item/Name')).toBe('رسم &amp; &lt;b&gt;');
    expect(one(document, 'AccountingSupplierParty/Party/PartyLegalEntity/RegistrationName')).toBe(
      'مشغّل البوابة &lt;و&gt; &quot;شركاؤه&quot; &amp; co',
    );
    // 21:00 UTC is the next day in Dubai.
    expect(one(document, 'IssueDate')).toBe('2026-11-25');
  });

  it('split fees with and without VAT, and a credit note refers to the part that it credits', () => {
    const lines = [line(1000, 500), line(20_000, 0)];
    expect(makeEInvoices(rowOf(lines)).map(({ name }) => name)).toEqual([
      'INV-2026-000001.xml',
      'INV-2026-000001-O.xml',
    ]);
    const credits = makeEInvoices(rowOf(lines, { kind: 'creditNote' }));
    expect(
      credits.map(({ xml }) => one(parse(xml), 'BillingReference/InvoiceDocumentReference/ID')),
    ).toEqual(['INV-2026-000001', 'INV-2026-000001-O']);
  });

  it('are not made of receipts, without a TRN, or with a rate that the UAE does not have', () => {
    const lines = [line(1000, 500)];
    const row = rowOf(lines);
    const { content } = row;
    const noTrn = { ...content, seller: { ...content.seller, trn: '' } };
    expect(makeEInvoices({ ...row, kind: 'receipt' })).toEqual([]);
    expect(makeEInvoices({ ...row, content: noTrn })).toEqual([]);
    expect(makeEInvoices(rowOf([line(1000, 700)]))).toEqual([]);
  });

  it('the rules find what is wrong', () => {
    const [only] = makeEInvoices(rowOf([line(1000, 500), line(-200, 500)]));
    const xml = only?.xml ?? '';
    checkRules(parse(xml));
    for (const [from, to] of [
      ['<cbc:UUID>', '<cbc:Uuid>'],
      ['100000000000003<', '10000000000003<'],
      ['>DXB<', '>Dubai<'],
      ['schemeID="0235"', 'schemeID="0088"'],
      ['>380<', '>480<'],
      ['<cbc:Percent>5.00</cbc:Percent>', ''],
      ['>00000000<', '>0000<'],
      ['AllowanceTotalAmount currencyID="AED">2.00', 'AllowanceTotalAmount currencyID="AED">3.00'],
      ['TaxInclusiveAmount currencyID="AED">8.40', 'TaxInclusiveAmount currencyID="AED">8.41'],
      ['currencyID="AED"', 'currencyID="USD"'],
      ['PayableAmount currencyID="AED">0.00', 'PayableAmount currencyID="AED">1.00'],
    ] as const) {
      const changed = xml
        .replace(from, to)
        .replace('</cbc:UUID>', from === '<cbc:UUID>' ? '</cbc:Uuid>' : '</cbc:UUID>');
      expect(changed).not.toBe(xml);
      expect(() => checkRules(parse(changed)), from).toThrow();
    }
  });
});
