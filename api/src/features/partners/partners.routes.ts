import { localize, localizePersonName } from '#platform/core/localize.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import type {
  OwnPartner,
  PartnerSummary,
  SupervisorSummary,
} from '@diwan/contract/people/partners';
import {
  getAllPartners,
  getAllServiceProviders,
  getOwnPartner,
} from '@diwan/contract/people/partners';
import type { EveryField } from '@diwan/contract/wire/call';
import type { Language, LocalizedText } from '@diwan/contract/wire/languages';
import type { Catalogue } from '../services/services.actions.ts';
import * as store from './partners.store.ts';

/**
 * A partner with its services, popular ones first, and their agencies, sorted by the number of
 * services.
 */
function describePartner(
  partner: { id: number; name: LocalizedText },
  catalogue: Catalogue,
  language: Language,
): OwnPartner {
  const services = catalogue.list().filter(({ partnerId }) => partnerId === partner.id);
  const describe = ({ agency }: (typeof services)[number]) => ({
    id: agency.id,
    name: localize(agency.name, language),
    logo: agency.logo,
  });
  const agencies = new Map(
    services.map((service) => [service.agency.id, { ...describe(service), servicesCount: 0 }]),
  );
  for (const { agency } of services) {
    const counted = agencies.get(agency.id);
    if (counted) counted.servicesCount += 1;
  }
  return {
    id: partner.id,
    name: localize(partner.name, language),
    agencies: [...agencies.values()].sort(
      (one, other) => other.servicesCount - one.servicesCount || one.id - other.id,
    ),
    services: services.map((service) => ({
      id: service.id,
      name: localize(service.name, language),
      replacedName: service.replacedName,
      governmentAgency: describe(service),
    })),
  };
}

/** The page that a list is asked for. */
const pageIn = <State>(query: {
  SearchKeyword?: string | undefined;
  State?: State;
  PageNumber: number;
  Take: number;
}) => ({
  keyword: query.SearchKeyword,
  state: query.State,
  pageNumber: query.PageNumber,
  take: query.Take,
});

/**
 * Routes of partners and supervisors for admins, and of the supervisor's own partner. Source:
 * specification §2 Dashboards.
 */
export function servePartners(context: AppContext, catalogue: Catalogue): void {
  const { database } = context;

  serve(context, getAllPartners, async ({ query, language }) => {
    const page = pageIn(query);
    const [rows, totalCount] = await Promise.all([
      store.selectPartners(database, page, language),
      store.countPartners(database, page),
    ]);
    const items = rows.map((row): EveryField<PartnerSummary> => ({
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
    const page = pageIn(query);
    const [rows, totalCount] = await Promise.all([
      store.selectSupervisors(database, page),
      store.countSupervisors(database, page),
    ]);
    const items = rows.map((row): EveryField<SupervisorSummary> => ({
      id: row.id,
      fullName: localizePersonName(row, language),
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
    // A supervisor without a partner.
    if (!partner) throw new Refusal('NotFound');
    return describePartner(partner, catalogue, language);
  });
}
