import ExcelJS from 'exceljs';
import { unzipSync, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { ensureAccountTypes } from '#seed/seed.ts';
import { useTestApp } from '#testing/test-app.ts';
import type { CatalogueFile } from '@diwan/contract/catalogue/catalogue-file';
import { getService, getServices } from '@diwan/contract/catalogue/services';
import * as calls from '@diwan/contract/catalogue/transfer';
import { getChanges } from '@diwan/contract/people/changes';
import type { BodyInputOf } from '@diwan/contract/wire/call';
import { checkFile } from './files/check-file.ts';

const app = useTestApp();

type FileText = CatalogueFile & { format: string };

const exportFile = async (Format: calls.CatalogueFormat): Promise<Buffer> => {
  const { body } = await app.callAs('admin', calls.exportCatalogue, { query: { Format } });
  // The test client has parsed the JSON.
  return Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
};
const readExport = async (): Promise<FileText> => JSON.parse((await exportFile('json')).toString());
const prepare = (
  content: Buffer | object,
  query: { Format?: calls.CatalogueFormat; RetireMissing?: 'true' | 'false' } = {},
) =>
  app.callAs('admin', calls.prepareCatalogueImport, {
    query: { Format: 'json', ...query },
    body: Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content)),
  });
const jobOf = async (jobId: string) =>
  (await app.callAs('admin', calls.getCatalogueJob, { query: { jobId } })).body;

async function run(jobId: string) {
  const { status, refused } = await app.callAs('admin', calls.runCatalogueJob, { body: { jobId } });
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

  it('reads sheets that a person wrote: some columns, fees of their own, blank rows', async () => {
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
    const { body } = await prepare(content, { Format: 'xlsx' });
    expect(body.state).toBe('refused');
    expect(body.problems.map(({ list, row, column }) => `${list} ${row} ${column}`).sort()).toEqual(
      [
        'fees 2 amount',
        'fees 3 vatRate',
        'fees 4 vatRate',
        'fees 5 vatCategory',
        'moons 1 ',
        'services 1 speed',
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
    const { body } = await bulk({ serviceIds, workingDays: 31, feePercent: 10 });
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
    for (const wrong of [{ workingDays: -1 }, { feePercent: -101 }])
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
