import type { Readable } from 'node:stream';
import * as contract from '@diwan/contract/people/partner-registration';
import * as supervisors from '@diwan/contract/people/partner-supervisors';
import type { LocalizedText } from '@diwan/contract/wire/languages';
import type { AppContext } from '../../platform/http/context.ts';
import { Refusal } from '../../platform/core/refusals.ts';
import { serve } from '../../platform/http/serve.ts';
import { sendFile } from '../attachments/attachments.actions.ts';
import { changeState, type PartnersContext } from './move-partner.actions.ts';
import { announceDocument, findDocument, partnerArrivalOf } from './partner-documents.actions.ts';
import type { DocumentRow } from './partner-documents.store.ts';
import { getPartnerRecord } from './partner-record.actions.ts';
import { addSupervisor, removeSupervisor } from './partner-supervisors.actions.ts';
import { register, resubmit } from './register-partner.actions.ts';

// In all three languages or in none, as staff write to applicants.
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
 * The life of a service provider: registration, documents, verification, suspension. Source:
 * specification §4.
 */
export function servePartnerRegistration(context: AppContext, partners: PartnersContext): void {
  const arrival = partnerArrivalOf(partners);
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
        await arrival.receive(caller, params.documentId, request.body as Readable),
      );
    } catch (error) {
      // What is still on its way is not wanted any more: answer, then hang up.
      reply.header('connection', 'close');
      reply.raw.once('finish', () => request.raw.destroy());
      throw error;
    }
  });

  serve(context, contract.completePartnerDocument, async ({ caller, params }) =>
    describeReceived(await arrival.complete(caller, params.documentId)),
  );
  serve(context, contract.renewPartnerUpload, ({ caller, params }) =>
    arrival.renew(caller, params.documentId),
  );

  serve(context, contract.downloadPartnerDocument, async ({ caller, query, request, reply }) => {
    const row = await findDocument(partners, caller, query.filePath);
    return sendFile(request, reply, row, (range) => partners.files.read(row.id, range));
  });

  serve(context, contract.registerPartner, async ({ caller, body, language }) => {
    if (!body.agreeToTermsAndConditions) throw new Refusal('TermsNotAccepted');
    const partnerId = await register(partners, caller, body, language);
    partners.mailWaits();
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

  serve(context, contract.changePartnerState, async ({ caller, body, language }) => {
    await changeState(partners, {
      caller,
      partnerId: body.partnerId,
      action: body.action,
      version: body.version,
      reasons: body.reasons,
      message: readMessage(body),
      language,
    });
    return getPartnerRecord(partners, caller, body.partnerId, language);
  });

  serve(context, supervisors.addSupervisor, async ({ caller, body, language }) => {
    await addSupervisor(context.database, body.partnerId, body.username);
    return getPartnerRecord(partners, caller, body.partnerId, language);
  });

  serve(context, supervisors.removeSupervisor, async ({ caller, body, language }) => {
    await removeSupervisor(context.database, body.partnerId, body.userId);
    return getPartnerRecord(partners, caller, body.partnerId, language);
  });
}
