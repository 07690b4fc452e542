import type { Readable } from 'node:stream';
import { Refusal } from '#platform/core/refusals.ts';
import { sendFile } from '#platform/files/send-file.ts';
import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import * as contract from '@diwan/contract/people/partner-registration';
import * as administration from '@diwan/contract/people/partners';
import type { LocalizedText } from '@diwan/contract/wire/languages';
import {
  announceDocument,
  findDocument,
  openPartnerDocumentUploads,
} from './partner-documents.actions.ts';
import type { DocumentRow } from './partner-documents.store.ts';
import { changeNames } from './partner-names.actions.ts';
import { getPartnerRecord } from './partner-record.actions.ts';
import { addSupervisor, removeSupervisor } from './partner-supervisors.actions.ts';
import { changeState, type PartnersContext } from './partner-transitions.actions.ts';
import { register, resubmit } from './register-partner.actions.ts';

// A message has all three languages or none, like messages to applicants.
function readMessage({
  messageAr = '',
  messageEn = '',
  messageUr = '',
}: {
  messageAr?: string | undefined;
  messageEn?: string | undefined;
  messageUr?: string | undefined;
}): LocalizedText | undefined {
  const given = [messageAr, messageEn, messageUr].filter(Boolean).length;
  if (given === 0) return undefined;
  if (given < 3) throw new Refusal('MessageIncomplete');
  return { 'ar-EG': messageAr, 'en-US': messageEn, 'ur-PK': messageUr };
}

function describeReceived(row: DocumentRow) {
  return {
    documentId: row.id,
    fileName: row.file_name,
    mediaType: row.media_type,
    size: row.size,
    scanState: row.scan_state,
  };
}

/**
 * Routes of the registration, documents, verification and suspension of service providers. Source:
 * specification §4.
 */
export function servePartnerRegistration(context: AppContext, partners: PartnersContext): void {
  const uploads = openPartnerDocumentUploads(partners);
  serve(context, contract.createPartnerDocument, async ({ caller, body }) => {
    const { id, upload } = await announceDocument(partners, caller, body);
    return {
      documentId: id,
      uploadUrl: contract.uploadPartnerDocument.path.replace('{documentId}', id),
      upload,
    };
  });

  serve(context, contract.uploadPartnerDocument, async ({ caller, params, request, reply }) => {
    try {
      return describeReceived(
        await uploads.receive(caller, params.documentId, request.body as Readable),
      );
    } catch (error) {
      // The rest of the upload is not needed: send the reply, then close the connection.
      reply.header('connection', 'close');
      reply.raw.once('finish', () => request.raw.destroy());
      throw error;
    }
  });

  serve(
    context,
    contract.completePartnerDocument,
    async ({ caller, params }) =>
      describeReceived(await uploads.complete(caller, params.documentId)),
    { waitsElsewhere: true },
  );
  serve(context, contract.renewPartnerUpload, ({ caller, params }) =>
    uploads.renewUploadAddress(caller, params.documentId),
  );

  serve(context, contract.downloadPartnerDocument, async ({ caller, query, request, reply }) => {
    const row = await findDocument(partners, caller, query.filePath);
    return sendFile(request, reply, row, (range) => partners.files.read(row.id, range));
  });

  serve(context, contract.registerPartner, async ({ caller, body, language }) => {
    if (!body.agreeToTermsAndConditions) throw new Refusal('TermsNotAccepted');
    const partnerId = await register(partners, caller, body, language);
    partners.wakeOutbox();
    return { partnerId };
  });

  serve(context, contract.resubmitPartner, async ({ caller, body, language }) => {
    const partnerId = await resubmit(partners, caller, body, language);
    return getPartnerRecord(partners, caller, partnerId, language);
  });

  serve(context, contract.getOwnPartnerRecord, ({ caller, language }) =>
    getPartnerRecord(partners, caller, caller.partnerId, language),
  );
  serve(context, contract.getPartnerById, ({ caller, query, language }) =>
    getPartnerRecord(partners, caller, query.PartnerId, language),
  );

  serve(context, contract.changePartnerState, async ({ caller, body, language, request }) => {
    await changeState(partners, {
      caller,
      address: request.ip,
      partnerId: body.partnerId,
      action: body.action,
      version: body.version,
      reasons: body.reasons,
      message: readMessage(body),
      language,
    });
    return getPartnerRecord(partners, caller, body.partnerId, language);
  });

  serve(context, administration.updatePartner, async ({ caller, body, language, request }) => {
    await changeNames(context.database, { caller, address: request.ip }, body);
    return getPartnerRecord(partners, caller, body.partnerId, language);
  });

  serve(context, administration.addSupervisor, async ({ caller, body, language, request }) => {
    const admin = { caller, address: request.ip };
    await addSupervisor(context.database, admin, body.partnerId, body.username);
    return getPartnerRecord(partners, caller, body.partnerId, language);
  });

  serve(context, administration.removeSupervisor, async ({ caller, body, language, request }) => {
    const admin = { caller, address: request.ip };
    await removeSupervisor(context.database, admin, body.partnerId, body.userId);
    return getPartnerRecord(partners, caller, body.partnerId, language);
  });
}
