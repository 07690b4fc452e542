import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import * as contract from '@diwan/contract/catalogue/partner-services';
import { previewServices, saveServices, type HandoverContext } from './handover.actions.ts';

/** Routes of admins who give services, with or without their open requests, to a partner. */
export function serveHandover(context: AppContext, handover: HandoverContext): void {
  serve(context, contract.previewPartnerServices, ({ body, language }) =>
    previewServices(handover, body, language),
  );
  serve(context, contract.savePartnerServices, ({ caller, body, request }) =>
    saveServices(handover, { caller, address: request.ip }, body),
  );
}
