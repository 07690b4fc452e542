import { localize } from '#platform/core/localize.ts';
import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import * as contract from '@diwan/contract/catalogue/categories';
import type { Language } from '@diwan/contract/wire/languages';
import { listGroups, orderGroups, saveGroup } from '../services/groups/groups.actions.ts';
import type { Catalogue } from '../services/services.actions.ts';

function describeCategories(
  categories: ReturnType<Catalogue['categories']>,
  language: Language,
): contract.ServiceCategoryWithCount[] {
  return categories.map(({ item, servicesCount }) => ({
    id: item.id,
    name: localize(item.name, language),
    description: localize(item.description, language),
    logo: item.logo,
    servicesCount,
  }));
}

const withServices = (categories: ReturnType<Catalogue['categories']>) =>
  categories.filter(({ servicesCount }) => servicesCount > 0);

/** The service categories of the catalogue. */
export function serveCategories(context: AppContext, catalogue: Catalogue): void {
  serve(
    context,
    contract.getAllServiceCategory,
    ({ language }) => describeCategories(catalogue.categories(), language),
    { version: catalogue.version },
  );

  serve(
    context,
    contract.getAllServicesCategoriesWithServices,
    ({ language }) => describeCategories(withServices(catalogue.categories()), language),
    { version: catalogue.version },
  );

  serve(
    context,
    contract.getAllServiceCategoryByAccountType,
    ({ query, language }) =>
      describeCategories(withServices(catalogue.categories(query.AccountTypeId)), language),
    { version: catalogue.version },
  );

  const { database } = context;
  serve(context, contract.getCategoryRecords, () => listGroups(database, 'categories'));

  serve(context, contract.saveCategory, async ({ caller, body, request }) => {
    const author = { caller, address: request.ip };
    await saveGroup(database, catalogue, 'categories', { author, change: body });
    return listGroups(database, 'categories');
  });

  serve(context, contract.orderCategories, async ({ caller, body, request }) => {
    const author = { caller, address: request.ip };
    await orderGroups(database, catalogue, 'categories', { author, ids: body.ids });
    return listGroups(database, 'categories');
  });
}
