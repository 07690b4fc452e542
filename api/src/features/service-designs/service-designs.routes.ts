import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import * as calls from '@diwan/contract/catalogue/service-designs';
import * as publishing from './publish-service.actions.ts';
import * as actions from './service-designs.actions.ts';

/** The largest body of a save: a document has letters of several bytes. */
const maximumBodyBytes = 3_000_000;

/** The service designer: drafts, versions, publications. */
export function serveServiceDesigns(context: AppContext, designs: actions.DesignsContext): void {
  serve(context, calls.getServiceDesigns, () => actions.listServiceDesigns(designs));
  serve(context, calls.getRetiredServices, ({ query, language }) =>
    publishing.listRetiredServices(
      designs,
      { keyword: query.SearchKeyword, pageNumber: query.PageNumber, take: query.Take },
      language,
    ),
  );
  serve(context, calls.getServiceDesign, ({ caller, query }) =>
    actions.getServiceDesign(designs, caller, query.serviceId),
  );
  serve(context, calls.createServiceDraft, ({ caller, body, request }) =>
    actions.createServiceDraft(designs, caller, body, request.ip),
  );
  serve(
    context,
    calls.saveServiceDraft,
    ({ caller, body }) => actions.saveServiceDraft(designs, caller, body),
    { bodyLimit: maximumBodyBytes },
  );
  serve(context, calls.discardServiceDraft, async ({ caller, body, request }) => {
    await actions.discardServiceDraft(designs, caller, body, request.ip);
    return { serviceId: body.serviceId };
  });
  serve(context, calls.updateServiceDraft, ({ caller, body }) =>
    actions.updateServiceDraft(designs, caller, body),
  );
  serve(context, calls.publishService, ({ caller, body: { at, ...draft }, request }) =>
    publishing.publishService(
      designs,
      caller,
      { ...draft, at: at === undefined ? undefined : new Date(at) },
      request.ip,
    ),
  );
  serve(context, calls.cancelPublication, ({ caller, body }) =>
    publishing.cancelPublication(designs, caller, body),
  );
  serve(context, calls.getWaitingPublications, ({ caller }) =>
    actions.listWaitingPublications(designs, caller),
  );
  serve(context, calls.decidePublication, ({ caller, body, request }) =>
    publishing.decidePublication(designs, { caller, address: request.ip }, body),
  );
  serve(context, calls.getServiceVersions, ({ query }) =>
    actions.listServiceVersions(designs, query.serviceId),
  );
  serve(context, calls.compareServiceVersions, ({ query }) =>
    actions.compareServiceVersions(designs, query),
  );
  serve(context, calls.restoreServiceVersion, ({ caller, body, request }) =>
    publishing.restoreServiceVersion(designs, caller, body, request.ip),
  );
  serve(context, calls.restoreService, ({ caller, body, request }) =>
    publishing.restoreService(designs, caller, body.serviceId, request.ip),
  );
}
