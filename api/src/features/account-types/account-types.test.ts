import { describe, expect, test } from 'vitest';
import { useTestApp } from '#testing/test-app.ts';
import { accountTypeIds, getAllAccountTypes } from '@diwan/contract/catalogue/account-types';

const app = useTestApp();

describe('getAllAccountTypes', () => {
  test('lists the three account types with the ids of specification §3 and their services', async () => {
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

  test('uses the caller’s language, and Arabic if the language is unknown', async () => {
    const { body } = await app.call(getAllAccountTypes, { language: 'fr-FR' as 'ar-EG' });
    expect(body.map(({ accountTypeName }) => accountTypeName)).toEqual([
      'الأفراد',
      'الشركات',
      'المستثمرون',
    ]);
  });
});
