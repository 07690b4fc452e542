import { describe, expect, test } from 'vitest';
import { useTestApp } from '#testing/test-app.ts';
import * as accountTypes from '@diwan/contract/catalogue/account-types';
import * as agencies from '@diwan/contract/catalogue/agencies';
import * as categories from '@diwan/contract/catalogue/categories';
import * as services from '@diwan/contract/catalogue/services';

const app = useTestApp();

const sum = (counts: { servicesCount: number }[]) =>
  counts.reduce((total, { servicesCount }) => total + servicesCount, 0);

describe('getServiceIdByServiceName', () => {
  test('returns the id with the same service as GetService, for a name in any language', async () => {
    const { serviceId } = (
      await app.call(services.getServiceIdByServiceName, {
        query: { serviceName: 'renew-trade-licence' },
      })
    ).body;
    const byName = await app.call(services.getServiceIdByServiceName, {
      query: { serviceName: 'Renew Trade Licence' },
      language: 'ur-PK',
    });
    const byId = await app.call(services.getService, { query: { serviceId }, language: 'ur-PK' });
    expect(byName.body).toEqual({ serviceId, service: byId.body });
    expect(byName.body.service.accountTypeNames).toEqual(['کمپنیاں']);
    expect(byName.headers.etag).toBeTruthy();
  });

  test('refuses an unknown name', async () => {
    expect(
      (
        await app.call(services.getServiceIdByServiceName, {
          query: { serviceName: 'no-such-service' },
        })
      ).refused.error,
    ).toBe('ServiceNotFound');
    expect(
      (await app.call(services.getServiceIdByServiceName, { query: { serviceName: '' } })).status,
    ).toBe(400);
  });

  test('lists related services for the same account types, of its category and agency first', async () => {
    const { service: body } = (
      await app.call(services.getServiceIdByServiceName, {
        query: { serviceName: 'renew-trade-licence' },
      })
    ).body;
    expect(body.related).toHaveLength(4);
    for (const { replacedName } of body.related) {
      const other = (
        await app.call(services.getServiceIdByServiceName, { query: { serviceName: replacedName } })
      ).body.service;
      expect([other.serviceCategory.id, other.governmentAgency.id, other.accountTypes]).toEqual([
        body.serviceCategory.id,
        body.governmentAgency.id,
        body.accountTypes,
      ]);
      expect(replacedName).not.toBe('renew-trade-licence');
    }
  });
});

test('GetService accepts a phone number and returns the same to anonymous callers', async () => {
  const plain = await app.call(services.getService, { query: { serviceId: 1 } });
  for (const phoneNumber of ['+971501234567', '0000'])
    expect(
      (await app.call(services.getService, { query: { serviceId: 1, phoneNumber } })).body,
    ).toEqual(plain.body);
  expect(
    (
      await app.call(services.getService, {
        query: { serviceId: 1, phoneNumber: 'x'.repeat(21) },
      })
    ).status,
  ).toBe(400);
});

test('getAllServicesByAccountType lists every service of one account type, or of all, once', async () => {
  const lists = await Promise.all(
    [1, 2, 3].map(
      async (AccountTypeId) =>
        (
          await app.call(services.getAllServicesByAccountType, {
            query: { AccountTypeId },
            language: 'ar-EG',
          })
        ).body,
    ),
  );
  expect(lists.map((list) => list.length)).toEqual([86, 98, 37]);
  expect(new Set(lists.flat().map(({ id }) => id)).size).toBe(221);
  expect(lists[1]?.[0]).toMatchObject({
    name: 'تجديد رخصة تجارية في دبي',
    serviceCategory: { name: 'التراخيص التجارية' },
  });
  const { body } = await app.call(services.getAllServicesByAccountType);
  expect(new Set(body.map(({ id }) => id))).toEqual(new Set(lists.flat().map(({ id }) => id)));
  expect(body).toHaveLength(221);
});

describe('getAllServicesForUpdatingPartner', () => {
  test('lists the partner of each service for admins', async () => {
    const { body } = await app.callAs('admin', services.getAllServicesForUpdatingPartner);
    const stored = await app.database.selectFrom('services').select(['id', 'partner_id']).execute();
    expect(new Map(body.map(({ id, partnerId }) => [id, partnerId]))).toEqual(
      new Map(stored.map((row) => [row.id, row.partner_id])),
    );
    expect(new Set(body.map(({ partnerId }) => partnerId)).size).toBe(3);
  });

  test.each(['employee', 'supervisor', 'company', 'individual'])(
    'is forbidden to %s',
    async (username) => {
      expect((await app.callAs(username, services.getAllServicesForUpdatingPartner)).status).toBe(
        403,
      );
    },
  );
});

describe('agencies', () => {
  test('are counted within a search, a category and an account type', async () => {
    const filters = [
      { SearchKeyword: 'licence' },
      { ServiceCategoryId: 1 },
      { AccountTypeId: 2 },
      { SearchKeyword: 'renew', ServiceCategoryId: 1, AccountTypeId: 2 },
    ];
    for (const query of filters) {
      const counted = (await app.call(agencies.getAllGovernmentAgenciesWithServices, { query }))
        .body;
      const listed = (await app.call(services.getServices, { query })).body.totalCount;
      expect(sum(counted)).toBe(listed);
      expect(listed).toBeGreaterThan(0);
      expect(counted.every(({ servicesCount }) => servicesCount > 0)).toBe(true);
      const [first] = counted;
      expect(
        (
          await app.call(services.getServices, {
            query: { ...query, GovernmentAgencyId: first!.id },
          })
        ).body.totalCount,
      ).toBe(first!.servicesCount);
    }
    expect(
      (
        await app.call(agencies.getAllGovernmentAgenciesWithServices, {
          query: { SearchKeyword: 'qqqq' },
        })
      ).body,
    ).toEqual([]);
  });

  test('governmentAgencyCollectionByServiceCategory filters by category', async () => {
    const all = (await app.call(categories.getAllServicesCategoriesWithServices)).body;
    const licensing = all.find(({ name }) => name === 'Business licensing')!;
    const { body } = await app.call(agencies.governmentAgencyCollectionByServiceCategory, {
      query: { ServiceCategoryId: licensing.id },
    });
    expect(sum(body)).toBe(licensing.servicesCount);
    expect(body.length).toBeLessThan(30);
    expect((await app.call(agencies.governmentAgencyCollectionByServiceCategory)).status).toBe(400);
  });
});

test('getAllServiceCategory includes a category without services', async () => {
  const before = (await app.call(categories.getAllServiceCategory, { language: 'en-US' })).body;
  expect([before.length, sum(before)]).toEqual([20, 221]);
  const name = JSON.stringify({ 'ar-EG': 'فارغة', 'en-US': 'Empty', 'ur-PK': 'خالی' });
  await app.database
    .insertInto('categories')
    .values({
      slug: 'empty',
      name,
      description: name,
      logo: '/logos/categories/empty.svg',
      ours_in: [],
    })
    .execute();
  await expect
    .poll(async () =>
      (await app.call(categories.getAllServiceCategory, { language: 'en-US' })).body.at(-1),
    )
    .toMatchObject({ name: 'Empty', description: 'Empty', servicesCount: 0 });
});

test('getAllAccountTypesByLogo returns the icons with their texts', async () => {
  const { body } = await app.call(accountTypes.getAllAccountTypesByLogo, { language: 'ar-EG' });
  expect(body.map(({ logo }) => logo)).toEqual(
    ['individuals', 'companies', 'investors'].map((slug) => `/logos/account-types/${slug}.svg`),
  );
  expect(body[0]).toEqual({
    accountTypeId: 1,
    accountTypeName: 'الأفراد',
    alt: 'أيقونة شخص واحد',
    slug: 'individuals',
    logo: '/logos/account-types/individuals.svg',
  });
});
