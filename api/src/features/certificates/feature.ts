import type { AppContext, Feature } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import * as calls from '@diwan/contract/content/certificates';
import * as issuedCalls from '@diwan/contract/content/issued-certificates';
import * as actions from './certificates.actions.ts';
import * as issued from './issued-certificates.actions.ts';

/** Certificates of completed requests and their templates. Our own calls; decision 0078. */
export function registerCertificates(
  context: AppContext,
  certificates: actions.CertificatesContext,
): Feature {
  const limit = { perMinute: context.config.DOCUMENT_CALLS_PER_MINUTE, perPerson: true };
  serve(context, calls.getCertificateTemplates, ({ caller, language }) =>
    actions.listTemplates(certificates, caller, language),
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
    ({ caller, query }) => issued.getPath(certificates, caller, query.RequestId),
    limit,
  );
  serve(context, issuedCalls.getCertificates, ({ caller, query, language }) =>
    issued.listCertificates(certificates, caller, query, language),
  );
  serve(context, issuedCalls.revokeCertificate, ({ caller, body, language }) =>
    issued.changeCertificate(certificates, { caller, language }, { action: 'revoked', ...body }),
  );
  serve(context, issuedCalls.restoreCertificate, ({ caller, body, language }) =>
    issued.changeCertificate(certificates, { caller, language }, { action: 'restored', ...body }),
  );
  serve(
    context,
    issuedCalls.checkCertificate,
    ({ query }) => issued.checkCode(certificates, query.Code),
    {
      perMinute: context.config.INQUIRIES_PER_MINUTE,
      failures: { isFailure: ({ isGenuine }) => !isGenuine },
    },
  );
  return {};
}
