import { setImmediate as endOfTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { countRoundTrips } from '#testing/round-trips.ts';
import { useTestApp } from '#testing/test-app.ts';
import { isVariableFee } from '@diwan/contract/catalogue/fees';
import * as contract from '@diwan/contract/catalogue/services';
import { getChanges } from '@diwan/contract/people/changes';
import { languages } from '@diwan/contract/wire/languages';
import { openCatalogue } from './services.actions.ts';

const app = useTestApp();

const all = async () => (await app.call(contract.getServices, { query: { PageSize: 100 } })).body;
const idOf = async (serviceName: string) =>
  (await app.call(contract.getServiceIdByServiceName, { query: { serviceName } })).body.serviceId;

describe('getServices', () => {
  test('returns each service once over all pages', async () => {
    const { totalCount } = await all();
    expect(totalCount).toBe(221);
    const ids: number[] = [];
    for (let PageNumber = 1; PageNumber <= 45; PageNumber++) {
      const { body } = await app.call(contract.getServices, { query: { PageNumber } });
      expect(body).toMatchObject({ pageNumber: PageNumber, totalCount });
      expect(body.items.length).toBe(PageNumber === 45 ? 1 : 5);
      ids.push(...body.items.map(({ id }) => id));
    }
    expect(new Set(ids).size).toBe(221);
  });

  test('returns an empty page past the end', async () => {
    expect((await app.call(contract.getServices, { query: { PageNumber: 1000 } })).body).toEqual({
      items: [],
      pageNumber: 1000,
      totalCount: 221,
    });
  });

  test.each(languages)('speaks %s', async (language) => {
    const { body } = await app.call(contract.getServices, {
      query: { SearchKeyword: 'renew-trade-licence' },
      language,
    });
    const name = {
      'ar-EG': 'تجديد رخصة تجارية في دبي',
      'en-US': 'Renew Trade Licence',
      'ur-PK': expect.stringMatching(/لائسنس/) as string,
    }[language];
    expect(body.items[0]).toMatchObject({
      name,
      replacedName: 'renew-trade-licence',
      accountTypes: [2],
    });
  });

  test('filters by agency, category and account type, together with a text', async () => {
    const { items } = await all();
    const { governmentAgency, serviceCategory, accountTypes } = items[0]!;
    const query = {
      GovernmentAgencyId: governmentAgency.id,
      ServiceCategoryId: serviceCategory.id,
      AccountTypeId: accountTypes[0]!,
      PageSize: 100,
    };
    const { body } = await app.call(contract.getServices, { query });
    expect(body.totalCount).toBeGreaterThan(0);
    expect(body.totalCount).toBeLessThan(221);
    for (const item of body.items) {
      expect([item.governmentAgency.id, item.serviceCategory.id, item.accountTypes]).toEqual([
        governmentAgency.id,
        serviceCategory.id,
        accountTypes,
      ]);
    }
    const narrowed = await app.call(contract.getServices, {
      query: { ...query, SearchKeyword: items[0]!.name },
    });
    expect(narrowed.body.items[0]).toEqual(items[0]);
    expect(
      (
        await app.call(contract.getServices, {
          query: { ...query, SearchKeyword: 'no such thing' },
        })
      ).body.totalCount,
    ).toBe(0);
    expect(
      (await app.call(contract.getServices, { query: { GovernmentAgencyId: 999_999 } })).body
        .totalCount,
    ).toBe(0);
  });

  test('finds services for the searches that the portal proposes (specification §2)', async () => {
    for (const SearchKeyword of ['renew registration', 'apply for trade license']) {
      expect(
        (await app.call(contract.getServices, { query: { SearchKeyword } })).body.totalCount,
      ).toBeGreaterThan(0);
    }
  });

  test('finds all services for a blank text and accepts a very long text', async () => {
    expect(
      (await app.call(contract.getServices, { query: { SearchKeyword: ' \u200b ' } })).body
        .totalCount,
    ).toBe(221);
    expect(
      (await app.call(contract.getServices, { query: { SearchKeyword: 'x'.repeat(10_000) } })).body
        .totalCount,
    ).toBe(0);
    expect(
      (await app.call(contract.getServices, { query: { SearchKeyword: 'x'.repeat(10_001) } }))
        .status,
    ).toBe(400);
  });

  test.each([
    { PageNumber: 0 },
    { PageNumber: -1 },
    { PageNumber: 1.5 },
    { PageSize: 0 },
    { PageSize: 101 },
  ])('refuses %j', async (query) => {
    const { status, refused } = await app.call(contract.getServices, { query });
    expect(status).toBe(400);
    expect(Object.keys(refused.errors ?? {})).toEqual(Object.keys(query));
  });
});

describe('serviceSearch', () => {
  test('suggests at most 15', async () => {
    const { body } = await app.call(contract.serviceSearch, { query: { Name: 'e' } });
    expect(body.length).toBe(15);
    expect(Object.keys(body[0]!).sort()).toEqual([
      'governmentAgency',
      'id',
      'name',
      'replacedName',
    ]);
  });

  test('suggests within the filters', async () => {
    const { body } = await app.call(contract.serviceSearch, {
      query: { Name: 'licence', AccountTypeId: 3 },
    });
    const allowed = (
      await app.call(contract.getServices, { query: { AccountTypeId: 3, PageSize: 100 } })
    ).body.items.map(({ id }) => id);
    expect(body.length).toBeGreaterThan(0);
    expect(body.every(({ id }) => allowed.includes(id))).toBe(true);
  });

  test('suggests nothing for a blank name', async () => {
    for (const query of [
      {},
      { Name: '' },
      { Name: '   ' },
      { Name: ' ', Pobular: 'false' as const },
    ])
      expect((await app.call(contract.serviceSearch, { query })).body).toEqual([]);
  });

  test('returns the popular services in their order on request', async () => {
    const { body } = await app.call(contract.serviceSearch, { query: { Pobular: 'true' } });
    expect(body.length).toBe(8);
    expect(body[0]?.replacedName).toBe('renew-trade-licence');
  });

  test('refuses another value of Pobular', async () => {
    expect(
      (await app.call(contract.serviceSearch, { query: { Pobular: 'yes' as 'true' } })).status,
    ).toBe(400);
  });
});

describe('getService', () => {
  test.each(languages)('tells everything in %s', async (language) => {
    const { status, body } = await app.call(contract.getService, {
      query: { serviceId: await idOf('renew-trade-licence') },
      language,
    });
    expect(status).toBe(200);
    const stored = await app.database
      .selectFrom('services')
      .selectAll()
      .where('replaced_name', '=', 'renew-trade-licence')
      .executeTakeFirstOrThrow();
    expect(body).toMatchObject({
      name: stored.name[language],
      description: stored.description[language],
      terms: stored.terms[language],
      result: stored.result[language],
      steps: stored.steps.map((step) => step[language]),
      ours: true,
    });
    expect(body.form).toEqual(stored.form);
    expect(body.attachments).toEqual(stored.attachments);
    expect(body.attachmentsCount).toBe(stored.attachments.length);
    expect(body.fees.lines.map(({ title }) => title)).toEqual(
      // Fees for further years depend on the answers.
      stored.fees.filter((fee) => !isVariableFee(fee)).map(({ title }) => title[language]),
    );
    expect(body.fees.total).toBe(
      body.fees.lines.reduce((sum, { amount, vat }) => sum + amount + vat, 0),
    );
    expect(body.total).toBe(body.fees.total);
  });

  test('every service of the demo matches the contract', async () => {
    for (const { id } of await app.database.selectFrom('services').select('id').execute()) {
      expect((await app.call(contract.getService, { query: { serviceId: id } })).status).toBe(200);
    }
  });

  test('marks unofficial texts for each language', async () => {
    const catalogue = await openCatalogue(app.database);
    await app.database
      .updateTable('services')
      .set({ ours_in: ['ur-PK'] })
      .where('replaced_name', '=', 'visa-extension')
      .execute();
    await catalogue.refresh();
    expect(catalogue.getServiceByName('visa-extension').unofficialTextLanguages).toEqual(['ur-PK']);
  });

  test('refuses an unknown service in the caller’s language', async () => {
    const { status, refused } = await app.call(contract.getService, {
      query: { serviceId: 999_999 },
      language: 'ar-EG',
    });
    expect([status, refused.error]).toEqual([404, 'ServiceNotFound']);
    expect(refused.message).toMatch(/[\u0600-\u06ff]/);
    expect(
      (await app.call(contract.getService, { query: { serviceId: 'x' as unknown as number } }))
        .status,
    ).toBe(400);
  });
});

describe('everyday words instead of official names', () => {
  test.each([
    ['mulkiya', 'renew-vehicle-ownership'],
    ['ejari', 'register-renew-tenancy-contract'],
    ['golden visa', 'issuing-a-golden-residence-permit-investors'],
    ['pcc', 'police-clearance-good-conduct-certificate'],
    ['wps', 'wages-protection-system-registration'],
    ['nikah', 'marriage-contract'],
    ['معذور', 'people-of-determination-card'],
  ])('%s finds %s', async (Name, replacedName) => {
    const { body } = await app.call(contract.serviceSearch, { query: { Name } });
    expect(body.map((found) => found.replacedName)).toContain(replacedName);
  });
});

describe('getServiceIdByServiceName and getServiceNameByServiceId', () => {
  test('are inverse to each other, for the name in addresses and in each language', async () => {
    const id = await idOf('renew-trade-licence');
    for (const language of languages) {
      const { body } = await app.call(contract.getServiceNameByServiceId, {
        query: { serviceId: id },
        language,
      });
      expect(body.replacedName).toBe('renew-trade-licence');
      expect(await idOf(body.name)).toBe(id);
    }
    expect(await idOf('Renew-TRADE-licence')).toBe(id);
  });

  test('refuse unknown ids and names', async () => {
    for (const serviceName of ['no-such-service', '!!!', 'renew-trade']) {
      expect(
        (await app.call(contract.getServiceIdByServiceName, { query: { serviceName } })).refused
          .error,
      ).toBe('ServiceNotFound');
    }
    expect(
      (await app.call(contract.getServiceNameByServiceId, { query: { serviceId: 999_999 } }))
        .status,
    ).toBe(404);
  });
});

describe('deleteService', () => {
  test.each(['employee', 'supervisor', 'company', 'individual'])(
    'is forbidden to %s',
    async (username) => {
      const serviceId = await idOf('visa-extension');
      const { status, refused } = await app.call(contract.deleteService, {
        params: { serviceId },
        token: await app.signIn(username),
      });
      expect([status, refused.error]).toEqual([403, 'YouAreUnauthorized']);
      expect(await idOf('visa-extension')).toBe(serviceId);
    },
  );

  test('needs a sign-in', async () => {
    const { status, refused } = await app.call(contract.deleteService, {
      params: { serviceId: 1 },
    });
    expect([status, refused.error]).toEqual([401, 'YouHaveToLoginFirst']);
  });

  test('refuses an unknown service', async () => {
    expect(
      (
        await app.call(contract.deleteService, {
          params: { serviceId: 999_999 },
          token: await app.signIn('admin'),
        })
      ).refused.error,
    ).toBe('ServiceNotFound');
  });

  test('deletes the service in every process', async () => {
    const elsewhere = await openCatalogue(app.database);
    const serviceId = await idOf('renew-trade-licence');
    const token = await app.signIn('admin');

    expect((await app.call(contract.deleteService, { params: { serviceId }, token })).body).toEqual(
      { id: serviceId },
    );

    const { items } = (
      await app.call(getChanges, {
        query: { Entity: 'service', EntityId: String(serviceId) },
        token,
      })
    ).body;
    expect(items[0]).toMatchObject({ action: 'retired', username: 'admin', address: '127.0.0.1' });
    expect((await app.call(contract.getService, { query: { serviceId } })).status).toBe(404);
    expect((await all()).totalCount).toBe(220);
    for (const query of [{ Name: 'renew trade licence' }, { Pobular: 'true' as const }]) {
      expect(
        (await app.call(contract.serviceSearch, { query })).body.map(({ id }) => id),
      ).not.toContain(serviceId);
    }
    expect(
      (
        await app.call(contract.getServiceIdByServiceName, {
          query: { serviceName: 'renew-trade-licence' },
        })
      ).status,
    ).toBe(404);
    expect((await app.call(contract.deleteService, { params: { serviceId }, token })).status).toBe(
      404,
    );
    await elsewhere.refresh();
    expect(elsewhere.findService(serviceId)).toBeUndefined();
  });
});

test('a changed service is shown before the search finds it, and by another version', async () => {
  const catalogue = await openCatalogue(app.serverDatabase);
  const { id, name } = catalogue.getServiceByName('visa-extension');
  const rename = (names: typeof name) =>
    app.database
      .updateTable('services')
      .set({ name: JSON.stringify(names) })
      .where('id', '=', id)
      .execute();
  const find = () => catalogue.search('zephyrous', 'en-US').take(0, 1)[0]?.name['en-US'];
  expect(find()).toBeUndefined();
  const before = catalogue.version();
  await rename({ ...name, 'en-US': 'Zephyrous' });
  const seen = new Map<number, string | undefined>();
  let isOver = false;
  const refreshed = catalogue.refresh().then(() => (isOver = true));
  while (!isOver) {
    if (catalogue.getService(id).name['en-US'] === 'Zephyrous')
      seen.set(catalogue.version(), find());
    await endOfTurn();
  }
  await refreshed;
  expect([...seen.values()][0]).toBeUndefined();
  expect(find()).toBe('Zephyrous');
  // What was found by the older index is not cached under the version of the newer one.
  expect([before, ...seen.keys()]).not.toContain(catalogue.version());
  await rename(name);
  await catalogue.refresh();
});

describe('the details of a service', () => {
  test('are read once, again after a change of the catalogue, and not after a deletion', async () => {
    const catalogue = await openCatalogue(app.serverDatabase);
    const { id } = catalogue.getServiceByName('visa-extension');
    const read = () => countRoundTrips(() => catalogue.getDetails(id));
    const first = await read();
    expect(first.statements).toHaveLength(1);
    expect(first.result.form.steps.length).toBeGreaterThan(0);
    expect((await read()).statements).toEqual([]);
    const terms = { 'ar-EG': 'شروط', 'en-US': 'Terms', 'ur-PK': 'شرائط' };
    const update = (change: { terms?: string; deleted_at?: Date | null }) =>
      app.database.updateTable('services').set(change).where('id', '=', id).execute();
    await update({ terms: JSON.stringify(terms) });
    await catalogue.refresh();
    expect((await catalogue.getDetails(id)).terms).toEqual(terms);
    await update({ terms: JSON.stringify(first.result.terms), deleted_at: new Date() });
    await catalogue.refresh();
    await expect(catalogue.getDetails(id)).rejects.toThrow('ServiceNotFound');
    await update({ deleted_at: null });
  });

  test('are of the newest version, also where this process has not read it yet', async () => {
    const catalogue = await openCatalogue(app.serverDatabase);
    const { id, name } = catalogue.getServiceByName('visa-extension');
    const result = { 'ar-EG': 'نتيجة', 'en-US': 'Result', 'ur-PK': 'نتیجہ' };
    const renamed = { ...name, 'en-US': 'Extend a visa' };
    const old = await app.database
      .selectFrom('services')
      .select('result')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const update = (change: { name: string; result: string }) =>
      app.database.updateTable('services').set(change).where('id', '=', id).execute();
    await update({ name: JSON.stringify(renamed), result: JSON.stringify(result) });
    expect((await catalogue.getDetails(id)).result).toEqual(result);
    expect(catalogue.getService(id).name).toEqual(renamed);
    await update({ name: JSON.stringify(name), result: JSON.stringify(old.result) });
  });
});
