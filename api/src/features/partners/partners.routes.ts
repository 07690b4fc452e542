import {
  getAllPartners,
  getAllServiceProviders,
  getOwnPartner,
} from '@diwan/contract/people/partners';
import type { AppContext } from '../../platform/http/context.ts';
import { localize } from '../../platform/core/localize.ts';
import { Refusal } from '../../platform/core/refusals.ts';
import { serve } from '../../platform/http/serve.ts';
import type { Catalogue } from '../services/services.actions.ts';
import { describePartner } from './partners.actions.ts';
import * as store from './partners.store.ts';

/**
 * Partners and their supervisors: as an admin looks at them, and the own one. Source: specification
 * §2 Dashboards.
 */
export function servePartners(context: AppContext, catalogue: Catalogue): void {
  const { database } = context;

  serve(context, getAllPartners, async ({ query, language }) => {
    const page = {
      keyword: query.SearchKeyword,
      state: query.State,
      pageNumber: query.PageNumber,
      take: query.Take,
    };
    const [rows, totalCount] = await Promise.all([
      store.selectPartners(database, page, language),
      store.countPartners(database, page),
    ]);
    const items = rows.map((row) => ({
      id: row.id,
      name: localize(row.name, language),
      servicesCount: row.services_count,
      supervisorsCount: row.supervisors_count,
      requestsCount: row.requests_count,
      state: row.state,
    }));
    return { items, pageNumber: page.pageNumber, totalCount };
  });

  serve(context, getAllServiceProviders, async ({ query, language }) => {
    const page = {
      keyword: query.SearchKeyword,
      state: query.State,
      pageNumber: query.PageNumber,
      take: query.Take,
    };
    const [rows, totalCount] = await Promise.all([
      store.selectSupervisors(database, page),
      store.countSupervisors(database, page),
    ]);
    const items = rows.map((row) => ({
      id: row.id,
      fullName: row.full_name,
      username: row.username,
      email: row.email,
      phoneNumber: row.phone_number,
      lastSignInAt: row.last_sign_in_at?.toISOString(),
      isSuspended: row.is_suspended,
      partner:
        row.partner_id !== null && row.partner_name && row.partner_state
          ? {
              id: row.partner_id,
              name: localize(row.partner_name, language),
              state: row.partner_state,
            }
          : undefined,
    }));
    return { items, pageNumber: page.pageNumber, totalCount };
  });

  serve(context, getOwnPartner, async ({ caller, language }) => {
    const partner =
      caller.partnerId === null ? undefined : await store.findPartner(database, caller.partnerId);
    // A supervisor whom nobody has given a partner yet.
    if (!partner) throw new Refusal('NotFound');
    return describePartner(partner, catalogue, language);
  });
}
