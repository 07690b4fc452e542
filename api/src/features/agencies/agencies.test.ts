import { describe, expect, test } from 'vitest';
import { useTestApp } from '#testing/test-app.ts';
import * as contract from '@diwan/contract/catalogue/agencies';
import { getServices } from '@diwan/contract/catalogue/services';

const app = useTestApp();

const sum = (counts: { servicesCount: number }[]) =>
  counts.reduce((total, { servicesCount }) => total + servicesCount, 0);

describe('governmentAgencyCollection', () => {
  test('lists all agencies in the caller’s language, without other fields', async () => {
    const { body } = await app.call(contract.governmentAgencyCollection, { language: 'ar-EG' });
    expect(body.length).toBe(30);
    expect(body).toContainEqual({
      id: expect.any(Number),
      name: 'شرطة دبي',
      logo: '/logos/agencies/dubai-police.svg',
    });
  });
});

describe('getAllGovernmentAgenciesWithServices', () => {
  test('counts the services of the listing', async () => {
    const { body } = await app.call(contract.getAllGovernmentAgenciesWithServices);
    expect(sum(body)).toBe(221);
    for (const { id, servicesCount } of body.slice(0, 5))
      expect(
        (await app.call(getServices, { query: { GovernmentAgencyId: id } })).body.totalCount,
      ).toBe(servicesCount);
  });
});

describe('getAllGovernmentAgenciesByAccountType', () => {
  test('filters by account type and omits agencies without services for it', async () => {
    const lists = await Promise.all(
      [1, 2, 3].map(
        async (AccountTypeId) =>
          (
            await app.call(contract.getAllGovernmentAgenciesByAccountType, {
              query: { AccountTypeId },
            })
          ).body,
      ),
    );
    expect(sum(lists.flat())).toBe(221);
    for (const list of lists)
      expect(list.every(({ servicesCount }) => servicesCount > 0)).toBe(true);
    expect(lists.some((list) => list.length < 30)).toBe(true);
  });

  test('returns nothing for an unknown account type and refuses a missing one', async () => {
    expect(
      (
        await app.call(contract.getAllGovernmentAgenciesByAccountType, {
          query: { AccountTypeId: 9 },
        })
      ).body,
    ).toEqual([]);
    const { status, refused } = await app.call(contract.getAllGovernmentAgenciesByAccountType);
    expect([status, Object.keys(refused.errors ?? {})]).toEqual([400, ['AccountTypeId']]);
  });
});
