import { z } from 'zod';
import { agencyContentReaders, agencyEditors, defineCall, signedIn } from '../wire/call.ts';
import { longIdInAddress, recordId, recordIdInAddress, recordVersion } from '../wire/ids.ts';
import { languages, localizedText } from '../wire/languages.ts';

/** The longest title of a certificate, in characters. */
export const maximumCertificateTitle = 120;
/** The longest text of a certificate, in characters. */
export const maximumCertificateBody = 3000;

/**
 * What a template can name of every request; answers are `field.<name of the field>`. `validUntil` is
 * empty where a certificate has no end.
 */
export const requestPlaceholders = [
  'applicant',
  'requestNumber',
  'service',
  'agency',
  'issuedOn',
  'validUntil',
] as const;
export type RequestPlaceholder = (typeof requestPlaceholders)[number];

/** The pieces of a template: texts, and the names of placeholders such as `{{applicant}}`. */
export function splitPlaceholders(text: string): { text: string; isPlaceholder: boolean }[] {
  return text
    .split(/\{\{\s*([^{}]*?)\s*\}\}/)
    .map((piece, index) => ({ text: piece, isPlaceholder: index % 2 === 1 }))
    .filter((piece) => piece.isPlaceholder || piece.text !== '');
}

const textOf = (maximum: number) =>
  z.strictObject({
    'ar-EG': z.string().trim().min(1).max(maximum),
    'en-US': z.string().trim().min(1).max(maximum),
    'ur-PK': z.string().trim().min(1).max(maximum),
  });
const serviceId = recordId;

/** The units of `period`. */
export const validityUnits = ['months', 'years'] as const;
/** The longest period, in its unit. */
export const maximumValidity = 100;

/**
 * Until when a certificate is valid. `none`: without end; `period`: it ends the day before the
 * same day, so many months or years after the issue; `endOfYear`: 31 December of the year of issue;
 * `answer`: the day that the applicant answered in `field`, and without end where that is empty.
 */
export const validity = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('none') }),
  z.strictObject({
    kind: z.literal('period'),
    count: z.int().min(1).max(maximumValidity),
    unit: z.enum(validityUnits),
  }),
  z.strictObject({ kind: z.literal('endOfYear') }),
  z.strictObject({ kind: z.literal('answer'), field: z.string().min(1).max(40) }),
]);
export type Validity = z.infer<typeof validity>;

/** The template of the certificates of a service. `isActive`: completed requests get one. */
export const certificateTemplate = z.object({
  serviceId: z.int(),
  serviceName: z.string(),
  title: localizedText,
  body: localizedText,
  validity,
  isActive: z.boolean(),
  version: z.int(),
});
export type CertificateTemplate = z.infer<typeof certificateTemplate>;

/** Our own calls: the specification shows no template. See docs/unknowns.md. */
export const getCertificateTemplates = defineCall({
  name: 'getCertificateTemplates',
  method: 'GET',
  path: '/api/Certificate/GetCertificateTemplates',
  who: agencyContentReaders,
  byAgency: 'reply',
  summary: 'The templates of certificates, by the name of their service',
  reply: z.array(certificateTemplate),
  refusals: [],
});

export const getCertificateTemplate = defineCall({
  name: 'getCertificateTemplate',
  method: 'GET',
  path: '/api/Certificate/GetCertificateTemplate',
  who: agencyContentReaders,
  byAgency: { service: 'ServiceId' },
  summary: 'The template of a service, if it has one, and the fields that it can name',
  query: z.object({ ServiceId: recordIdInAddress }),
  reply: z.object({
    serviceName: z.string(),
    template: certificateTemplate.optional(),
    /** `isGroup`: its answers are a table or a list; `isDate`: a certificate can end on that day. */
    fields: z.array(
      z.object({
        name: z.string(),
        title: z.string(),
        isGroup: z.boolean(),
        isDate: z.boolean(),
      }),
    ),
  }),
  refusals: ['ServiceNotFound'],
});

export const saveCertificateTemplate = defineCall({
  name: 'saveCertificateTemplate',
  method: 'POST',
  path: '/api/Certificate/SaveCertificateTemplate',
  who: agencyEditors,
  byAgency: { service: 'serviceId' },
  summary: 'Add or change the template of a service; `version` is that which was read',
  body: z.object({
    serviceId,
    version: recordVersion.optional(),
    title: textOf(maximumCertificateTitle),
    body: textOf(maximumCertificateBody),
    validity,
    isActive: z.boolean(),
  }),
  reply: certificateTemplate,
  refusals: ['ServiceNotFound', 'RecordHasChanged', 'ValidationFailed'],
});

export const previewCertificate = defineCall({
  name: 'previewCertificate',
  method: 'POST',
  repeats: 'harmless',
  path: '/api/Certificate/PreviewCertificate',
  who: agencyEditors,
  byAgency: { service: 'serviceId' },
  summary: 'A certificate with example values, without number and seal; a PDF in base64',
  body: z.object({
    serviceId,
    title: textOf(maximumCertificateTitle),
    body: textOf(maximumCertificateBody),
    validity,
    language: z.enum(languages),
  }),
  reply: z.object({ content: z.string() }),
  refusals: ['ServiceNotFound', 'ValidationFailed', 'ServerBusy'],
});

export const getCertificatePath = defineCall({
  name: 'getCertificatePath',
  method: 'GET',
  path: '/api/Certificate/GetCertificatePath',
  who: signedIn,
  summary: 'A short-lived reference for DownloadFile to the certificate of a completed request',
  query: z.object({ RequestId: longIdInAddress }),
  reply: z.string(),
  refusals: ['RequestNotFound', 'CertificateNotFound', 'TooManyRequests'],
});
