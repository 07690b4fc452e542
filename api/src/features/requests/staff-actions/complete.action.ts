import { prepareCertificate } from '#features/certificates/certificates.actions.ts';
import { localize, localizePersonName } from '#platform/core/localize.ts';
import { normalizeText } from '#platform/core/normalize-text.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { Transaction } from '#platform/database/database.ts';
import type { Query } from '#platform/database/unit-of-work.ts';
import { resultName } from '@diwan/contract/requests/attachments';
import { defaultLanguage, type Language } from '@diwan/contract/wire/languages';
import { bindDocuments } from '../model/request-documents.store.ts';
import { lockStaffDocuments } from '../model/request-documents.ts';
import { type RequestRow } from '../model/requests.store.ts';
import { findPrintedNames } from '../model/step-facts.store.ts';
import { explainCharges } from './grant.action.ts';
import { chargesOf, completeMessage, messageOf, providerNumber } from './sent-inputs.ts';
import { defineStaffAction } from './staff-action.ts';

/**
 * Completes a request; `results` are the ids of its result documents. Throws ResultRequired without
 * one where the service issues a document or the workflow requires one.
 */
export const complete = defineStaffAction<'submitted'>()({
  read: (body) => ({
    message: messageOf(body),
    charges: chargesOf(body),
    results: body.requestAttachmentList,
    serviceProviderRequestNumber: body.serviceProviderRequestNumber,
  }),
  async prepare({ transaction, caller, row, facts, step, sent, now }) {
    const { id: requestId } = row;
    const needsResult =
      // guard: document that the workflow requires (workflow-drafts)
      step.requires?.includes('document') || (facts.issuesDocument && !facts.issuesCertificate);
    // guard: result of a completed request (request-actions)
    if (needsResult && !sent.results?.length) throw new Refusal('ResultRequired');
    const message = completeMessage(sent.message, step.requires?.includes('note'), facts);
    const results = await lockStaffDocuments(
      transaction,
      caller,
      { requestId, name: resultName },
      sent.results ?? [],
    );
    const certificate = facts.issuesCertificate
      ? await prepareOwnCertificate(transaction, row, now)
      : [];
    return {
      ...(await explainCharges(transaction, sent.charges, step, row.agency_id)),
      message,
      issuedDocuments: facts.issuedDocuments + results.length + certificate.length,
      writes: [(part) => bindDocuments(part, results, requestId, true), ...certificate],
      changes: providerNumber(sent.serviceProviderRequestNumber),
    };
  },
});

type PrintedNames = Awaited<ReturnType<typeof findPrintedNames>>['names'];

/**
 * Who a certificate says the applicant is: the company, else the name that UAE PASS has verified, else
 * the one that was typed. `namedFor` is a typed name beside another that is verified, `sentBy` the
 * person who sent the request for the company.
 */
function certified(
  { company, verified, sender }: Pick<PrintedNames, 'company' | 'verified' | 'sender'>,
  typed: string,
  language: Language,
): { applicant: string; namedFor?: string; sentBy?: string } {
  if (company)
    return {
      applicant: localize(company, language),
      sentBy: localizePersonName(sender, language),
    };
  const { ar, en } = verified;
  const names = (language === 'en-US' ? [en, ar] : [ar, en]).filter((name) => name !== null);
  const [applicant] = names;
  // guard: verified name on a certificate (certificates)
  if (applicant === undefined) return { applicant: typed };
  const isOwn = names.some((name) => normalizeText(name) === normalizeText(typed));
  return { applicant, ...(isOwn ? {} : { namedFor: typed }) };
}

async function prepareOwnCertificate(
  transaction: Transaction,
  row: RequestRow,
  issuedAt: Date,
): Promise<Query[]> {
  const { form, names } = await findPrintedNames(transaction, row.id);
  const language = row.language ?? defaultLanguage;
  const { applicant, namedFor, sentBy } = certified(names, row.applicant_name, language);
  const write = await prepareCertificate(transaction, {
    requestId: row.id,
    serviceId: row.service_id,
    language,
    facts: {
      applicant,
      requestNumber: row.number,
      service: localize(names.service, language),
      agency: localize(names.agency, language),
    },
    namedFor,
    sentBy,
    logo: names.logo,
    form,
    answers: row.answers,
    issuedAt,
  });
  return write ? [write] : [];
}
