import { administeredAgencies } from '#platform/auth/agencies/agency-administration.ts';
import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import * as calls from '@diwan/contract/catalogue/service-designs';
import * as publishing from './publish-service.actions.ts';
import * as actions from './service-designs.actions.ts';

/** The largest body of a save: a document has letters of several bytes. */
const maximumBodyBytes = 3_000_000;

/** The service designer: drafts, versions, publications. */
export function serveServiceDesigns(context: AppContext, designs: actions.DesignsContext): void {
  serve(context, calls.getServiceDesigns, ({ language, caller }) =>
    actions.listServiceDesigns(designs, administeredAgencies(caller), language),
  );
  serve(context, calls.getRetiredServices, ({ query, language, caller }) =>
    publishing.listRetiredServices(
      designs,
      administeredAgencies(caller),
      { keyword: query.SearchKeyword, pageNumber: query.PageNumber, take: query.Take },
      language,
    ),
  );
  serve(context, calls.getServiceDesign, ({ language, caller, query }) =>
    actions.getServiceDesign(designs, { ...caller, language }, query.serviceId),
  );
  serve(context, calls.createServiceDraft, ({ caller, body, request }) =>
    actions.createServiceDraft(designs, caller, body, request.ip),
  );
  serve(
    context,
    calls.saveServiceDraft,
    ({ language, caller, body }) =>
      actions.saveServiceDraft(designs, { ...caller, language }, body),
    { bodyLimit: maximumBodyBytes },
  );
  serve(context, calls.discardServiceDraft, async ({ caller, body, request }) => {
    await actions.discardServiceDraft(designs, caller, body, request.ip);
    return { serviceId: body.serviceId };
  });
  serve(context, calls.updateServiceDraft, ({ language, caller, body }) =>
    actions.updateServiceDraft(designs, { ...caller, language }, body),
  );
  serve(context, calls.publishService, ({ language, caller, body: { at, ...draft }, request }) =>
    publishing.publishService(
      designs,
      { ...caller, language },
      { ...draft, at: at === undefined ? undefined : new Date(at) },
      request.ip,
    ),
  );
  serve(context, calls.cancelPublication, ({ language, caller, body }) =>
    publishing.cancelPublication(designs, { ...caller, language }, body),
  );
  serve(context, calls.getWaitingPublications, ({ language, caller }) =>
    actions.listWaitingPublications(designs, { ...caller, language }),
  );
  serve(context, calls.decidePublication, ({ language, caller, body, request }) =>
    publishing.decidePublication(
      designs,
      { caller: { ...caller, language }, address: request.ip },
      body,
    ),
  );
  serve(context, calls.getServiceVersions, ({ query, language }) =>
    actions.listServiceVersions(designs, query.serviceId, language),
  );
  serve(context, calls.compareServiceVersions, ({ query }) =>
    actions.compareServiceVersions(designs, query),
  );
  serve(context, calls.restoreServiceVersion, ({ language, caller, body, request }) =>
    publishing.restoreServiceVersion(designs, { ...caller, language }, body, request.ip),
  );
  serve(context, calls.restoreService, ({ language, caller, body, request }) =>
    publishing.restoreService(designs, { ...caller, language }, body.serviceId, request.ip),
  );
}
