import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { describe, expect, it } from 'vitest';
import { findIntegrityProblems } from '#commands/find-integrity-problems.ts';
import { renewKeys, replaceKey } from '#platform/auth/secrets.ts';
import { sql } from '#platform/database/sql.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { picturesOf, pngOf } from '#testing/pictures.ts';
import { openRequestStage, paidService } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import { uploadLogo } from '@diwan/contract/catalogue/logos';
import { getPortalDetails, savePortalDetails } from '@diwan/contract/content/portal-details';
import { getVatReport, getVatReportLines } from '@diwan/contract/payments/vat-report';
import { downloadFile } from '@diwan/contract/requests/attachments';
import {
  checkInvoice,
  checkSealedFile,
  getInvoicePathByRequestId,
  type InvoiceKind,
} from '@diwan/contract/requests/payments';
import { getRequestById } from '@diwan/contract/requests/requests';
import { languages, type Language } from '@diwan/contract/wire/languages';
import { issueDueDocuments } from './invoices.actions.ts';
import { sellerOf } from './sellers.actions.ts';

const app = useTestApp({ PAYMENT_CHECK_SECONDS: '86400' });
const stage = openRequestStage(app);

const askFor = (username: string, requestId: number, kind?: InvoiceKind) =>
  app.callAs(username, getInvoicePathByRequestId, {
    query: { RequestId: requestId, ...(kind ? { Kind: kind } : {}) },
  });

async function download(username: string, filePath: string): Promise<Buffer> {
  const { statusCode, rawPayload, headers } = await app.server.inject({
    url: `${downloadFile.path}?filePath=${encodeURIComponent(filePath)}`,
    headers: { authorization: `Bearer ${await app.signIn(username)}` },
  });
  expect([statusCode, headers['content-type']]).toEqual([200, 'application/pdf']);
  return rawPayload;
}

async function invoice(username: string, requestId: number, kind?: InvoiceKind): Promise<Buffer> {
  await stage.read(username, requestId);
  return download(username, (await askFor(username, requestId, kind)).body);
}

/** The text of a PDF and the data that are attached to it. */
async function readPdf(bytes: Buffer) {
  const pdf = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise;
  const pages = await Promise.all(
    Array.from({ length: pdf.numPages }, async (_, index) => {
      const { items } = await (await pdf.getPage(index + 1)).getTextContent();
      return items.map((item) => ('str' in item ? item.str : '')).join('\n');
    }),
  );
  const attachments = (await pdf.getAttachments()) as Record<string, { content: Uint8Array }>;
  const attached = Object.entries(attachments).find(([name]) => name.endsWith('.json'))?.[1]
    .content;
  await pdf.destroy();
  const eInvoices = Object.keys(attachments).filter((name) => name.endsWith('.xml'));
  return {
    pages,
    eInvoices,
    data: JSON.parse(Buffer.from(attached ?? []).toString()) as unknown[],
  };
}

/** Saves a PNG as the logo of the portal; without a size none. */
async function saveLogo(width = 0, height = 0): Promise<void> {
  const {
    logo: _logo,
    darkLogo: _dark,
    ...known
  } = (await app.callAs('admin', getPortalDetails)).body;
  const content = pngOf(width, height).toString('base64');
  const saved =
    width > 0
      ? { logo: (await app.callAs('admin', uploadLogo, { body: { content } })).body.logo }
      : {};
  const { status } = await app.callAs('admin', savePortalDetails, { body: { ...known, ...saved } });
  expect(status).toBe(200);
}

/** A paid request of `individual`. */
async function sendPaid(language: Language = 'en-US') {
  const { requestId, requestNumber } = await stage.send('individual', paidService);
  await app.database
    .updateTable('requests')
    .set({ language })
    .where('id', '=', requestId)
    .execute();
  await stage.pay(requestId);
  return { requestId, requestNumber };
}

const rowsOf = (requestId: number) =>
  app.database
    .selectFrom('invoices')
    .selectAll()
    .where('request_id', '=', requestId)
    .orderBy('id')
    .execute();

const userIdOf = (username: string) => app.idOf(username);

const amountOf = (fils: number): string =>
  (fils / 100).toLocaleString('en-US', { minimumFractionDigits: 2 });

describe('an invoice', () => {
  it.each(languages)('shows number, names and amounts: %s', async (language) => {
    const { requestId, requestNumber } = await sendPaid(language);
    const { body: record } = await app.callAs('individual', getRequestById, {
      query: { RequestId: requestId },
      language,
    });
    const bytes = await invoice('individual', requestId, 'invoice');
    const { pages, data, eInvoices } = await readPdf(bytes);
    const [row] = await rowsOf(requestId);
    const [text = ''] = pages;
    // The e-invoice of all fees, as an alternative of the document.
    const file = bytes.toString('latin1');
    expect(eInvoices).toEqual([`${row?.number}.xml`]);
    expect(file.match(/\/AFRelationship\s*\/Alternative/g)).toHaveLength(1);
    expect(file.match(/\/AFRelationship\s*\/Data/g)).toHaveLength(1);
    expect(pages).toHaveLength(1);
    for (const shown of [
      row?.number,
      requestNumber,
      amountOf(record.fees.total),
      ...record.fees.lines.map(({ amount }) => amountOf(amount)),
      record.payments[0]?.merchantReference,
      '100000000000003',
    ])
      expect(text).toContain(shown);
    // pdf.js does not read the letters of Nastaliq (decision 0124): the attached data hold the names.
    if (language !== 'ur-PK')
      for (const shown of [record.serviceName, record.fees.lines[0]?.title ?? ''])
        expect(text.replace(/\s/g, '')).toContain(shown.replace(/[\u064B-\u0652\s]/g, ''));
    expect(data).toEqual([
      expect.objectContaining({
        number: row?.number,
        total: record.fees.total,
        language,
        service: record.serviceName,
        agency: record.governmentAgency.name,
        applicant: record.applicantName,
      }),
    ]);
    expect(bytes.toString('latin1')).toMatch(/pdfaid:part>3<|pdfaid:part="3"/);
    const check = async (content: Buffer) =>
      (await app.call(checkSealedFile, { body: { content: content.toString('base64') } })).body;
    expect(await check(bytes)).toEqual({ state: 'genuine' });
    const paid = bytes.toString('latin1').indexOf('endobj');
    bytes.write('endobJ', paid, 'latin1');
    expect(await check(bytes)).toEqual({ state: 'changed' });
    expect(await check(Buffer.from('%PDF-1.7'))).toEqual({ state: 'unknown' });
  });

  it('shows both sides, the day of supply and the categories of VAT apart', async () => {
    const { requestId } = await sendPaid();
    const { quote } = await app.database
      .selectFrom('requests')
      .select('quote')
      .where('id', '=', requestId)
      .executeTakeFirstOrThrow();
    const details = {
      street: 'Sheikh Zayed Road 1',
      city: 'Dubai',
      emirate: 'dubai',
      trn: '100444444444403',
      licence_number: 'CN-5',
      licence_authority: 'DET',
    } as const;
    const company = await app.database
      .updateTable('companies')
      .set(details)
      .where('id', '=', (eb) =>
        eb.selectFrom('companies').select((min) => min.fn.min('id').as('id')),
      )
      .returning('id')
      .executeTakeFirstOrThrow();
    const lines = [
      ...quote.lines,
      { name: 'ride', amount: 700, vat: 0, vatRate: 0, vatCategory: 'exemptTransport' },
      { name: 'export', amount: 300, vat: 0, vatRate: 0, vatCategory: 'zeroRated' },
    ].map((each) => ({ title: { 'ar-EG': 'x', 'en-US': each.name, 'ur-PK': 'x' }, ...each }));
    const total = lines.reduce((sum, { amount, vat }) => sum + amount + vat, 0);
    await app.database
      .updateTable('requests')
      .set({
        company_id: company.id,
        quote: JSON.stringify({ ...quote, lines, total }),
        total,
        payment_round: 2,
      })
      .where('id', '=', requestId)
      .execute();
    await stage.pay(requestId);
    const { pages } = await readPdf(await invoice('admin', requestId, 'invoice'));
    const without = (text: string) => text.replace(/\s/g, '');
    const [first = '', second = ''] = pages.map(without);
    for (const shown of [
      'Tax invoice',
      'Date of supply',
      'Example Street 1, Dubai, United Arab Emirates',
      'Sheikh Zayed Road 1, Dubai, United Arab Emirates',
      '100444444444403',
      'CN-5',
      'Standard rate (5%)',
      'Not subject to VAT',
    ])
      expect(first).toContain(without(shown));
    for (const shown of ['Zero-rated (0%)', 'Exempt: local passenger transport', '7.00', '3.00'])
      expect(second).toContain(without(shown));
    expect(second).not.toContain('Standardrate');
  });

  it('of fees that VAT does not concern is no tax invoice', async () => {
    const { requestId } = await stage.send('individual', paidService);
    const { quote } = await app.database
      .selectFrom('requests')
      .select('quote')
      .where('id', '=', requestId)
      .executeTakeFirstOrThrow();
    const lines = quote.lines.filter(({ vatRate }) => vatRate === 0);
    const total = lines.reduce((sum, { amount }) => sum + amount, 0);
    await app.database
      .updateTable('requests')
      .set({ quote: JSON.stringify({ ...quote, lines, total }), total, language: 'en-US' })
      .where('id', '=', requestId)
      .execute();
    await stage.pay(requestId);
    const { pages, eInvoices } = await readPdf(await invoice('individual', requestId, 'invoice'));
    expect(pages[0]).not.toContain('Tax invoice');
    expect(pages[0]).not.toContain('0 %');
    expect(pages[0]?.replace(/\s+/g, ' ')).toMatch(/Invoice .*Not subject to VAT/);
    expect(eInvoices).toHaveLength(1);
  });

  it('has the same bytes at every download, and opens for its caller only', async () => {
    const { requestId } = await sendPaid('ar-EG');
    const first = await invoice('individual', requestId);
    expect(first.equals(await invoice('individual', requestId))).toBe(true);
    expect(first.equals(await invoice('admin', requestId))).toBe(true);
    const { body: filePath } = await askFor('individual', requestId);
    expect((await app.callAs('admin', downloadFile, { query: { filePath } })).refused.error).toBe(
      'AttachmentNotFound',
    );
    expect(await rowsOf(requestId)).toHaveLength(2);
  });

  it.each([
    ['ar-EG', 480, 16],
    ['en-US', 16, 480],
  ] as const)(
    'has the logo that the portal had at its issue, in its proportions: %s',
    async (language, width, height) => {
      const plain = await sendPaid(language);
      const without = await invoice('individual', plain.requestId);
      expect(await picturesOf(without)).toEqual([]);
      await saveLogo(width, height);
      const { requestId } = await sendPaid(language);
      const issued = await invoice('individual', requestId);
      const pictures = await picturesOf(issued);
      // The invoice and its receipt.
      expect(pictures).toHaveLength(2);
      for (const picture of pictures) {
        expect(picture).toMatchObject({ width, height });
        expect(picture.shown[0] / picture.shown[1]).toBeCloseTo(width / height, 2);
        // 70 mm and 14 mm, in points.
        expect(picture.shown[0]).toBeLessThan(198.5);
        expect(picture.shown[1]).toBeLessThan(39.7);
      }
      await saveLogo(20, 20);
      expect((await invoice('admin', requestId)).equals(issued)).toBe(true);
      await saveLogo();
      expect((await invoice('admin', requestId)).equals(issued)).toBe(true);
      expect((await invoice('admin', plain.requestId)).equals(without)).toBe(true);
    },
  );

  it('does not open for somebody who may not see the request any more', async () => {
    const { requestId } = await sendPaid();
    const { body: filePath } = await askFor('individual', requestId);
    await app.database
      .updateTable('requests')
      .set({ user_id: await userIdOf('individual2') })
      .where('id', '=', requestId)
      .execute();
    expect(
      (await app.callAs('individual', downloadFile, { query: { filePath } })).refused.error,
    ).toBe('AttachmentNotFound');
  });

  it('is refused for a request without a payment, of others, and to service providers', async () => {
    const { requestId } = await stage.send('individual', paidService);
    expect((await askFor('individual', requestId)).refused.error).toBe('InvoiceNotFound');
    await stage.pay(requestId);
    expect((await askFor('individual2', requestId)).refused.error).toBe('RequestNotFound');
    expect((await askFor('company', requestId)).refused.error).toBe('RequestNotFound');
    expect((await askFor('supervisor', requestId)).status).toBe(403);
    expect((await askFor('employee', requestId)).status).toBe(200);
    expect(await rowsOf(requestId)).toHaveLength(2);
  });

  it('of fees that were added later has its own number, and a refund its own credit note', async () => {
    const { requestId } = await sendPaid();
    await invoice('individual', requestId);
    const [first] = await rowsOf(requestId);
    const { quote, total } = await app.database
      .selectFrom('requests')
      .select(['quote', 'total'])
      .where('id', '=', requestId)
      .executeTakeFirstOrThrow();
    const title = { 'ar-EG': 'غرامة', 'en-US': 'Late fine', 'ur-PK': 'جرمانہ' };
    const line = { name: 'fine', title, amount: 30_000, vatRate: 500, vat: 1500, refundable: true };
    await app.database
      .updateTable('requests')
      .set({
        quote: JSON.stringify({ ...quote, lines: [...quote.lines, line], total: total + 31_500 }),
        total: total + 31_500,
        payment_round: 2,
        refundable: 31_500,
        refunded: 31_500,
      })
      .where('id', '=', requestId)
      .execute();
    await stage.pay(requestId);
    const adminId = await userIdOf('admin');
    await app.database
      .insertInto('request_refunds')
      .values(
        [10_000, 21_500].map((amount, index) => ({
          request_id: requestId,
          amount,
          reference: `BANK-${index + 1}`,
          recorded_by: adminId,
          recorder_name: 'x',
        })),
      )
      .execute();
    const { pages } = await readPdf(await invoice('individual', requestId));
    const rows = await rowsOf(requestId);
    expect(rows[0]).toEqual(first);
    expect(rows.map(({ kind, total: each }) => [kind, each])).toEqual([
      ['invoice', total],
      ['receipt', total],
      ['invoice', 31_500],
      ['receipt', 31_500],
      ['creditNote', 10_000],
      ['creditNote', 21_500],
    ]);
    expect(rows[2]?.content.lines).toEqual([
      { title: 'Late fine', titles: title, amount: 30_000, vatRate: 500, vat: 1500 },
    ]);
    expect(rows.map(({ number }) => number.replace(/-\d+-0*\d+$/, ''))).toEqual([
      'INV',
      'RCP',
      'INV',
      'RCP',
      'CRN',
      'CRN',
    ]);
    // Both credit notes together have the VAT of the line, to the fils.
    expect(rows.slice(4).map(({ content }) => content.lines)).toEqual([
      [{ title: 'Late fine', titles: title, amount: 9524, vatRate: 500, vat: 476 }],
      [{ title: 'Late fine', titles: title, amount: 20_476, vatRate: 500, vat: 1024 }],
    ]);
    // Pages about many documents show the lines in the language of the reader.
    const day = rows[2]?.content.transfer.day ?? '';
    const period = { From: day, Until: day };
    const { body: sums } = await app.callAs('admin', getVatReport, { query: period });
    for (const language of languages) {
      const found = await Promise.all(
        sums.map(({ emirate: Emirate = 'none' as const, category: Category }) =>
          app.callAs('admin', getVatReportLines, {
            language,
            query: { ...period, Emirate, Category, PageNumber: 1, Take: 50 },
          }),
        ),
      );
      const lines = found.flatMap(({ body }) => body.items);
      expect(lines.find(({ number }) => number === rows[2]?.number)?.title).toBe(title[language]);
    }
    expect(pages).toHaveLength(6);
    expect(pages[2]).toContain('315.00');
    expect(pages[2]).not.toContain(rows[0]?.number);
    expect(pages[3]).toContain(rows[2]?.number);
    for (const shown of ['BANK-1', '95.24', '4.76', '100.00', rows[0]?.number, rows[2]?.number])
      expect(pages[4]).toContain(shown);
    const receipts = await readPdf(await invoice('individual', requestId, 'receipt'));
    expect(receipts.pages).toHaveLength(2);
    expect(receipts.pages[0]).toContain(rows[1]?.number);
    expect(receipts.pages.join('')).not.toContain('BANK-1');
    const notes = await invoice('individual', requestId, 'creditNote');
    expect(notes.equals(await invoice('admin', requestId, 'creditNote'))).toBe(true);
  });

  it('is made for a name that no font has', async () => {
    const { requestId } = await sendPaid();
    await app.database
      .updateTable('requests')
      .set({ applicant_name: '李 小龍 #import "x" \\ $a$' })
      .where('id', '=', requestId)
      .execute();
    const { pages } = await readPdf(await invoice('individual', requestId));
    expect(pages[0]).toContain('#import "x" \\ $a$');
  });
});

describe('numbers', () => {
  const warnings: string[] = [];
  const context = () => ({
    database: app.serverDatabase,
    seller: sellerOf(app.config),
    now: () => new Date(),
    warn: (message: string) => void warnings.push(message),
  });
  const issued = async () => {
    const { rows } = await sql<{ sequence: number; requestId: number; day: string }>`
      select sequence, request_id as "requestId", content -> 'transfer' ->> 'day' as day
      from invoices
      where kind = 'invoice'
      order by sequence`.execute(app.database);
    return rows;
  };

  it('have no gap and follow the order of payment, also when many ask at the same time', async () => {
    await issueDueDocuments(context());
    const before = (await issued()).length;
    const sent: { requestId: number }[] = [];
    for (let index = 0; index < 8; index += 1)
      sent.push(await stage.send('individual', paidService));
    await Promise.all(sent.map(({ requestId }) => stage.pay(requestId)));
    // They were paid on eight days, the last one first.
    for (const [index, { requestId }] of sent.entries())
      await app.database
        .updateTable('payments')
        .set({ created_at: new Date(Date.UTC(2026, 9, 20 - index, 8)) })
        .where('request_id', '=', requestId)
        .execute();
    // The second one of the order cannot be issued at first: it keeps nobody waiting.
    let count = 0;
    const failing = {
      ...context(),
      now: () => {
        count += 1;
        if (count === 2) throw new Error('no clock');
        return new Date();
      },
    };
    expect(await issueDueDocuments(failing, { limit: 3 })).toBe(2);
    expect(warnings.join()).toMatch(/documents of payment \d+ are tried again: no clock/);
    await Promise.all([
      ...sent.map(({ requestId }) => askFor('individual', requestId)),
      issueDueDocuments(context()),
      issueDueDocuments(context()),
    ]);
    const rows = await issued();
    expect(rows.map(({ sequence }) => sequence)).toEqual(rows.map((_, index) => index + 1));
    const own = rows.slice(before);
    const [eighth, seventh, sixth, ...others] = sent.toReversed().map(({ requestId }) => requestId);
    expect(own.map(({ requestId }) => requestId)).toEqual([eighth, sixth, seventh, ...others]);
    expect(own.map(({ day }) => day.slice(-2))).toEqual(
      [13, 15, 14, 16, 17, 18, 19, 20].map(String),
    );
    expect(await issueDueDocuments(context())).toBe(0);
    // Nobody tried to issue one that another one had issued.
    expect(warnings).toHaveLength(1);
  });

  it('are missed by check-integrity where money has no document, and where one has gone', async () => {
    const { requestId } = await sendPaid();
    const problems = () => findIntegrityProblems(app.serverDatabase);
    expect((await problems()).join()).not.toMatch(/has no invoice/);
    await app.database
      .updateTable('payments')
      .set({ created_at: new Date(Date.now() - 7_200_000) })
      .where('request_id', '=', requestId)
      .execute();
    expect((await problems()).join()).toMatch(/payment \S+ is paid and has no invoice/);
    await issueDueDocuments(context());
    expect((await problems()).join()).not.toMatch(/has no invoice|numbers, the last/);
    await app.database
      .updateTable('invoice_counters')
      .set({ last_sequence: sql`last_sequence + 1` })
      .where('series', 'like', 'RCP-%')
      .execute();
    expect((await problems()).join()).toMatch(/series RCP-\d+ has \d+ numbers, the last one is/);
    await app.database
      .updateTable('invoice_counters')
      .set({ last_sequence: sql`last_sequence - 1` })
      .where('series', 'like', 'RCP-%')
      .execute();
  });

  it('and contents never change', async () => {
    const { requestId } = await sendPaid();
    await askFor('individual', requestId);
    await expect(
      app.database
        .updateTable('invoices')
        .set({ total: 1 })
        .where('request_id', '=', requestId)
        .execute(),
    ).rejects.toThrow(/append-only/);
  });
});

describe('the code on an invoice', () => {
  const check = (code: string) => app.call(checkInvoice, { query: { Code: code } });

  it('confirms number, total and day to anybody, and nothing else', async () => {
    const { requestId } = await sendPaid();
    const { pages } = await readPdf(await invoice('individual', requestId));
    const code = /code=([\w.-]+)/.exec(pages[0] ?? '')?.[1] ?? '';
    const [row] = await rowsOf(requestId);
    const genuine = {
      isGenuine: true,
      kind: 'invoice',
      number: row?.number,
      total: row?.total,
      issuedOn: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string,
      state: 'paid',
    };
    expect((await check(code)).body).toEqual(genuine);
    const [id = '', signature = ''] = code.split('.');
    const other = `${id}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
    for (const forged of [other, `${id}x.${signature}`, `1.${'A'.repeat(22)}`, 'x', '%00', id])
      expect((await check(forged)).body).toEqual({ isGenuine: false });
    for (const [refunded, state] of [
      [1, 'refundedInPart'],
      [row?.total ?? 0, 'refunded'],
    ] as const) {
      await app.database
        .updateTable('requests')
        .set({ refundable: refunded, refunded })
        .where('id', '=', requestId)
        .execute();
      expect((await check(code)).body).toEqual({ ...genuine, state });
    }
  });

  it('stays genuine when its key is replaced', async () => {
    const { requestId } = await sendPaid();
    const read = async () => {
      const { pages } = await readPdf(await invoice('individual', requestId));
      return /code=([\w.-]+)/.exec(pages[0] ?? '')?.[1] ?? '';
    };
    const former = await read();
    await inTransaction(app.database, (transaction) =>
      replaceKey(transaction, 'invoice-codes', { isImmediate: true, endsOld: false }),
    );
    await renewKeys(app.serverDatabase, app.config);
    const next = await read();
    expect(next).not.toBe(former);
    for (const code of [former, next]) expect((await check(code)).body.isGenuine).toBe(true);
  });
});

it('the operator of the settings has no number outside of the sandbox, and an example in it', () => {
  const unset = {
    INVOICE_TRN: undefined,
    INVOICE_STREET: undefined,
    INVOICE_CITY: undefined,
    INVOICE_EMIRATE: undefined,
  };
  const off = sellerOf({ ...unset, SANDBOX: 'off' });
  expect([off.isDemo, off.seller.trn, off.seller.street]).toEqual([false, '', '']);
  const set = {
    INVOICE_STREET: 'Street 9',
    INVOICE_CITY: 'Al Ain',
    INVOICE_EMIRATE: 'AUH' as const,
  };
  expect(
    sellerOf({ ...unset, ...set, INVOICE_TRN: '1'.repeat(15), SANDBOX: 'off' }).seller,
  ).toEqual(
    expect.objectContaining({
      trn: '1'.repeat(15),
      street: 'Street 9',
      city: 'Al Ain',
      emirate: 'abuDhabi',
    }),
  );
  expect(sellerOf({ ...unset, SANDBOX: 'on' })).toMatchObject({
    isDemo: true,
    seller: { trn: '100000000000003', emirate: 'dubai' },
  });
});
