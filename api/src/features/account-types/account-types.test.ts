import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accountTypeIds, getAllAccountTypes } from '@diwan/contract/catalogue/account-types';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

describe('getAllAccountTypes', () => {
  test('names the three, under the ids of specification §3, with their services', async () => {
    const { body } = await app.call(getAllAccountTypes);
    expect(
      Object.fromEntries(body.map(({ slug, accountTypeId }) => [slug, accountTypeId])),
    ).toEqual(accountTypeIds);
    expect(body.map(({ servicesCount }) => servicesCount)).toEqual([86, 98, 37]);
    expect(body[0]).toMatchObject({
      accountTypeName: 'Individuals',
      alt: 'Icon of one person',
      logo: '/logos/account-types/individuals.svg',
    });
  });

  test('speaks the caller’s language, Arabic when it is unknown', async () => {
    const { body } = await app.call(getAllAccountTypes, { language: 'fr-FR' as 'ar-EG' });
    expect(body.map(({ accountTypeName }) => accountTypeName)).toEqual([
      'الأفراد',
      'الشركات',
      'المستثمرون',
    ]);
  });
});
