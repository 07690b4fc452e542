import type { AppContext, Feature } from '#platform/http/context.ts';
import { serveCompanies } from './companies.routes.ts';
import { serveCompanyUsers } from './company-users.routes.ts';

/** Companies and their users. */
export function registerCompanies(context: AppContext): Feature {
  serveCompanies(context);
  serveCompanyUsers(context, context.integrations.mail);
  return {};
}
