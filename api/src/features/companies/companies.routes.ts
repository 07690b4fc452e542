import { getAllCompanies, type CompanySummary } from '@diwan/contract/people/companies';
import type { EveryField } from '@diwan/contract/wire/call';
import type { AppContext } from '../../platform/http/context.ts';
import { localize } from '../../platform/core/localize.ts';
import { serve } from '../../platform/http/serve.ts';
import { countCompanies, selectCompanies } from './companies.store.ts';

/** Routes of companies for admins. Source: specification §2 Dashboards. */
export function serveCompanies(context: AppContext): void {
  serve(context, getAllCompanies, async ({ query, language }) => {
    const page = { keyword: query.SearchKeyword, pageNumber: query.PageNumber, take: query.Take };
    const [rows, totalCount] = await Promise.all([
      selectCompanies(context.database, page, language),
      countCompanies(context.database, page.keyword),
    ]);
    const items = rows.map((row): EveryField<CompanySummary> => ({
      id: row.id,
      name: localize(row.name, language),
      usersCount: row.users_count,
      requestsCount: row.requests_count,
    }));
    return { items, pageNumber: page.pageNumber, totalCount };
  });
}
