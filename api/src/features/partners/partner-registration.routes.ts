import type { Readable } from 'node:stream';
import * as contract from '@diwan/contract/partner-registration';
import type { LocalizedText } from '@diwan/contract/languages';
import type { House } from '../../platform/house.ts';
import { Refusal } from '../../platform/refusals.ts';
import { serve } from '../../platform/serve.ts';
import { headerFileName } from '../attachments/attachments.actions.ts';
import { changeState, type PartnersHouse } from './move-partner.actions.ts';
import { announceDocument, openDocument, receiveDocument } from './partner-documents.actions.ts';
import { getPartnerRecord } from './partner-record.actions.ts';
import { register, resubmit } from './register-partner.actions.ts';

// In all three languages or in none, as staff write to applicants.
function readMessage({ messageAr = '', messageEn = '', messageUr = '' }: { messageAr?: string | undefined; messageEn?: string | undefined; messageUr?: string | undefined }): LocalizedText | undefined {
  const given = [messageAr, messageEn, messageUr].filter(Boolean).length;
  if (given === 0) return undefined;
  if (given < 3) throw new Refusal('MessageIncomplete');
  return { 'ar-EG': messageAr, 'en-US': messageEn, 'ur-PK': messageUr };
}

/** The life of a service provider: registration, documents, verification, suspension. Source: specification §4. */
export function servePartnerRegistration(house: House, partners: PartnersHouse): void {
  serve(house, contract.createPartnerDocument, async ({ caller, body }) => {
    const documentId = await announceDocument(partners, caller, body);
    return { documentId, uploadUrl: contract.uploadPartnerDocument.path.replace('{documentId}', documentId) };
  });

  serve(house, contract.uploadPartnerDocument, async ({ caller, params, request, reply }) => {
    try {
      const row = await receiveDocument(partners, caller, params.documentId, request.body as Readable);
      return { documentId: row.id, fileName: row.file_name, mediaType: row.media_type, size: row.size };
    } catch (error) {
      // What is still on its way is not wanted any more: answer, then hang up.
      reply.header('connection', 'close');
      reply.raw.once('finish', () => request.raw.destroy());
      throw error;
    }
  });

  serve(house, contract.downloadPartnerDocument, async ({ caller, query, reply }) => {
    const { row, content } = await openDocument(partners, caller, query.filePath);
    return reply.type(row.media_type).header('content-length', row.size).header('content-disposition', `attachment; filename*=UTF-8''${headerFileName(row.file_name)}`)
      .header('cache-control', 'private, no-store').send(content);
  });

  serve(house, contract.registerPartner, async ({ caller, body, language }) => {
    if (!body.agreeToTermsAndConditions) throw new Refusal('TermsNotAccepted');
    const partnerId = await register(partners, caller, body, language);
    partners.mailWaits();
    return { partnerId };
  });

  serve(house, contract.resubmitPartner, async ({ caller, body, language }) => {
    const partnerId = await resubmit(partners, caller, body, language);
    return getPartnerRecord(partners, caller, partnerId, language);
  });

  serve(house, contract.getOwnPartnerRecord, ({ caller, language }) => getPartnerRecord(partners, caller, caller.partnerId, language));
  serve(house, contract.getPartnerById, ({ caller, query, language }) => getPartnerRecord(partners, caller, query.PartnerId, language));

  serve(house, contract.changePartnerState, async ({ caller, body, language }) => {
    await changeState(partners, { caller, partnerId: body.partnerId, action: body.action, version: body.version, reasons: body.reasons, message: readMessage(body), language });
    return getPartnerRecord(partners, caller, body.partnerId, language);
  });
}
