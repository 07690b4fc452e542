import type { AppContext, Feature } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import * as calls from '@diwan/contract/content/certificates';
import * as actions from './certificates.actions.ts';

/** Certificates of completed requests and their templates. Our own calls; decision 0078. */
export function registerCertificates(
  context: AppContext,
  certificates: actions.CertificatesContext,
): Feature {
  const limit = { perMinute: context.config.DOCUMENT_CALLS_PER_MINUTE, perPerson: true };
  serve(context, calls.getCertificateTemplates, ({ language }) =>
    actions.listTemplates(certificates, language),
  );
  serve(context, calls.getCertificateTemplate, ({ query, language }) =>
    actions.getTemplate(certificates, query.ServiceId, language),
  );
  serve(context, calls.saveCertificateTemplate, ({ caller, request, body, language }) =>
    actions.saveTemplate(certificates, { caller, address: request.ip }, body, language),
  );
  serve(
    context,
    calls.previewCertificate,
    async ({ body }) => ({
      content: (await actions.previewTemplate(certificates, body)).toString('base64'),
    }),
    limit,
  );
  serve(
    context,
    calls.getCertificatePath,
    ({ caller, query }) => actions.getPath(certificates, caller, query.RequestId),
    limit,
  );
  return {};
}
