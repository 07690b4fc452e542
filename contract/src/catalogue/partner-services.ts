import { z } from 'zod';
import { administrators, defineCall } from '../wire/call.ts';
import { recordId } from '../wire/ids.ts';

const id = recordId;

/** The services that one call assigns or takes back. */
export const maximumHandedServices = 20_000;
/** The services that a preview lists; its sums count all. */
export const maximumPreviewedServices = 200;

/**
 * What happens to the open requests of the services: they stay with the provider that they have, or
 * follow the service. A service that is taken back has no provider: only requests that no provider
 * has seen follow it.
 */
export const openRequestChoices = ['stay', 'move'] as const;
export type OpenRequestChoice = (typeof openRequestChoices)[number];

/**
 * What a change of services would do. `from` is the provider of a service now, named in the caller's
 * language. `movableCount` counts those of `openRequestsCount` that can follow the service.
 */
export const partnerServicesPreview = z.object({
  services: z
    .array(
      z.object({
        serviceId: z.int(),
        name: z.string(),
        from: z.object({ id: z.int(), name: z.string() }).optional(),
        openRequestsCount: z.int(),
        movableCount: z.int(),
      }),
    )
    .max(maximumPreviewedServices),
  servicesCount: z.int(),
  openRequestsCount: z.int(),
  movableCount: z.int(),
});
export type PartnerServicesPreview = z.infer<typeof partnerServicesPreview>;

/** Our own calls: the specification has `GetAllServicesForUpdatingPartner`, not what saves. */
export const previewPartnerServices = defineCall({
  name: 'previewPartnerServices',
  method: 'POST',
  repeats: 'harmless',
  path: '/api/Partner/PreviewPartnerServices',
  who: administrators,
  summary: 'What assigning services to a service provider, or taking them back, would do',
  body: z.object({
    partnerId: id,
    isAssigned: z.boolean(),
    serviceIds: z.array(id).min(1).max(maximumHandedServices),
  }),
  reply: partnerServicesPreview,
  refusals: ['NotFound', 'ServiceNotFound'],
});

/**
 * `partnerId` of a service is its provider as the caller saw it; where another admin has changed it
 * since, nothing is changed. Services that are as wished are left as they are.
 */
export const savePartnerServices = defineCall({
  name: 'savePartnerServices',
  method: 'POST',
  repeats: 'unstored',
  path: '/api/Partner/SavePartnerServices',
  who: administrators,
  summary: 'Assign services to an active service provider, or take them back',
  body: z.object({
    partnerId: id,
    isAssigned: z.boolean(),
    services: z
      .array(z.object({ serviceId: id, partnerId: id.nullable() }))
      .min(1)
      .max(maximumHandedServices),
    openRequests: z.enum(openRequestChoices),
  }),
  reply: z.object({ servicesCount: z.int(), movedRequestsCount: z.int() }),
  refusals: ['NotFound', 'ServiceNotFound', 'RecordHasChanged', 'ProviderActionNotAllowed'],
});
