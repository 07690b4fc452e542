import { describe, expect, test } from 'vitest';
import { useTestApp } from '#testing/test-app.ts';
import * as contract from '@diwan/contract/catalogue/categories';

const app = useTestApp();

const sum = (counts: { servicesCount: number }[]) =>
  counts.reduce((total, { servicesCount }) => total + servicesCount, 0);

describe('getAllServicesCategoriesWithServices', () => {
  test('lists the categories in the caller’s language with the number of services', async () => {
    const { body } = await app.call(contract.getAllServicesCategoriesWithServices, {
      language: 'ur-PK',
    });
    expect([body.length, sum(body)]).toEqual([20, 221]);
    expect(body).toContainEqual({
      id: expect.any(Number),
      name: 'کاروباری لائسنس',
      description: expect.stringMatching(/لائسنس/),
      logo: '/logos/categories/business-licensing.svg',
      servicesCount: 47,
    });
  });

  test('omits a category without services', async () => {
    const text = JSON.stringify({ 'ar-EG': 'فارغة', 'en-US': 'Empty', 'ur-PK': 'خالی' });
    await app.database
      .insertInto('categories')
      .values({
        slug: 'empty',
        name: text,
        description: text,
        logo: '/logos/categories/empty.svg',
        ours_in: [],
      })
      .execute();
    expect(
      (await app.call(contract.getAllServicesCategoriesWithServices)).body.map(({ name }) => name),
    ).not.toContain('Empty');
  });
});

describe('getAllServiceCategoryByAccountType', () => {
  test('filters by account type', async () => {
    const lists = await Promise.all(
      [1, 2, 3].map(
        async (AccountTypeId) =>
          (
            await app.call(contract.getAllServiceCategoryByAccountType, {
              query: { AccountTypeId },
            })
          ).body,
      ),
    );
    expect(lists.map(sum)).toEqual([86, 98, 37]);
  });

  test('returns nothing for an unknown account type and refuses a missing one', async () => {
    expect(
      (
        await app.call(contract.getAllServiceCategoryByAccountType, {
          query: { AccountTypeId: 9 },
        })
      ).body,
    ).toEqual([]);
    expect((await app.call(contract.getAllServiceCategoryByAccountType)).status).toBe(400);
  });
});
