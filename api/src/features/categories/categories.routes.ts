import * as contract from '@diwan/contract/catalogue/categories';
import type { Language } from '@diwan/contract/wire/languages';
import type { AppContext } from '../../platform/http/context.ts';
import { localize } from '../../platform/core/localize.ts';
import { serve } from '../../platform/http/serve.ts';
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
}
