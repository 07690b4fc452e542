import { localize } from '#platform/core/localize.ts';
import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import {
  getAllAccountTypes,
  getAccountTypeRecords,
  getAllAccountTypesByLogo,
  saveAccountType,
} from '@diwan/contract/catalogue/account-types';
import type { Catalogue } from '../services/services.actions.ts';
import { listAccountTypes, saveAccountTypeTexts } from './account-types.actions.ts';

/** The account types of the catalogue. */
export function serveAccountTypes(context: AppContext, catalogue: Catalogue): void {
  serve(
    context,
    getAllAccountTypes,
    ({ language }) =>
      catalogue.accountTypes().map(({ item, servicesCount }) => ({
        accountTypeId: item.id,
        accountTypeName: localize(item.name, language),
        alt: localize(item.alt, language),
        description: localize(item.description, language),
        slug: item.slug,
        logo: item.logo,
        servicesCount,
      })),
    { version: catalogue.version },
  );

  serve(
    context,
    getAllAccountTypesByLogo,
    ({ language }) =>
      catalogue.accountTypes().map(({ item }) => ({
        accountTypeId: item.id,
        accountTypeName: localize(item.name, language),
        alt: localize(item.alt, language),
        slug: item.slug,
        logo: item.logo,
      })),
    { version: catalogue.version },
  );

  const { database } = context;
  serve(context, getAccountTypeRecords, () => listAccountTypes(database));

  serve(context, saveAccountType, async ({ caller, body, request }) => {
    await saveAccountTypeTexts(database, catalogue, { caller, address: request.ip }, body);
    return listAccountTypes(database);
  });
}
