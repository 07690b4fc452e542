import { administeredAgencies } from '#platform/auth/agencies/agency-administration.ts';
import { coversAgency } from '#platform/auth/caller.ts';
import { localize } from '#platform/core/localize.ts';
import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import * as contract from '@diwan/contract/catalogue/closures';
import { close, closeMany, open, openMany, readClosableServices } from './closures.actions.ts';
import { selectClosures } from './closures.store.ts';
import type { Catalogue } from './services.actions.ts';

/** Services that take no new requests for a time. */
export function serveClosures(context: AppContext, catalogue: Catalogue): void {
  const { database } = context;
  serve(context, contract.getServiceClosures, async ({ language, caller }) => {
    const scope = administeredAgencies(caller);
    return (await selectClosures(database, new Date())).flatMap((row) => {
      const service = catalogue.findService(row.service_id);
      return service && coversAgency({ scope }, service.agency.id)
        ? [
            {
              serviceId: row.service_id,
              serviceName: localize(service.name, language),
              agencyName: localize(service.agency.name, language),
              reason: row.reason,
              from: row.closed_from.toISOString(),
              until: row.closed_until?.toISOString(),
              version: row.version,
            },
          ]
        : [];
    });
  });

  serve(context, contract.closeService, async ({ caller, request, body }) => ({
    version: await close(
      { database, catalogue },
      { caller, address: request.ip },
      body,
      new Date(),
    ),
  }));

  serve(context, contract.getClosableServices, async ({ query, language, caller }) => {
    const { open: opened, closed } = await readClosableServices(
      { database, catalogue },
      { ...query, scope: administeredAgencies(caller) },
      new Date(),
    );
    const named = (services: typeof opened) =>
      services.map(({ id, name }) => ({ serviceId: id, serviceName: localize(name, language) }));
    return { open: named(opened), closed: named(closed) };
  });

  serve(context, contract.closeServices, async ({ caller, request, body }) => ({
    closed: await closeMany(
      { database, catalogue },
      { caller, address: request.ip },
      body,
      new Date(),
    ),
  }));

  serve(context, contract.openServices, async ({ caller, request, body }) => ({
    opened: await openMany(
      { database, catalogue },
      { caller, address: request.ip },
      body.serviceIds,
      new Date(),
    ),
  }));

  serve(context, contract.openService, async ({ caller, request, body }) => {
    await open({ database, catalogue }, { caller, address: request.ip }, body, new Date());
    return { serviceId: body.serviceId };
  });
}
