import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findBrokenRules, linesOf, pintRules } from '#testing/pint-ae-rules.ts';
import { find, isInOrder, readXml, type XmlNode } from '#testing/ubl-documents.ts';
import { vatCategories, vatOn, vatTreatmentOf, type VatCategory } from '@diwan/contract/wire/money';
import { makeEInvoices } from './e-invoice.ts';
import type { InvoiceContent, InvoiceLine, InvoiceRow } from './invoices.store.ts';

const line = (amount: number, category: VatCategory, title = 'Fee'): InvoiceLine => {
  const treatment = vatTreatmentOf(category);
  return { title, amount, ...treatment, vat: vatOn(amount, treatment.vatRate) };
};

const person: InvoiceContent['buyer'] = {
  trn: '',
  registration: { kind: 'emiratesId', number: '784198412345674' },
};
const company: InvoiceContent['buyer'] = {
  trn: '100444444444403',
  address: { street: 'Street 2', city: 'Sharjah', emirate: 'SHJ' },
  registration: { kind: 'tradeLicence', number: 'CN-1', authority: 'SEDD "1" & <2>' },
};

function rowOf(
  lines: InvoiceLine[],
  { kind = 'invoice', ...more }: Partial<InvoiceContent> & { kind?: InvoiceRow['kind'] } = {},
): InvoiceRow {
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
        registration: { kind: 'cabinetDecision', number: '12/2019' },
      },
      applicant: 'سارة',
      buyer: person,
      requestNumber: 'DW-2026-1',
      service: 'Service',
      agency: 'Agency',
      lines,
      transfer: { reference: 'PAY-1', day: '2026-11-24', amount: 1 },
      invoiceNumbers: kind === 'creditNote' ? ['INV-2026-000001'] : [],
      ...more,
    },
  } as InvoiceRow;
}

const make = (row: InvoiceRow) => makeEInvoices(row, 'Not stated');
const xmlOf = (row: InvoiceRow): string => {
  const [only, ...others] = make(row);
  expect(others).toEqual([]);
  if (!only) throw new Error('no e-invoice');
  return only.xml;
};
const one = (xml: string, path: string): string => {
  const found = find(readXml(xml), path);
  expect([path, found.length]).toEqual([path, 1]);
  return found[0]?.text ?? '';
};

/**
 * Changes of a document: each element left out, twice, empty and with other texts, each attribute left out;
 * and another day of supply, another order, and a rate where there is none.
 */
function* changesOf(xml: string): Generator<string> {
  for (const { 0: open, 1: name = '', index } of xml.matchAll(/<(c[ab]c:\w+)[^>]*>/g)) {
    const end = xml.indexOf(`</${name}>`, index) + name.length + 3;
    const [before, element, after] = [xml.slice(0, index), xml.slice(index, end), xml.slice(end)];
    yield before + after;
    yield before + element + element + after;
    for (const [attribute] of open.matchAll(/ \w+="[^"]*"/g))
      yield before + element.replace(attribute, '') + after;
    if (name.startsWith('cbc'))
      for (const text of ['', '-9.00', '00010000', '480'])
        yield `${before}${open}${text}</${name}>${after}`;
  }
  yield xml.replace('<cbc:DocumentC', '<cbc:TaxPointDate>2027-01-01</cbc:TaxPointDate>$&');
  yield xml.replace(/(<cbc:DocumentC.*)\n(.*)/, '$2\n$1');
  for (const code of ['O', 'E'])
    yield xml.replaceAll(
      '<cbc:ID>O</cbc:ID>',
      `<cbc:ID>${code}</cbc:ID><cbc:Percent>0.00</cbc:Percent>`,
    );
}

describe('the e-invoices', () => {
  const mixes: VatCategory[][] = [
    ...vatCategories.map((category) => [category]),
    ['standard', 'outOfScope'],
    [...vatCategories],
  ];
  it.each(mixes.map((used) => [used.join(' and '), used] as const))(
    'of %s follow every rule, for persons and companies',
    (_name, used) => {
      for (const kind of ['invoice', 'creditNote'] as const)
        for (const buyer of [person, company]) {
          const lines = used.flatMap((category) => [line(1000, category), line(-300, category)]);
          const xml = xmlOf(rowOf(lines, { kind, buyer }));
          expect([used, kind, findBrokenRules(xml)]).toEqual([used, kind, []]);
          const isTaxed = used.includes('standard') || used.includes('zeroRated');
          const codes = kind === 'invoice' ? ['380', '480'] : ['381', '81'];
          const root = kind === 'invoice' ? 'Invoice' : 'CreditNote';
          expect(one(xml, `${root}TypeCode`)).toBe(codes[isTaxed ? 0 : 1]);
        }
    },
  );

  it('of random fees and discounts follow the rules, and add up to the invoice', () => {
    const fees = fc.array(
      fc.record({
        amount: fc.nat(5_000_000),
        category: fc.constantFrom(...vatCategories),
        isHalf: fc.boolean(),
        title: fc.string({ unit: 'binary', maxLength: 20 }).map((text) => `x${text}`),
      }),
      { minLength: 1, maxLength: 5 },
    );
    let count = 0;
    fc.assert(
      fc.property(fees, fc.constantFrom('invoice', 'creditNote'), (shapes, kind) => {
        const lines = shapes.flatMap(({ amount, category, isHalf, title }) => {
          const fee = line(amount, category, title);
          const half = Math.floor(amount / 2);
          const vat = vatOn(amount - half, fee.vatRate) - fee.vat;
          return isHalf && half > 0 ? [fee, { ...fee, amount: -half, vat }] : [fee];
        });
        const row = rowOf(lines, { kind });
        const documents = make(row);
        count += documents.length;
        for (const { xml } of documents) {
          expect(findBrokenRules(xml)).toEqual([]);
          const total = one(xml, 'LegalMonetaryTotal/TaxInclusiveAmount');
          expect(Math.round(Number(total) * 100)).toBe(row.total);
        }
        expect(make(row)).toEqual(documents);
      }),
      { numRuns: 60 },
    );
    expect(count).toBeGreaterThan(50);
  });

  it('keep every letter of a name and nothing that is no XML', () => {
    const xml = xmlOf(rowOf([line(1000, 'standard', 'رسم\u0000 & <b>')]));
    expect(one(xml, 'InvoiceLine/Item/Name')).toBe('رسم &amp; &lt;b&gt;');
    expect(one(xml, 'AccountingSupplierParty/Party/PartyLegalEntity/RegistrationName')).toBe(
      'مشغّل البوابة &lt;و&gt; &quot;شركاؤه&quot; &amp; co',
    );
    // 21:00 UTC is the next day in Dubai, and the supply was the day before.
    expect([one(xml, 'IssueDate'), one(xml, 'TaxPointDate')]).toEqual(['2026-11-25', '2026-11-24']);
  });

  it('name the company by its numbers, and a person without an address by the Emirates ID', () => {
    const lines = [line(1000, 'standard')];
    const party = 'AccountingCustomerParty/Party';
    const ofCompany = xmlOf(rowOf(lines, { buyer: company }));
    expect(one(ofCompany, `${party}/EndpointID`)).toBe('1004444444');
    expect(one(ofCompany, `${party}/PartyTaxScheme/CompanyID`)).toBe('100444444444403');
    expect(one(ofCompany, `${party}/PostalAddress/CountrySubentity`)).toBe('SHJ');
    const ofPerson = xmlOf(rowOf(lines));
    expect(one(ofPerson, `${party}/EndpointID`)).toBe('9900000098');
    expect(one(ofPerson, `${party}/PartyIdentification/ID`)).toBe('784198412345674');
    expect(one(ofPerson, `${party}/PostalAddress/StreetName`)).toBe('Not stated');
    expect(linesOf(readXml(ofPerson))).toHaveLength(1);
  });

  it('are not made where the rules ask for what is not known', () => {
    const taxed = [line(1000, 'standard')];
    const free = [line(1000, 'outOfScope')];
    const { seller } = rowOf(taxed).content;
    const { address: _address, ...nowhere } = seller;
    const { registration: _registration, ...unregistered } = seller;
    const unlicensed = {
      ...company,
      registration: { kind: 'tradeLicence', number: 'CN-1' },
    } as const;
    for (const row of [
      rowOf(taxed, { kind: 'receipt' }),
      rowOf(taxed, { seller: { ...seller, trn: '' } }),
      rowOf(taxed, { seller: nowhere }),
      rowOf(taxed, { seller: unregistered }),
      rowOf(taxed, { buyer: { trn: '' } }),
      rowOf(free, { buyer: unlicensed }),
      rowOf([{ ...taxed[0]!, vatRate: 700 }]),
      // What was paid twice is for nothing that was supplied.
      rowOf([]),
      rowOf([line(-1000, 'standard')]),
      // A refund whose payment has no invoice yet.
      rowOf(taxed, { kind: 'creditNote', invoiceNumbers: [] }),
      // Each of 30 lines was rounded up by half a fils.
      rowOf(Array.from({ length: 30 }, () => line(10, 'standard'))),
    ])
      expect(make(row)).toEqual([]);
    expect(make(rowOf(taxed, { buyer: unlicensed }))).toHaveLength(1);
  });

  it('the rules find what is wrong, each of them', () => {
    const fees = [line(1000, 'standard'), line(-200, 'standard'), line(700, 'exemptLand')];
    const licensed = { kind: 'tradeLicence', number: 'CN-9', authority: 'DED' } as const;
    const { seller } = rowOf(fees).content;
    const found = new Set<string>();
    for (const row of [
      rowOf([...fees, line(300, 'zeroRated')], { buyer: company }),
      rowOf([line(500, 'outOfScope')], { seller: { ...seller, registration: licensed } }),
      rowOf([line(1000, 'standard')], { kind: 'creditNote' }),
    ]) {
      const xml = xmlOf(row);
      expect(findBrokenRules(xml)).toEqual([]);
      for (const changed of changesOf(xml))
        for (const id of findBrokenRules(changed)) found.add(id);
    }
    const ids = pintRules.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !found.has(id))).toEqual([]);
  });

  it.each(['invoice', 'creditNote'] as const)(
    'the rules find each two neighbours in the wrong order: %s',
    (kind) => {
      const fees = [line(1000, 'standard'), line(-200, 'standard'), line(700, 'exemptLand')];
      const root = readXml(xmlOf(rowOf(fees, { kind, buyer: company })));
      const unnoticed: string[] = [];
      const exchange = ({ children }: XmlNode): void => {
        for (const [index, child] of children.entries()) {
          const next = children[index + 1];
          if (next && next.name !== child.name) {
            children.splice(index, 2, next, child);
            if (isInOrder(root)) unnoticed.push(`${child.name} ${next.name}`);
            children.splice(index, 2, child, next);
          }
          exchange(child);
        }
      };
      exchange(root);
      expect(isInOrder(root)).toBe(true);
      expect(unnoticed).toEqual([]);
    },
  );

  it.each([
    ['<cbc:ID>INV-2026-000001</cbc:ID>', '', 'ibr-002'],
    ['100000000000003<', '100000000000004<', 'ibr-132-ae'],
    ['>DXB<', '>Dubai<', 'ibr-128-ae'],
    ['<cbc:StreetName>Street 2</cbc:StreetName>', '', 'ibr-144-ae'],
    ['schemeID="0235"', 'schemeID="0088"', 'ibr-063'],
    ['>380<', '>480<', 'ibr-122-ae'],
    ['<cbc:Percent>5.00</cbc:Percent>', '', 'aligned-ibrp-s-05'],
    ['>00000000<', '>0000<', 'ibr-154-ae'],
    ['<cbc:Description>Service</cbc:Description>', '', 'ibr-125-ae'],
    [' schemeID="SAC"', '', 'ibr-189-ae'],
    ['schemeAgencyID="CD"', 'schemeAgencyID="X"', 'ibr-173-ae'],
    [' schemeAgencyName="SEDD &quot;1&quot; &amp; &lt;2&gt;"', '', 'ibr-101-ae'],
    ['<cbc:TaxExemptionReasonCode>DL8.46.3</cbc:TaxExemptionReasonCode>', '', 'ibr-167-ae'],
    [
      'AllowanceTotalAmount currencyID="AED">2',
      'AllowanceTotalAmount currencyID="AED">3',
      'ibr-co-11',
    ],
    [
      'TaxInclusiveAmount currencyID="AED">18.40',
      'TaxInclusiveAmount currencyID="AED">18.41',
      'ibr-co-15',
    ],
    ['PriceAmount currencyID="AED"', 'PriceAmount currencyID="USD"', 'ibr-126'],
    ['PayableAmount currencyID="AED">0.00', 'PayableAmount currencyID="AED">1.00', 'ibr-co-16'],
    [
      'TaxableAmount currencyID="AED">7.00',
      'TaxableAmount currencyID="AED">8.00',
      'aligned-ibrp-08',
    ],
    ['TaxAmount currencyID="AED">0.40<', 'TaxAmount currencyID="AED">0.404<', 'ibr-123'],
    ['<cbc:ID>VAT</cbc:ID>', '<cbc:ID>GST</cbc:ID>', 'ibr-133-ae'],
    ['<cbc:Name>Fee</cbc:Name>', '<cbc:Name> </cbc:Name>', 'ibr-079'],
  ] as const)('the rules find %s as %s: %s', (from, to, id) => {
    const lines = [line(1000, 'standard'), line(-200, 'standard'), line(700, 'exemptLand')];
    const xml = xmlOf(rowOf([...lines, line(300, 'outOfScope')], { buyer: company }));
    const changed = xml.replaceAll(from, to);
    expect(changed === xml).toBe(false);
    expect(findBrokenRules(changed)).toContain(id);
  });
});
