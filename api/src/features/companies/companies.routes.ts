import type { FastifyRequest } from 'fastify';
import type { Caller } from '#platform/auth/caller.ts';
import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import * as contract from '@diwan/contract/people/companies';
import * as actions from './companies.actions.ts';

/** Routes of companies for admins. Source: specification §2 Dashboards. */
export function serveCompanies(context: AppContext): void {
  const { database } = context;
  const adminOf = ({ caller, request }: { caller: Caller; request: FastifyRequest }) => ({
    caller,
    address: request.ip,
  });

  serve(context, contract.getAllCompanies, ({ query, language }) =>
    actions.listCompanies(
      database,
      {
        keyword: query.SearchKeyword,
        state: query.State,
        order: query.Order,
        pageNumber: query.PageNumber,
        take: query.Take,
      },
      language,
    ),
  );

  serve(context, contract.getCompanyById, ({ query, language }) =>
    actions.getCompanyRecord(database, query.CompanyId, language),
  );

  serve(context, contract.updateCompany, async ({ body, language, ...incoming }) => {
    await actions.changeCompany(database, adminOf(incoming), body);
    return actions.getCompanyRecord(database, body.companyId, language);
  });

  serve(context, contract.suspendCompany, async ({ body, language, ...incoming }) => {
    await actions.suspendCompany(database, adminOf(incoming), body);
    return actions.getCompanyRecord(database, body.companyId, language);
  });

  serve(context, contract.restoreCompany, async ({ body, language, ...incoming }) => {
    await actions.restoreCompany(database, adminOf(incoming), body);
    return actions.getCompanyRecord(database, body.companyId, language);
  });
}
