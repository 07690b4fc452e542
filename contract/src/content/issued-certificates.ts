import { z } from 'zod';
import { applicants, defineCall, requestReaders, staff } from '../wire/call.ts';
import { longId, recordIdInAddress } from '../wire/ids.ts';
import { languages } from '../wire/languages.ts';
import { pageNumber, pageOf, take } from '../wire/paging.ts';

/** A certificate that was revoked stays `revoked` after its last day. */
export const certificateStates = ['valid', 'expired', 'revoked'] as const;
export type CertificateState = (typeof certificateStates)[number];

/** Why staff revoke a certificate. `other` needs a note. */
export const revocationReasons = [
  'issuedInError',
  'wrongContent',
  'conditionsNotMet',
  'holderAsked',
  'replaced',
  'other',
] as const;
/** Why staff make a certificate valid again. `other` needs a note. */
export const restorationReasons = ['revokedInError', 'conditionsMetAgain', 'other'] as const;
export type RevocationReason = (typeof revocationReasons)[number];
export type RestorationReason = (typeof restorationReasons)[number];

/** The longest note, in characters. */
export const maximumRevocationNote = 500;

/** What happened to a certificate after its issue. `at` in UTC; `by` names the person, for staff. */
const certificateEvent = z.object({
  action: z.enum(['revoked', 'restored']),
  reason: z.enum([...revocationReasons, ...restorationReasons]),
  note: z.string(),
  at: z.string(),
  by: z.string().optional(),
});
export type CertificateEvent = z.infer<typeof certificateEvent>;

/** The certificate of a request; days are in Asia/Dubai, `validUntil` is the last day. */
export const requestCertificate = z.object({
  number: z.string(),
  state: z.enum(certificateStates),
  issuedOn: z.iso.date(),
  validUntil: z.iso.date().optional(),
  /** Oldest first. */
  events: z.array(certificateEvent),
});
export type RequestCertificate = z.infer<typeof requestCertificate>;

const listedCertificate = requestCertificate.omit({ events: true }).extend({
  requestId: z.int(),
  requestNumber: z.string(),
  /** In the caller's language. */
  service: z.string(),
  /** In the language of the certificate. */
  title: z.string(),
});
export type ListedCertificate = z.infer<typeof listedCertificate>;

const requestId = longId;
const note = z.string().trim().max(maximumRevocationNote).default('');

/** Our own: those of the requests that the caller may see. Decision 0121. */
export const getCertificates = defineCall({
  name: 'getCertificates',
  method: 'GET',
  path: '/api/Certificate/GetCertificates',
  who: [...applicants, ...requestReaders],
  summary: 'The certificates of requests that the caller may see, newest first',
  query: z.object({
    /** The number of a certificate or of its request. */
    Keyword: z.string().trim().max(100).optional(),
    ServiceId: recordIdInAddress.optional(),
    State: z.enum(certificateStates).optional(),
    PageNumber: pageNumber,
    Take: take,
  }),
  reply: pageOf(listedCertificate),
  refusals: [],
});

export const revokeCertificate = defineCall({
  name: 'revokeCertificate',
  method: 'POST',
  path: '/api/Certificate/RevokeCertificate',
  who: staff,
  summary: 'Revoke the certificate of a request; its applicant is notified of the reason',
  body: z.object({ requestId, reason: z.enum(revocationReasons), note }),
  reply: requestCertificate,
  refusals: ['RequestNotFound', 'CertificateNotFound', 'RecordHasChanged', 'ValidationFailed'],
});

export const restoreCertificate = defineCall({
  name: 'restoreCertificate',
  method: 'POST',
  path: '/api/Certificate/RestoreCertificate',
  who: staff,
  summary: 'Make a revoked certificate valid again; its applicant is notified of the reason',
  body: z.object({ requestId, reason: z.enum(restorationReasons), note }),
  reply: requestCertificate,
  refusals: ['RequestNotFound', 'CertificateNotFound', 'RecordHasChanged', 'ValidationFailed'],
});

/**
 * What the code on a certificate confirms, to be compared with a paper. Texts are in the `language`
 * of the certificate. `holder` shows the first letter of each word; `digest` is printed on the paper
 * too. Without a number the code is not one of a certificate of this portal.
 */
export const certificateCheck = z.object({
  isGenuine: z.boolean(),
  number: z.string().optional(),
  language: z.enum(languages).optional(),
  title: z.string().optional(),
  service: z.string().optional(),
  agency: z.string().optional(),
  holder: z.string().optional(),
  /** What was typed as the applicant, masked too, where UAE PASS has verified another name. */
  namedFor: z.string().optional(),
  /** Who sent the request for the company that is the holder, masked too. */
  sentBy: z.string().optional(),
  issuedOn: z.iso.date().optional(),
  validUntil: z.iso.date().optional(),
  state: z.enum(certificateStates).optional(),
  revokedOn: z.iso.date().optional(),
  digest: z.string().optional(),
});
export type CertificateCheck = z.infer<typeof certificateCheck>;

/** How the code of a certificate begins; those of invoices have no such beginning. */
export const certificateCodePrefix = 'c-';

/** Our own call: the page to which the QR code of a certificate leads. */
export const checkCertificate = defineCall({
  name: 'checkCertificate',
  method: 'GET',
  path: '/api/Certificate/CheckCertificate',
  who: 'anyone',
  summary: 'What a certificate says, by the signed code on it',
  query: z.object({ Code: z.string().trim().min(1).max(100) }),
  reply: certificateCheck,
  refusals: ['TooManyRequests'],
});
