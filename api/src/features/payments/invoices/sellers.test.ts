import { expect, it } from 'vitest';
import { findBrokenRules } from '#testing/pint-ae-rules.ts';
import { openRequestStage, paidService } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import { getSellers, saveSeller } from '@diwan/contract/payments/sellers';
import { getChanges } from '@diwan/contract/people/changes';
import { getCompanyUsers, saveCompanyDetails } from '@diwan/contract/people/companies';
import { makeEInvoices } from './e-invoice.ts';
import { issueDueDocuments } from './invoices.actions.ts';
import { sellerOf } from './sellers.actions.ts';

const app = useTestApp({ PAYMENT_CHECK_SECONDS: '86400' });
const stage = openRequestStage(app);

const legalName = { 'ar-EG': 'هيئة الاختبار', 'en-US': 'Test Authority', 'ur-PK': 'ٹیسٹ اتھارٹی' };
const details = {
  isOwnSeller: true,
  legalName,
  street: 'Corniche Road 5',
  city: 'Abu Dhabi',
  emirate: 'abuDhabi' as const,
  trn: '100222222222203',
  registrationKind: 'cabinetDecision' as const,
  registrationNumber: '12/2019',
  registrationAuthority: '',
};
const save = (body: Partial<typeof details> & { agencyId?: number; version: number }) =>
  app.callAs('admin', saveSeller, { body: { ...details, ...body } });

const issue = async (
  warn = (message: string): never => {
    throw new Error(message);
  },
) => {
  const context = { database: app.serverDatabase, seller: sellerOf(app.config), warn };
  while ((await issueDueDocuments({ ...context, now: () => new Date() })) > 0);
};

const documentsOf = (requestId: number) =>
  app.database
    .selectFrom('invoices')
    .selectAll()
    .where('request_id', '=', requestId)
    .orderBy('id')
    .execute();

async function agencyOf(requestId: number): Promise<number> {
  const { agency_id: id } = await app.database
    .selectFrom('requests')
    .innerJoin('services', 'services.id', 'requests.service_id')
    .select('services.agency_id')
    .where('requests.id', '=', requestId)
    .executeTakeFirstOrThrow();
  return id;
}

/** Makes one line of a request the operator's own fee. */
async function splitQuote(requestId: number) {
  const { quote } = await app.database
    .selectFrom('requests')
    .select('quote')
    .where('id', '=', requestId)
    .executeTakeFirstOrThrow();
  const lines = quote.lines.map((line) =>
    line.vatRate > 0 ? { ...line, isOperatorFee: true } : { ...line, refundable: true },
  );
  await app.database
    .updateTable('requests')
    .set({ quote: JSON.stringify({ ...quote, lines }) })
    .where('id', '=', requestId)
    .execute();
  const sums = (isOperator: boolean) =>
    lines
      .filter(({ vatRate }) => vatRate > 0 === isOperator)
      .reduce((sum, { amount, vat }) => sum + amount + vat, 0);
  return { ofAgency: sums(false), ofOperator: sums(true) };
}

it('the operator is an example until it is stored, with each change in the log', async () => {
  const [example] = (await app.callAs('admin', getSellers, {})).body;
  expect(example).toMatchObject({ version: 0, trn: '100000000000003', isOwnSeller: false });
  const { body } = await save({ version: 0, trn: '100333333333303' });
  // The operator sells what no agency sells: there is nothing to switch.
  expect(body[0]).toMatchObject({ version: 1, isOwnSeller: false, trn: '100333333333303' });
  expect((await save({ version: 0 })).refused.error).toBe('RecordHasChanged');
  const { body: changes } = await app.callAs('admin', getChanges, { query: { Entity: 'seller' } });
  expect(changes.items[0]).toMatchObject({ entity: 'seller', entityId: 'operator' });
  const { requestId } = await stage.send('individual', paidService);
  await stage.pay(requestId);
  await issue();
  const [invoice] = await documentsOf(requestId);
  expect(invoice?.content.seller).toEqual({
    name: expect.any(String) as string,
    trn: '100333333333303',
    isDemo: true,
    address: { street: 'Corniche Road 5', city: 'Abu Dhabi', emirate: 'AUH' },
    registration: { kind: 'cabinetDecision', number: '12/2019' },
  });
  expect(Object.values(legalName)).toContain(invoice?.content.seller.name);
});

it('refuses wrong numbers, parts of an address and unknown agencies at their field', async () => {
  const fieldsOf = async (body: Parameters<typeof save>[0]) => {
    const { refused } = await save(body);
    return refused.error ?? Object.keys((refused as { errors?: object }).errors ?? {});
  };
  for (const trn of ['10000000000003', '200000000000003', '100000000000004', 'abc'])
    expect(await fieldsOf({ version: 1, trn })).toEqual(['trn']);
  expect(await fieldsOf({ version: 1, city: '' })).toEqual(['city']);
  expect(await fieldsOf({ version: 1, registrationNumber: '' })).toEqual(['registrationNumber']);
  expect(await fieldsOf({ agencyId: 2_000_000_000, version: 0 })).toBe('NotFound');
  const nowhere = { street: '', city: '', emirate: '' } as never;
  expect(await fieldsOf({ agencyId: 1, version: 0, ...(nowhere as object) })).toEqual([
    'street',
    'city',
    'emirate',
  ]);
});

it('an agency that sells has its own invoices, separate from those of the operator; the receipt is one', async () => {
  const { requestId } = await stage.send('individual', paidService);
  const agencyId = await agencyOf(requestId);
  const sums = await splitQuote(requestId);
  expect(sums.ofOperator).toBeGreaterThan(0);
  expect((await save({ agencyId, version: 0 })).status).toBe(200);
  await stage.pay(requestId);
  await issue();
  const [ofAgency, ofOperator, receipt, ...others] = await documentsOf(requestId);
  expect(others).toEqual([]);
  const year = String(new Date().getFullYear());
  expect(ofAgency).toMatchObject({
    kind: 'invoice',
    number: `INV-A${agencyId}-${year}-000001`,
    total: sums.ofAgency,
  });
  expect(ofAgency?.content.seller).toMatchObject({ trn: '100222222222203' });
  expect(ofAgency?.content.lines.every(({ vatRate }) => vatRate === 0)).toBe(true);
  expect(ofOperator).toMatchObject({ kind: 'invoice', series: `INV-${year}` });
  expect(ofOperator?.total).toBe(sums.ofOperator);
  expect(ofOperator?.content.seller.trn).not.toBe('100222222222203');
  expect(receipt).toMatchObject({ kind: 'receipt', total: sums.ofAgency + sums.ofOperator });
  expect(receipt?.content.invoiceNumbers).toEqual([ofAgency?.number, ofOperator?.number]);

  // A refund of the agency's line is its credit note, also when it sells nothing any more.
  expect((await save({ agencyId, version: 1, isOwnSeller: false })).status).toBe(200);
  await app.database
    .updateTable('requests')
    .set({ refundable: sums.ofAgency, refunded: 100 })
    .where('id', '=', requestId)
    .execute();
  await app.database
    .insertInto('request_refunds')
    .values({ request_id: requestId, amount: 100, reference: 'R-1', recorder_name: 'x' })
    .execute();
  await issue();
  const credit = (await documentsOf(requestId)).at(-1);
  expect(credit).toMatchObject({
    kind: 'creditNote',
    series: `CRN-A${agencyId}-${year}`,
    total: 100,
  });
  expect(credit?.content.invoiceNumbers).toEqual([ofAgency?.number]);

  const later = await stage.send('individual', paidService);
  await stage.pay(later.requestId);
  await issue();
  expect((await documentsOf(later.requestId)).map(({ series }) => series)).toEqual([
    `INV-${year}`,
    `RCP-${year}`,
  ]);
});

it('the buyer is the company with its number, address and licence, else the person', async () => {
  const { body: before } = await app.callAs('company', getCompanyUsers, {});
  const sent = {
    street: 'Sheikh Zayed Road 1',
    city: 'Dubai',
    emirate: 'dubai' as const,
    trn: '100444444444403',
    licenceNumber: 'cn-778899',
    licenceAuthority: 'Department of Economy',
    licenceExpiresOn: '2027-12-31',
  };
  const wrong = await app.callAs('company', saveCompanyDetails, {
    body: { ...sent, street: '', version: before.version },
  });
  expect(wrong.status).toBe(400);
  const { body } = await app.callAs('company', saveCompanyDetails, {
    body: { ...sent, version: before.version },
  });
  expect(body).toMatchObject({
    details: { ...sent, licenceNumber: 'CN-778899' },
    version: before.version + 1,
  });
  const stale = await app.callAs('company', saveCompanyDetails, {
    body: { ...sent, version: before.version },
  });
  expect(stale.refused.error).toBe('RecordHasChanged');
  const [ofCompany, ofPerson] = await Promise.all(
    ['company', 'individual'].map(async (username) => {
      const { requestId } = await stage.send(username, paidService);
      await stage.pay(requestId);
      return requestId;
    }),
  );
  await issue();
  const [company] = await documentsOf(ofCompany ?? 0);
  expect(company?.content.buyer).toEqual({
    trn: '100444444444403',
    address: { street: 'Sheikh Zayed Road 1', city: 'Dubai', emirate: 'DXB' },
    registration: {
      kind: 'tradeLicence',
      number: 'CN-778899',
      authority: 'Department of Economy',
    },
  });
  const [person] = await documentsOf(ofPerson ?? 0);
  expect(person?.content.buyer).toEqual({
    trn: '',
    registration: { kind: 'emiratesId', number: expect.stringMatching(/^784/) as string },
  });
});

it('a demo company has an e-invoice for fees without VAT, which name its licence', async () => {
  const { requestId } = await stage.send('company2', paidService);
  const { quote } = await app.database
    .selectFrom('requests')
    .select('quote')
    .where('id', '=', requestId)
    .executeTakeFirstOrThrow();
  const lines = quote.lines.filter(({ vatRate }) => vatRate === 0);
  const total = lines.reduce((sum, { amount }) => sum + amount, 0);
  await app.database
    .updateTable('requests')
    .set({ quote: JSON.stringify({ ...quote, lines, vat: 0, total }) })
    .where('id', '=', requestId)
    .execute();
  await stage.pay(requestId);
  await issue();
  const [invoice] = await documentsOf(requestId);
  if (!invoice) throw new Error('no invoice');
  const [eInvoice] = makeEInvoices(invoice, 'Not stated');
  expect(eInvoice?.xml).toContain('schemeAgencyName="Dubai Department of Economy and Tourism"');
  expect(eInvoice?.xml).toContain('>CN-1000002<');
  expect(findBrokenRules(eInvoice?.xml ?? '')).toEqual([]);
});
