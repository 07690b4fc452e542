import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import * as calls from '@diwan/contract/requests/provider-documents';
import type { RequestsContext } from '../model/requests-context.ts';
import { listProviderDocuments, saveProviderDocuments } from './provider-documents.actions.ts';

/**
 * Documents of staff and service providers on a request. Source: specification §7
 * ServiceProviderRequestAttachment.
 */
export function serveProviderDocuments(context: AppContext, requests: RequestsContext): void {
  serve(
    context,
    calls.createServiceProviderRequestAttachment,
    async ({ caller, body, language }) => {
      const { RequestId: requestId, ServiceProviderRequestAttachments: documents } = body;
      await saveProviderDocuments(requests, caller, { requestId, documents }, 'add');
      return listProviderDocuments(requests, caller, requestId, language);
    },
  );

  serve(context, calls.saveServiceProviderRequestAttachment, async ({ caller, body, language }) => {
    const { RequestId: requestId, ServiceProviderRequestAttachments: documents } = body;
    await saveProviderDocuments(requests, caller, { requestId, documents }, 'replace');
    return listProviderDocuments(requests, caller, requestId, language);
  });

  serve(
    context,
    calls.getAllServiceProviderRequestAttachmentsByRequestId,
    ({ caller, query, language }) =>
      listProviderDocuments(requests, caller, query.RequestId, language),
  );
}
