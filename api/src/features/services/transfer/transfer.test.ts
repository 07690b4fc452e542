import ExcelJS from 'exceljs';
import { unzipSync, zipSync } from 'fflate';
import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { ensureAccountTypes } from '#seed/seed.ts';
import { useTestApp } from '#testing/test-app.ts';
import type { CatalogueFile } from '@diwan/contract/catalogue/catalogue-file';
import { closeService } from '@diwan/contract/catalogue/closures';
import {
  getServiceVersions,
  restoreServiceVersion,
} from '@diwan/contract/catalogue/service-designs';
import { getService, getServices } from '@diwan/contract/catalogue/services';
import * as calls from '@diwan/contract/catalogue/transfer';
import { getChanges } from '@diwan/contract/people/changes';
import type { BodyInputOf } from '@diwan/contract/wire/call';
import { languages, type Language } from '@diwan/contract/wire/languages';
import { checkFile } from './files/check-file.ts';

const app = useTestApp();

type FileText = CatalogueFile & { format: string };

const exportFile = async (
  Format: calls.CatalogueFormat,
  {
    language = 'en-US',
    List,
  }: { language?: Language; List?: 'services' | 'fees' | 'agencies' } = {},
): Promise<Buffer> => {
  const query = { Format, ...(List ? { List } : {}) };
  const { body } = await app.callAs('admin', calls.exportCatalogue, { query, language });
  // The test client has parsed the JSON.
  if (typeof body === 'string') return Buffer.from(body);
  return Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
};
const readExport = async (): Promise<FileText> => JSON.parse((await exportFile('json')).toString());
const prepare = (
  content: Buffer | object,
  query: { Format?: calls.CatalogueFormat; RetireMissing?: 'true' | 'false' } = {},
  language: Language = 'en-US',
) =>
  app.callAs('admin', calls.prepareCatalogueImport, {
    language,
    query: { Format: 'json', ...query },
    body: Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content)),
  });
const jobOf = async (jobId: string) =>
  (await app.callAs('admin', calls.getCatalogueJob, { query: { jobId } })).body;

async function run(jobId: string, leftOut?: string[]) {
  const { status, refused } = await app.callAs('admin', calls.runCatalogueJob, {
    body: { jobId, leftOut },
  });
  expect([status, refused.error]).toEqual([200, undefined]);
  await expect.poll(async () => (await jobOf(jobId)).state).not.toBe('running');
  return jobOf(jobId);
}

const format = 'diwan-catalogue-1';
const entry = (services: object[], more: object = {}) => ({ format, services, ...more });

describe('export and import', () => {
  it.each(['json', 'xlsx'] as const)(
    '%s: an import of an export changes nothing',
    async (Format) => {
      const { body } = await prepare(await exportFile(Format), { Format, RetireMissing: 'true' });
      expect([body.problems, body.changes, body.state]).toEqual([[], [], 'ready']);
      expect(body.counts.services?.unchanged).toBe(221);
      expect(body.counts.agencies?.unchanged).toBe(30);
    },
  );

  it('changes, adds, retires and restores in one step, and shows it before and after', async () => {
    const file = await readExport();
    const [first, second] = file.services;
    const wished = entry(
      [
        { replacedName: first!.replacedName, workingDays: 9, popularRank: null },
        { replacedName: second!.replacedName, isRetired: true },
        { ...first!, replacedName: 'brand-new', agency: 'new-office' },
      ],
      {
        agencies: [{ slug: 'new-office', name: first!.name }],
        forms: file.forms.filter(({ key }) => key === first!.form),
      },
    );
    const { body: ready } = await prepare(wished);
    expect([ready.problems, ready.state, ready.changesCount]).toEqual([[], 'ready', 4]);
    expect(ready.changes.map(({ list, key, action }) => [list, key, action])).toEqual([
      ['agencies', 'new-office', 'created'],
      ['services', first!.replacedName, 'changed'],
      ['services', second!.replacedName, 'retired'],
      ['services', 'brand-new', 'created'],
    ]);
    expect(ready.changes[1]?.fields).toContainEqual({
      field: 'workingDays',
      before: String(first!.workingDays),
      after: '9',
    });
    // Nothing has changed yet.
    expect((await readExport()).services).toEqual(file.services);

    expect(await run(ready.jobId)).toMatchObject({ state: 'done', done: 3 });
    const after = await readExport();
    const find = (name: string) => after.services.find((each) => each.replacedName === name);
    expect(find(first!.replacedName)).toMatchObject({ workingDays: 9, popularRank: null });
    expect(find(second!.replacedName)?.isRetired).toBe(true);
    expect(find('brand-new')).toMatchObject({ agency: 'new-office', fees: first!.fees });
    const list = await app.call(getServices, {
      query: { SearchKeyword: 'brand-new', PageSize: 100 },
    });
    expect(list.status).toBe(200);
    const changes = await app.callAs('admin', getChanges, { query: { Entity: 'service' } });
    expect(changes.body.items.map(({ action }) => action)).toEqual([
      'created',
      'retired',
      'changed',
    ]);
    // A job runs once.
    const again = await app.callAs('admin', calls.runCatalogueJob, {
      body: { jobId: ready.jobId },
    });
    expect(again.refused.error).toBe('CatalogueJobRuns');

    const back = await prepare(entry([{ replacedName: second!.replacedName, isRetired: false }]));
    expect(back.body.changes[0]?.action).toBe('restored');
    await run(back.body.jobId);
    const { body: service } = await app.call(getServices, { query: { PageSize: 100 } });
    expect(service.totalCount).toBe(222);
  });

  it('refuses what does not fit this portal, and changes nothing of the rest', async () => {
    const name = { 'ar-EG': 'أ', 'en-US': 'a', 'ur-PK': 'ا' };
    const { body } = await prepare(
      entry([
        { replacedName: 'visa-extension', workingDays: 1 },
        { replacedName: 'visa-extension', agency: 'nobody', workingDays: -1 },
        { replacedName: 'new-one', name },
        { replacedName: 'other', partner: 4711, isRetired: true, colour: 'red' },
        { replacedName: 'renew-vehicle-ownership', agency: 'nobody', partner: 4711 },
        { replacedName: 'renew-vehicle-ownership', form: 'nowhere' },
      ]),
    );
    expect(body.state).toBe('refused');
    const found = body.problems.map(({ list, row, column }) => `${list} ${row} ${column}`);
    for (const problem of [
      'services 2 workingDays',
      'services 3 form',
      'services 3 agency',
      'services 4 colour',
      'services 5 agency',
      'services 5 partner',
      'services 6 ',
      'services 6 form',
    ])
      expect(found).toContain(problem);
    expect(body.problems.every(({ message }) => message.length > 5)).toBe(true);
    expect(
      (await app.callAs('admin', calls.runCatalogueJob, { body: { jobId: body.jobId } })).status,
    ).toBe(400);
  });

  it.each([
    ['{"format": "diwan-catalogue-1",\n "services": [}', 'JSON 2 15'],
    ['{"services": []}', 'JSON 1 format'],
    ['{"format": "diwan-catalogue-1", "planets": []}', 'planets 1 '],
    ['{"format": "diwan-catalogue-1"}', 'JSON 1 '],
    ['[1]', 'JSON 1 format'],
    ['null', 'JSON 1 format'],
    ['', 'JSON 1 1'],
  ])('names the place in the broken file %j', async (text, place) => {
    const { problems } = await checkFile(Buffer.from(text), 'json');
    expect(problems.map(({ list, row, column }) => `${list} ${row} ${column}`)).toContain(place);
  });

  it('refuses a form that nobody can fill in', async () => {
    const { forms, services } = await readExport();
    const broken = structuredClone(forms[0]!);
    broken.form.steps[0]!.fields[1]!.name = broken.form.steps[0]!.fields[0]!.name;
    const { body } = await prepare(entry(services.slice(0, 1), { forms: [broken] }));
    expect(body.problems[0]).toMatchObject({ list: 'forms', row: 1, column: 'form' });
  });

  it('refuses to start on another version of the catalogue', async () => {
    const { body } = await prepare(entry([{ replacedName: 'visa-extension', workingDays: 77 }]));
    const other = await prepare(entry([{ replacedName: 'visa-extension', workingDays: 76 }]));
    await run(other.body.jobId);
    const refused = await app.callAs('admin', calls.runCatalogueJob, {
      body: { jobId: body.jobId },
    });
    expect(refused.refused.error).toBe('CatalogueHasChanged');
  });
});

describe('workbooks', () => {
  async function workbook(sheets: Record<string, unknown[][]>): Promise<Buffer> {
    const book = new ExcelJS.Workbook();
    for (const [name, rows] of Object.entries(sheets)) book.addWorksheet(name).addRows(rows);
    return Buffer.from(await book.xlsx.writeBuffer());
  }

  const feeColumns = [
    'service',
    'name',
    'title (ar-EG)',
    'title (en-US)',
    'title (ur-PK)',
    'amount',
    'vatRate',
  ];

  it('reads sheets that a person wrote: some columns, separate fees, blank rows', async () => {
    const content = await workbook({
      Services: [['replacedName', 'workingDays'], [], ['visa-extension', '12']],
      fees: [
        [...feeColumns, 'vatCategory'],
        ['visa-extension', 'service', 'رسوم', 'Fee', 'فیس', 5000, 500],
        ['renew-vehicle-ownership', 'service', 'رسوم', 'Fee', 'فیس', 100, 0, 'zeroRated'],
      ],
    });
    const { body } = await prepare(content, { Format: 'xlsx' });
    expect(body.problems).toEqual([]);
    await run(body.jobId);
    const { body: found } = await app.call(getServices, {
      query: { PageSize: 100, SearchKeyword: 'visa extension' },
    });
    const service = found.items.find((each) => each.replacedName === 'visa-extension');
    expect(service).toMatchObject({ workingDays: 12, total: 5250 });
    const { body: details } = await app.call(getService, { query: { serviceId: service!.id } });
    expect(details.fees.lines.map(({ amount }) => amount)).toEqual([5000]);
    const { id } = (
      await app.call(getServices, {
        query: { PageSize: 100, SearchKeyword: 'renew vehicle ownership' },
      })
    ).body.items.find((each) => each.replacedName === 'renew-vehicle-ownership')!;
    const zero = await app.call(getService, { query: { serviceId: id } });
    expect(zero.body.fees.lines).toMatchObject([{ vatRate: 0, vatCategory: 'zeroRated', vat: 0 }]);
    expect((await exportFile('json')).toString()).toContain('"vatCategory":"zeroRated"');
  });

  it('reads and writes a fee by percentage in words of a spreadsheet', async () => {
    const headers = [
      ...feeColumns.slice(0, 5),
      'amountAED',
      'vat',
      'percentOf',
      'percent',
      'maximumAED',
    ];
    const of = (percent: unknown, maximum: unknown) =>
      workbook({
        fees: [
          headers,
          ['visa-extension', 'share', 'رسوم', 'Fee', 'فیس', 10, '5%', 'price', percent, maximum],
        ],
      });
    const { body: right } = await prepare(await of('0.25 %', 3000), { Format: 'xlsx' });
    expect(right.problems).toEqual([]);
    await run(right.jobId);
    const exported = (await exportFile('json')).toString();
    for (const part of ['"percentOf":"price"', '"rate":25', '"maximum":300000'])
      expect(exported).toContain(part);
    const { body: wrong } = await prepare(await of('a lot', 5), { Format: 'xlsx' });
    expect(wrong.problems).toContainEqual(
      expect.objectContaining({ list: 'fees', column: 'percent' }),
    );
    const { body: reversed } = await prepare(await of(4, 5), { Format: 'xlsx' });
    expect(reversed.problems).toMatchObject([{ list: 'fees', column: 'percentOf' }]);
  });

  it('names row and column of each wrong cell', async () => {
    const content = await workbook({
      services: [
        ['replacedName', 'name (ar-EG)', 'name (en-US)', 'name (ur-PK)', 'workingDays', 'speed'],
        ['visa-extension', 'تأشيرة', '', 'ویزا', 'soon', 1],
        ['visa-extension', 'تأشيرة', '', 'ویزا', 3, 1],
      ],
      fees: [
        [...feeColumns, 'vatCategory'],
        ['visa-extension', 'service', 'رسوم', 'Fee', 'فیس', -5, 500],
        ['visa-extension', 'odd', 'رسوم', 'Fee', 'فیس', 5, 700],
        ['visa-extension', 'both', 'رسوم', 'Fee', 'فیس', 5, 500, 'zeroRated'],
        ['visa-extension', 'unknown', 'رسوم', 'Fee', 'فیس', 5, 0, 'standard'],
      ],
      moons: [['x']],
    });
    const { body } = await prepare(content, { Format: 'xlsx' }, 'en-US');
    expect(body.state).toBe('refused');
    expect(body.problems.map(({ list, row, column }) => `${list} ${row} ${column}`).sort()).toEqual(
      [
        'fees 2 amount',
        'fees 3 vatRate',
        'fees 4 vatRate',
        'fees 5 vatCategory',
        'moons 1 ',
        'services 1 speed',
        'services 2 name (en-US)',
        'services 2 workingDays',
        'services 3 name (en-US)',
      ],
    );
  });

  it('refuses what is no workbook', async () => {
    const answers = await Promise.all(
      [Buffer.from('hello'), Buffer.alloc(0), (await exportFile('xlsx')).subarray(0, 4000)].map(
        (content) => prepare(content, { Format: 'xlsx' }),
      ),
    );
    for (const { status, body, refused } of answers)
      expect(refused.error ?? body.state, String(status)).toMatch(
        /CatalogueFileUnreadable|refused/,
      );
  });

  it('refuses a small file that unpacks to a very large one', async () => {
    const files = unzipSync(await workbook({ services: [['replacedName'], ['visa-extension']] }));
    const large = { ...files, 'xl/media/image1.png': new Uint8Array(60_000_000) };
    const answer = await prepare(Buffer.from(zipSync(large)), { Format: 'xlsx' });
    expect(answer.refused.error).toBe('CatalogueFileTooLarge');
  });
});

describe('files that people read', () => {
  const sheetOf = async (content: Buffer, name: string) => {
    const book = new ExcelJS.Workbook();
    await book.xlsx.load(content as never);
    const sheet = book.getWorksheet(name);
    if (!sheet) throw new Error(`no sheet ${name}`);
    return sheet;
  };
  const csv = (...rows: string[]) => Buffer.from(`\uFEFF${rows.join('\r\n')}\r\n`);
  const feeRow = (amount: string, vat = '"Outside the scope of VAT"') =>
    `visa-extension,service,رسوم,Fee,فیس,${amount},${vat}`;
  const feeHead =
    'Service,Key of the fee,Name of the fee (Arabic),Name of the fee (English),Name of the fee (Urdu),"Amount in dirhams, without VAT",VAT';
  const placesOf = ({ problems }: { problems: calls.ImportProblem[] }) =>
    problems.map(({ list, row, heading }) => `${list} ${row} ${heading}`);

  it.each(['ar-EG', 'en-US', 'ur-PK'] as const)(
    'have headings in %s, keys in a hidden row, and amounts in dirhams as numbers',
    async (language) => {
      const content = await exportFile('xlsx', { language });
      const fees = await sheetOf(content, 'fees');
      const keys = fees.getRow(2).values as string[];
      const amountAt = keys.indexOf('amountAED');
      expect([fees.getRow(2).hidden, String(fees.getRow(1).getCell(amountAt).value)]).toEqual([
        true,
        {
          'ar-EG': 'المبلغ بالدرهم دون الضريبة',
          'en-US': 'Amount in dirhams, without VAT',
          'ur-PK': 'رقم درہم میں، VAT کے بغیر',
        }[language],
      ]);
      const { services } = await readExport();
      const first = services.flatMap((service) => service.fees ?? [])[0];
      const cell = fees.getRow(3).getCell(amountAt);
      expect([cell.value, cell.numFmt]).toEqual([(first?.amount ?? 0) / 100, '#,##0.00']);
      // Without the keys the words are read, in a portal of another language too.
      fees.spliceRows(2, 1);
      const book = new ExcelJS.Workbook();
      book.addWorksheet('fees').addRows(
        fees
          .getSheetValues()
          .slice(1)
          .map((row) => (row as unknown[]).slice(1)),
      );
      const { body } = await prepare(Buffer.from(await book.xlsx.writeBuffer()), {
        Format: 'xlsx',
      });
      expect([body.problems, body.changesCount]).toEqual([[], 0]);
    },
  );

  it.each(['services', 'fees'] as const)('as CSV of %s change nothing', async (List) => {
    const content = await exportFile('csv', { List, language: 'ar-EG' });
    const { body } = await prepare(content, { Format: 'csv' });
    expect([body.problems, body.changes, body.state]).toEqual([[], [], 'ready']);
    expect(body.counts.services?.unchanged).toBeGreaterThan(200);
  });

  // Headings of earlier versions: files that were written then are still read.
  it.each([
    ['agencies', 'en-US', { 'No longer offered': 'Retired' }],
    ['services', 'en-US', { 'No longer offered': 'Retired' }],
    ['services', 'ar-EG', { 'الردّ عند السحب': 'الرد عند السحب' }],
    [
      'fees',
      'ar-EG',
      {
        'مفتاح الرسوم': 'مفتاح الرسم',
        'اسم الرسوم (العربية)': 'اسم الرسم (العربية)',
        'رسوم البوابة': 'رسم البوابة',
        'الحد الأعلى للرسوم بالدرهم': 'الحد الأعلى للرسم بالدرهم',
        'قابل للردّ': 'قابل للرد',
      },
    ],
  ] as const)('are read with the earlier headings of %s in %s', async (List, language, earlier) => {
    const content = (await exportFile('csv', { List, language })).toString();
    const [head = '', ...rows] = content.replace('\uFEFF', '').split('\r\n');
    const renamed = Object.entries(earlier).reduce((text, [now, before]) => {
      expect(text).toContain(now);
      return text.replace(now, before);
    }, head);
    const { body } = await prepare(csv(renamed, ...rows), { Format: 'csv' });
    expect([body.problems, body.changes, body.state]).toEqual([[], [], 'ready']);
  });

  it('show each price before and after, and warn above ten times', async () => {
    const { body: set } = await prepare(csv(feeHead, feeRow('20')), { Format: 'csv' });
    await run(set.jobId);
    const { body } = await prepare(csv(feeHead, feeRow('"1,250.50"', '5%')), { Format: 'csv' });
    expect([body.problems, body.state]).toEqual([[], 'ready']);
    expect(body.changes[0]?.fields).toEqual([
      {
        field: 'fees',
        before: '\u2068Fee\u2069: 20.00 AED, Outside the scope of VAT',
        after: '\u2068Fee\u2069: 1250.50 AED, Standard rate (5%)',
      },
    ]);
    expect(body.warnings.map(({ message }) => message)).toEqual([
      '\u2068visa-extension · service\u2069 changes from 20.00 to 1250.50 AED, by more than ten times',
    ]);
    const small = await prepare(csv(feeHead, feeRow('200')), { Format: 'csv' });
    expect(small.body.warningsCount).toBe(0);
    const { services, forms } = await readExport();
    const added = { ...services.find(({ fees }) => fees?.length), replacedName: 'added-one' };
    const { body: fresh } = await prepare(entry([added], { forms }));
    expect(fresh.changes[0]?.fields.map(({ before }) => before)).toEqual(
      (added.fees ?? []).map(() => undefined),
    );
    expect(fresh.changes[0]?.fields[0]?.after).toMatch(/\d+\.\d\d AED/);
  });

  it.each(['"1,5"', '5.005', '"12,50"', 'free'])('ask about the amount %s', async (amount) => {
    const { body } = await prepare(csv(feeHead, feeRow(amount)), { Format: 'csv' });
    expect([body.state, placesOf(body)]).toEqual([
      'refused',
      ['fees 2 Amount in dirhams, without VAT'],
    ]);
    expect(body.problems[0]?.message).toContain('1,250.50');
  });

  it('refuse an amount that nobody can mean, and a rate that says no category', async () => {
    const { body } = await prepare(
      csv(feeHead, feeRow('100000000.01'), feeRow('5', '0%'), feeRow('5', '"Zero-rated (0%)"')),
      { Format: 'csv' },
    );
    expect(placesOf(body)).toEqual(['fees 3 VAT', 'fees 2 Amount in dirhams, without VAT']);
  });

  it.each([
    ['ar-EG', 'دبي', 'الشارقة'],
    ['en-US', 'Dubai', 'Sharjah'],
    ['ur-PK', 'دبئی', 'شارجہ'],
  ] as const)('have the emirates of agencies in %s', async (language, dubai, sharjah) => {
    const content = await exportFile('csv', { List: 'agencies', language });
    const same = await prepare(content, { Format: 'csv' });
    expect([same.body.problems, same.body.changes]).toEqual([[], []]);
    const rows = content.toString().replace('\uFEFF', '').split('\r\n');
    const cells = rows.find((each) => each.includes('dubai-courts'))?.split(',') ?? [];
    expect(cells.at(-2)).toContain(dubai);
    const rest = cells.slice(0, -2).join(',');
    const prepareRow = async (emirate: string) =>
      (await prepare(csv(rows[0] ?? '', `${rest},${emirate},`), { Format: 'csv' }, language)).body;
    expect((await prepareRow(sharjah)).changes[0]?.fields).toEqual([
      { field: 'emirate', before: dubai, after: sharjah },
    ]);
    expect((await prepareRow('')).changes[0]?.fields).toEqual([
      { field: 'emirate', before: dubai },
    ]);
    const wrong = await prepareRow('Atlantis');
    expect(wrong.problems).toMatchObject([{ list: 'agencies', row: 2, column: 'emirate' }]);
    expect(wrong.problems[0]?.message).toContain(dubai);
    const json = { format, agencies: [{ slug: 'dubai-courts', emirate: 'atlantis' }] };
    const refused = (await prepare(json, {}, language)).body;
    expect(refused.problems.map(({ message }) => message)).toEqual([wrong.problems[0]?.message]);
  });

  it('keep the emirate of an agency that they do not name, and take it away', async () => {
    const emirateOf = async () =>
      (await readExport()).agencies.find(({ slug }) => slug === 'dubai-courts')?.emirate;
    const importAgency = async (agency: object) => {
      const file = { format, agencies: [{ slug: 'dubai-courts', ...agency }] };
      await run((await prepare(file)).body.jobId);
    };
    await importAgency({ logo: '/logos/neutral.svg' });
    expect(await emirateOf()).toBe('dubai');
    await importAgency({ emirate: null });
    expect(await emirateOf()).toBeNull();
    await importAgency({ emirate: 'dubai' });
    expect(await emirateOf()).toBe('dubai');
  });

  const centres = {
    'ar-EG': 'مركز أول: شارع العين\nمركز ثان: شارع الخليج',
    'en-US': 'First centre, Al Ain Street: 8 am to 2 pm\n"Second" centre; Gulf Street',
    'ur-PK': 'پہلا مرکز\nدوسرا مرکز',
  };
  const centresOf = async () =>
    (await readExport()).agencies.find(({ slug }) => slug === 'dubai-courts')?.centres;
  const importCentres = async (text: typeof centres | null) => {
    const file = { format, agencies: [{ slug: 'dubai-courts', centres: text }] };
    await run((await prepare(file)).body.jobId);
  };

  it.each(['json', 'xlsx', 'csv'] as const)(
    'bring the centres of an agency back from %s as they were',
    async (Format) => {
      await importCentres(centres);
      expect(await centresOf()).toEqual(centres);
      const content = await exportFile(Format, Format === 'csv' ? { List: 'agencies' } : {});
      expect((await prepare(content, { Format })).body).toMatchObject({
        problems: [],
        changes: [],
      });
      await importCentres(null);
      const { body } = await prepare(content, { Format });
      expect(body.changes).toMatchObject([
        { key: 'dubai-courts', fields: languages.map(() => ({ field: 'centres' })) },
      ]);
      await run(body.jobId);
      expect(await centresOf()).toEqual(centres);
    },
  );

  it('take the centres of an agency away by blank cells, and keep them without the columns', async () => {
    await importCentres(centres);
    const heads = languages.map((language) => `centres (${language})`);
    const importRow = async (columns: string[], cells: string[]) => {
      const sheet = csv(
        ['slug', 'logo', ...columns].join(','),
        ['dubai-courts', ...cells].join(','),
      );
      return (await prepare(sheet, { Format: 'csv' })).body;
    };
    await run((await importRow([], ['/logos/neutral.svg'])).jobId);
    expect(await centresOf()).toEqual(centres);
    const partly = await importRow(heads, ['', 'مركز', '', 'مرکز']);
    expect(placesOf(partly)).toEqual(['agencies 2 Addresses and hours of its centres (English)']);
    await run((await importRow(heads, ['', '', '', ''])).jobId);
    expect(await centresOf()).toBeNull();
    const long = { ...centres, 'en-US': 'x'.repeat(2001) };
    const file = { format, agencies: [{ slug: 'dubai-courts', centres: long }] };
    expect(placesOf((await prepare(file)).body)).toEqual(['agencies 1 centres.en-US']);
  });

  it('name all faults of a row, agencies by key or name', async () => {
    const { agencies } = await readExport();
    const name = agencies[0]?.name?.['ar-EG'] ?? '';
    const head = 'Key of the service;Government agency;Working days;Place among popular services';
    const { body } = await prepare(
      csv(head, 'visa-extension;Nobody;300.5;soon', `visa-extension-2;${name};1;`),
      { Format: 'csv' },
    );
    const places = placesOf(body);
    expect(places).toEqual(
      expect.arrayContaining([
        'services 2 Government agency',
        'services 2 Working days',
        'services 2 Place among popular services',
      ]),
    );
    expect(places).not.toContain('services 3 Government agency');
    expect(body.problems.find(({ column }) => column === 'workingDays')?.message).not.toMatch(
      /Fill in/,
    );
    const known = await prepare(
      csv(head.split(';').slice(0, 2).join(';'), `visa-extension;${name}`),
      {
        Format: 'csv',
      },
    );
    expect(known.body.problems).toEqual([]);
  });

  it('refuse a service that is there twice, for two agencies', async () => {
    const { agencies } = await readExport();
    const rows = agencies
      .slice(0, 2)
      .map(({ slug }) => ({ replacedName: 'visa-extension', agency: slug }));
    const { body } = await prepare(entry(rows));
    expect(body.problems).toMatchObject([
      { list: 'services', row: 2, message: expect.stringContaining('visa-extension') },
    ]);
  });

  it('refuse CSV that names no list, is not closed, or is not UTF-8', async () => {
    const odd = await prepare(csv('Planet,Moon', 'x,y'), { Format: 'csv' });
    expect(odd.body.problems).toMatchObject([{ list: 'CSV', row: 1 }]);
    for (const content of [csv('Service,"VAT'), Buffer.from([0xff, 0xfe, 0x53, 0])])
      expect((await prepare(content, { Format: 'csv' })).refused.error).toBe(
        'CatalogueFileUnreadable',
      );
  });
});

describe('jobs', () => {
  it('keeps nothing of a cancelled job, and of one that ends in the middle', async () => {
    const before = await readExport();
    const all = before.services.map(({ replacedName }) => ({ replacedName, workingDays: 99 }));
    const { body } = await prepare(entry(all));
    await app.callAs('admin', calls.cancelCatalogueJob, { body: { jobId: body.jobId } });
    expect((await jobOf(body.jobId)).state).toBe('cancelled');
    const { body: second } = await prepare(entry(all));
    // The cancellation arrives while it runs.
    await app.database
      .updateTable('catalogue_jobs')
      .set({ state: 'running', active_at: new Date(Date.now() - 120_000) })
      .where('id', '=', second.jobId)
      .execute();
    expect((await jobOf(second.jobId)).state).toBe('interrupted');
    const started = app.callAs('admin', calls.runCatalogueJob, { body: { jobId: second.jobId } });
    const cancelled = started.then(() =>
      app.callAs('admin', calls.cancelCatalogueJob, { body: { jobId: second.jobId } }),
    );
    expect((await cancelled).status).toBe(200);
    await expect.poll(async () => (await jobOf(second.jobId)).state).toMatch(/cancelled|done/);
    const { state } = await jobOf(second.jobId);
    const after = await readExport();
    if (state === 'cancelled') expect(after.services).toEqual(before.services);
    else expect(after.services.every(({ workingDays }) => workingDays === 99)).toBe(true);
    const parts = app.database.selectFrom('catalogue_job_parts').select('job_id');
    expect(await parts.where('job_id', 'in', [body.jobId, second.jobId]).execute()).toEqual([]);
  });
});

describe('bulk changes', () => {
  const bulk = (body: BodyInputOf<typeof calls.prepareBulkChange>) =>
    app.callAs('admin', calls.prepareBulkChange, { body });

  it('changes working days and fees of many services after a preview of each', async () => {
    const { items } = (await app.call(getServices, { query: { PageSize: 3 } })).body;
    const serviceIds = items.map(({ id }) => id);
    const { body } = await bulk({
      serviceIds,
      workingDays: 31,
      fee: { change: 'percent', value: 10 },
    });
    expect([body.kind, body.total, body.state]).toEqual(['bulk', 3, 'ready']);
    expect(body.changes.every(({ fields }) => fields.some(({ after }) => after === '31'))).toBe(
      true,
    );
    await run(body.jobId);
    for (const before of items) {
      const { body: after } = await app.call(getService, { query: { serviceId: before.id } });
      expect(after.workingDays).toBe(31);
      expect(Math.abs(after.total - before.total * 1.1)).toBeLessThan(10);
    }
  });

  it.each([
    [{ change: 'set', value: 12_345 }, (_amount: number): number => 12_345],
    [{ change: 'add', value: -1_000_000_000 }, (_amount: number): number => 0],
    [{ change: 'add', value: 250 }, (amount: number): number => amount + 250],
    [
      { change: 'round', value: 700 },
      (amount: number): number => Math.floor(amount / 700 + 0.5) * 700,
    ],
  ] as const)('changes every fee: %j', async (fee, expected) => {
    const { services } = await readExport();
    const before = services.find(({ fees, isRetired }) => fees?.length && !isRetired);
    const { items } = (
      await app.call(getServices, {
        query: { PageSize: 100, SearchKeyword: before?.name?.['en-US'] },
      })
    ).body;
    const id = items.find((each) => each.replacedName === before?.replacedName)?.id ?? 0;
    const { body } = await bulk({ serviceIds: [id], fee, vatCategory: 'exemptHousing' });
    expect(body.problems).toEqual([]);
    await run(body.jobId);
    const after = (await readExport()).services.find(
      (each) => each.replacedName === before?.replacedName,
    );
    expect(after?.fees?.map(({ amount, vatCategory }) => [amount, vatCategory])).toEqual(
      before?.fees?.map(({ amount }) => [expected(amount), 'exemptHousing']),
    );
  });

  it('finds services by exact values, and never by meaning', async () => {
    const { services } = await readExport();
    const used = services.filter(({ isRetired }) => !isRetired);
    const count = async (all: NonNullable<BodyInputOf<typeof calls.prepareBulkChange>['all']>) => {
      const { status, body } = await bulk({ all, workingDays: 77 });
      return status === 200 ? body.total : 0;
    };
    // The search finds an establishment card by this word.
    expect(await count({ name: ' VISA ' })).toBe(
      used.filter(({ name }) => Object.values(name ?? {}).some((text) => /visa/i.test(text)))
        .length,
    );
    expect(await count({ name: 'visa', state: 'retired' })).toBe(
      services.filter(({ name, isRetired }) => isRetired && /visa/i.test(name?.['en-US'] ?? ''))
        .length,
    );
    expect(await count({ feeFrom: 30_000, feeTo: 40_000 })).toBe(
      used.filter(({ fees = [] }) =>
        fees.some(({ amount }) => amount >= 30_000 && amount <= 40_000),
      ).length,
    );
    expect(await count({ accountTypeId: 2 })).toBe(
      used.filter(({ accountTypes }) => accountTypes?.includes('companies')).length,
    );
    expect(await count({ name: '100%_' })).toBe(0);
    const { id: closedId, name: closedName } = (await app.call(getServices)).body.items[0]!;
    await app.callAs('admin', closeService, {
      body: {
        serviceId: closedId,
        reason: { 'ar-EG': 'تحديث', 'en-US': 'Update', 'ur-PK': 'تجدید' },
        from: '2026-01-01T08:00',
      },
    });
    expect(await count({ state: 'closed' })).toBe(1);
    expect(await count({ state: 'open' })).toBe(used.length - 1);
    expect((await bulk({ all: { state: 'closed' }, workingDays: 77 })).body.changes[0]?.name).toBe(
      closedName,
    );
  });

  it('leaves services out, and keeps what it replaced as a version that can be published', async () => {
    const { items } = (await app.call(getServices, { query: { PageSize: 3 } })).body;
    const read = (serviceId: number) => app.call(getService, { query: { serviceId } });
    const before = (await Promise.all(items.map(({ id }) => read(id)))).map(({ body }) => body);
    const startedAt = new Date().toISOString();
    const fee = { change: 'add', value: 777 } as const;
    const { body } = await bulk({ serviceIds: items.map(({ id }) => id), fee });
    expect(body.changesCount).toBe(3);
    const left = items[2]!;
    const done = await run(body.jobId, [left.replacedName]);
    expect([done.state, done.changesCount]).toEqual(['done', 2]);
    expect((await read(left.id)).body.total).toBe(before[2]?.total);
    const id = items[0]!.id;
    const query = { serviceId: id };
    expect((await read(id)).body.total).toBeGreaterThan(before[0]!.total);
    const versions = (await app.callAs('admin', getServiceVersions, { query })).body;
    expect(versions[0]).toMatchObject({ origin: 'outside', by: expect.any(String) });
    const none = await app.callAs('admin', getServiceVersions, { query: { serviceId: left.id } });
    expect(none.body.filter(({ at }) => at >= startedAt)).toHaveLength(0);
    const again = await app.callAs('admin', restoreServiceVersion, {
      body: { serviceId: id, number: versions[1]!.number },
    });
    expect(again.status).toBe(200);
    expect((await read(id)).body.total).toBe(before[0]!.total);
  });

  it('refuses fees above the largest amount', async () => {
    const { id } = (await app.call(getServices, { query: { PageSize: 1 } })).body.items[0]!;
    const fee = { change: 'add', value: 10_000_000_000 } as const;
    const { body } = await bulk({ serviceIds: [id], fee });
    expect(body.state).toBe('refused');
    expect(body.problems[0]).toMatchObject({
      column: 'fees',
      message: expect.stringContaining('100000000.00'),
    });
  });

  it('refuses when a service was changed since the preview', async () => {
    const { id } = (await app.call(getServices)).body.items[0]!;
    const { body } = await bulk({ serviceIds: [id], fee: { change: 'add', value: 1 } });
    await app.database
      .updateTable('services')
      .set({ working_days: 18 })
      .where('id', '=', id)
      .execute();
    const { refused } = await app.callAs('admin', calls.runCatalogueJob, {
      body: { jobId: body.jobId },
    });
    expect(refused.error).toBe('CatalogueHasChanged');
  });

  it('finds the services of a filter, and refuses what does not exist', async () => {
    const agencyId = (await app.call(getServices)).body.items[0]?.governmentAgency.id ?? 0;
    const { totalCount } = (
      await app.call(getServices, { query: { GovernmentAgencyId: agencyId } })
    ).body;
    expect((await bulk({ all: { agencyId }, workingDays: 30 })).body.total).toBe(totalCount);
    expect((await bulk({ serviceIds: [99_999], workingDays: 1 })).refused.error).toBe(
      'ServiceNotFound',
    );
    expect((await bulk({ serviceIds: [1], categoryId: 999 })).refused.error).toBe('NotFound');
    expect((await bulk({ serviceIds: [1], partnerId: 999 })).body.state).toBe('refused');
    for (const wrong of [
      { workingDays: -1 },
      { fee: { change: 'percent', value: -101 } },
      { fee: { change: 'set', value: 10_000_000_001 } },
      { fee: { change: 'round', value: 0 } },
    ] as const)
      expect((await bulk({ serviceIds: [1], ...wrong })).status).toBe(400);
  });
});

describe('an empty portal', () => {
  const empty = useTestApp();

  it('gets the whole catalogue of another one from a workbook', async () => {
    const wished = await readExport();
    await inTransaction(empty.database, async (transaction) => {
      await sql`set local session_replication_role = replica`.execute(transaction);
      await sql`truncate services, agencies, categories, account_types cascade`.execute(
        transaction,
      );
      await sql`update catalogue_version set version = version + 1`.execute(transaction);
    });
    await ensureAccountTypes(empty.database);
    const content = await exportFile('xlsx');
    const { body } = await empty.callAs('admin', calls.prepareCatalogueImport, {
      query: { Format: 'xlsx' },
      body: content,
    });
    expect(body.problems).toEqual([]);
    expect(body.counts.services?.created).toBe(wished.services.length);
    await empty.callAs('admin', calls.runCatalogueJob, { body: { jobId: body.jobId } });
    const job = { query: { jobId: body.jobId } };
    await expect
      .poll(async () => (await empty.callAs('admin', calls.getCatalogueJob, job)).body.state)
      .toBe('done');
    const { body: copy } = await empty.callAs('admin', calls.exportCatalogue, {
      query: { Format: 'json' },
    });
    expect(copy).toEqual(wished);
    const { body: shown } = await empty.call(getServices);
    expect(shown.totalCount).toBe((await app.call(getServices)).body.totalCount);
  });
});

describe('an administrator of an agency', () => {
  const slugs = { own: 'roads-and-transport-authority-dubai', other: 'ministry-of-interior' };
  const as = 'agency-rta';
  const prepareOwn = async (content: object, query: { RetireMissing?: 'true' } = {}) =>
    (
      await app.callAs(as, calls.prepareCatalogueImport, {
        query: { Format: 'json', ...query },
        body: Buffer.from(JSON.stringify(content)),
      })
    ).body;
  const problemsOf = async (content: object) => {
    const { problems, state } = await prepareOwn(content);
    expect(state).toBe('refused');
    return problems.map(({ list, row, column, message }) => ({ list, row, column, message }));
  };
  let whole: FileText;
  let own: FileText;
  let [ofOwn, ofOther] = ['', ''];
  beforeAll(async () => {
    whole = await readExport();
    const { body } = await app.callAs(as, calls.exportCatalogue, { query: { Format: 'json' } });
    own = body as never;
    const named = (slug: string) =>
      whole.services.find(({ agency, isRetired }) => agency === slug && !isRetired)?.replacedName;
    [ofOwn, ofOther] = [named(slugs.own) ?? '', named(slugs.other) ?? ''];
  });

  it('exports their agencies and services alone, and imports them again', async () => {
    expect(own.agencies.map(({ slug }) => slug)).toEqual([slugs.own]);
    expect(own.services.map(({ replacedName }) => replacedName)).toEqual(
      whole.services
        .filter(({ agency }) => agency === slugs.own)
        .map(({ replacedName }) => replacedName),
    );
    expect(own.services.length).toBeGreaterThan(1);
    expect([own.accountTypes, own.categories, own.synonyms]).toEqual([[], [], []]);
    const body = await prepareOwn(own, { RetireMissing: 'true' });
    expect([body.state, body.problems, body.changes]).toEqual(['ready', [], []]);
  });

  it('reads beside the row what is of another agency, or of the whole portal', async () => {
    const otherRow = {
      list: 'services',
      column: 'replacedName',
      message: `\u2068${ofOther}\u2069 is of an agency that you do not administer. Take this row out of the file`,
    };
    expect(
      await problemsOf(
        entry([
          { replacedName: ofOwn, workingDays: 8 },
          { replacedName: ofOther, workingDays: 8 },
          { replacedName: own.services.at(-1)?.replacedName, agency: slugs.other },
        ]),
      ),
    ).toEqual([
      { ...otherRow, row: 2 },
      {
        ...otherRow,
        row: 3,
        column: 'agency',
        message: otherRow.message.replace(ofOther, slugs.other),
      },
    ]);
    const shared = await problemsOf(
      entry([{ replacedName: ofOwn, popularRank: 1 }], {
        agencies: [{ ...own.agencies[0], emirate: 'sharjah' }],
        categories: [{ ...whole.categories[0], logo: '/logos/neutral.svg' }],
        accountTypes: [{ ...whole.accountTypes[0], alt: whole.accountTypes[1]!.alt }],
        synonyms: [{ words: ['permit', 'leave'] }],
      }),
    );
    expect(shared.map(({ list, row, column }) => `${list} ${row} ${column}`)).toEqual([
      'accountTypes 1 alt',
      'agencies 1 emirate',
      'categories 1 logo',
      'services 1 popularRank',
      'synonyms 1 words',
    ]);
    expect(new Set(shared.map(({ message }) => message)).size).toBe(1);
  });

  it('retires only their own services by a file that does not name them', async () => {
    const job = await prepareOwn(entry([{ replacedName: ofOwn, workingDays: 8 }]), {
      RetireMissing: 'true',
    });
    const offered = own.services.filter(({ isRetired }) => !isRetired).length;
    expect([job.state, job.counts.services?.retired]).toEqual(['ready', offered - 1]);
  });

  it('changes many services by a filter, of their agencies only', async () => {
    const { body: job } = await app.callAs(as, calls.prepareBulkChange, {
      body: { all: {}, workingDays: 11 },
    });
    const offered = own.services.filter(({ isRetired }) => !isRetired).length;
    expect([job.state, job.total]).toEqual(['ready', offered]);
    const { status } = await app.callAs(as, calls.runCatalogueJob, { body: { jobId: job.jobId } });
    expect(status).toBe(200);
    await expect.poll(async () => (await jobOf(job.jobId)).state).toBe('done');
    const changed = (await readExport()).services.filter(({ workingDays }) => workingDays === 11);
    expect(new Set(changed.map(({ agency }) => agency))).toContain(slugs.own);
    const before = whole.services.filter(({ workingDays }) => workingDays === 11);
    expect(changed.filter(({ agency }) => agency !== slugs.own)).toEqual(
      before.filter(({ agency }) => agency !== slugs.own),
    );
    const otherAgency = await app.callAs(as, calls.prepareBulkChange, {
      body: { all: { name: ofOther.replaceAll('-', ' ') }, workingDays: 12 },
    });
    expect([otherAgency.status, otherAgency.refused.error]).toEqual([404, 'ServiceNotFound']);
    const partner = await app.callAs(as, calls.prepareBulkChange, {
      body: { all: {}, partnerId: null },
    });
    expect(partner.body.problems.map(({ column }) => column)).toContain('partner');
  });

  it('finds no job of the portal’s administrator', async () => {
    const { body } = await prepare(entry([{ replacedName: ofOwn, workingDays: 7 }]));
    for (const send of [
      () => app.callAs(as, calls.getCatalogueJob, { query: { jobId: body.jobId } }),
      () => app.callAs(as, calls.runCatalogueJob, { body: { jobId: body.jobId } }),
      () => app.callAs(as, calls.cancelCatalogueJob, { body: { jobId: body.jobId } }),
    ])
      expect((await send()).refused.error).toBe('NotFound');
  });
});
