import * as calls from '@diwan/contract/requests/service-provider-attachments';
import type { AppContext } from '../../../platform/http/context.ts';
import { serve } from '../../../platform/http/serve.ts';
import { listDocuments, putDocuments } from './provider-documents.actions.ts';
import type { RequestsContext } from '../requests.actions.ts';

/**
 * Documents of staff and service provider on a request. Source: specification §7
 * ServiceProviderRequestAttachment.
 */
export function serveProviderDocuments(context: AppContext, requests: RequestsContext): void {
  serve(
    context,
    calls.createServiceProviderRequestAttachment,
    async ({ caller, body, language }) => {
      await putDocuments(
        requests,
        caller,
        body.RequestId,
        body.ServiceProviderRequestAttachments,
        'add',
      );
      return listDocuments(requests, caller, body.RequestId, language);
    },
  );

  serve(context, calls.saveServiceProviderRequestAttachment, async ({ caller, body, language }) => {
    await putDocuments(
      requests,
      caller,
      body.RequestId,
      body.ServiceProviderRequestAttachments,
      'replace',
    );
    return listDocuments(requests, caller, body.RequestId, language);
  });

  serve(
    context,
    calls.getAllServiceProviderRequestAttachmentsByRequestId,
    ({ caller, query, language }) => listDocuments(requests, caller, query.RequestId, language),
  );
}
