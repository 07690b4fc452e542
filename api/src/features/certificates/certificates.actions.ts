import { createHmac } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Caller } from '#platform/auth/caller.ts';
import { recordChange, type ChangeAuthor } from '#platform/auth/changes.ts';
import type { FileReferences } from '#platform/auth/file-references.ts';
import { getOrCreateSecret } from '#platform/auth/secrets.store.ts';
import { createTranslator } from '#platform/core/locale-texts.ts';
import { localize } from '#platform/core/localize.ts';
import { Refusal, ValidationRefusal } from '#platform/core/refusals.ts';
import { isSameSecret } from '#platform/core/same-secret.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type { MadeFile } from '#platform/files/send-file.ts';
import type { AppContext } from '#platform/http/context.ts';
import type { SealedPdfs } from '#platform/pdf/sealed-pdfs.ts';
import {
  requestPlaceholders,
  splitPlaceholders,
  type CertificateTemplate,
  type RequestPlaceholder,
} from '@diwan/contract/content/certificates';
import type { ServiceForm } from '@diwan/contract/forms/forms';
import type { InvoiceCheck } from '@diwan/contract/requests/payments';
import { dayInDubai } from '@diwan/contract/wire/days';
import type { ValidationIssue } from '@diwan/contract/wire/errors';
import { languages, type Language, type LocalizedText } from '@diwan/contract/wire/languages';
import type { Catalogue } from '../services/services.actions.ts';
import { answerText, certificateOrder, fillTemplate, namedFields } from './certificate-document.ts';
import type { CertificateContent } from './certificates.store.ts';
import * as store from './certificates.store.ts';

const translate = createTranslator('certificates');

export interface CertificatesContext {
  database: Database;
  catalogue: Catalogue;
  references: FileReferences;
  publicUrl: string;
  /** Signs the codes on certificates. */
  secret: string;
  isDemo: boolean;
  pdf: SealedPdfs;
  mayView(caller: Caller, requestId: number): Promise<boolean>;
  recordAccess(caller: Caller, requestId: number): Promise<void>;
}

/** Opens the certificates and the secret of their codes. */
export async function openCertificates(
  { database, references, publicUrl, config }: AppContext,
  dependencies: Pick<CertificatesContext, 'catalogue' | 'pdf' | 'mayView' | 'recordAccess'>,
): Promise<CertificatesContext> {
  return {
    database,
    references,
    publicUrl,
    secret: await getOrCreateSecret(database, 'certificate-codes'),
    isDemo: config.SANDBOX === 'on',
    ...dependencies,
  };
}

interface Texts {
  title: LocalizedText;
  body: LocalizedText;
}

const describe = (
  { catalogue }: Pick<CertificatesContext, 'catalogue'>,
  row: store.TemplateRow,
  language: Language,
): CertificateTemplate => {
  const service = catalogue.findService(row.service_id);
  return {
    serviceId: row.service_id,
    serviceName: service ? localize(service.name, language) : String(row.service_id),
    title: row.title,
    body: row.body,
    isActive: row.is_active,
    version: row.version,
  };
};

/** All templates, by the name of their service. */
export async function listTemplates(
  context: CertificatesContext,
  language: Language,
): Promise<CertificateTemplate[]> {
  const rows = await store.selectTemplates(context.database);
  return rows
    .map((row) => describe(context, row, language))
    .toSorted((a, b) => a.serviceName.localeCompare(b.serviceName, language));
}

/** The template of a service, and the fields of its form. Throws ServiceNotFound. */
export async function getTemplate(
  context: CertificatesContext,
  serviceId: number,
  language: Language,
) {
  const service = context.catalogue.getService(serviceId);
  const { form } = await context.catalogue.getDetails(serviceId);
  const row = await store.findTemplate(context.database, serviceId);
  return {
    serviceName: localize(service.name, language),
    template: row && describe(context, row, language),
    fields: namedFields(form).map(({ name, title }) => ({
      name,
      title: localize(title, language),
    })),
  };
}

const isRequestPlaceholder = (name: string): name is RequestPlaceholder =>
  requestPlaceholders.some((each) => each === name);

/** Throws a ValidationRefusal that names the language of a text with an unknown placeholder. */
function checkPlaceholders(texts: Texts, form: ServiceForm): void {
  const fields = new Set(namedFields(form).map(({ name }) => `field.${name}`));
  const issues = (['title', 'body'] as const).flatMap((part) =>
    languages.flatMap((language): ValidationIssue[] => {
      const unknown = splitPlaceholders(texts[part][language]).find(
        ({ text, isPlaceholder }) =>
          isPlaceholder && !isRequestPlaceholder(text) && !(part === 'body' && fields.has(text)),
      );
      if (!unknown) return [];
      return [
        {
          field: `${part}.${language}`,
          code: 'textUnknownPlaceholder',
          params: { names: unknown.text },
        },
      ];
    }),
  );
  if (issues.length > 0) throw new ValidationRefusal(issues);
}

/**
 * Adds or changes the template of a service. Certificates that were issued stay as they are. Throws
 * ServiceNotFound, RecordHasChanged, ValidationFailed.
 */
export async function saveTemplate(
  context: CertificatesContext,
  author: ChangeAuthor,
  sent: Texts & { serviceId: number; version?: number | undefined; isActive: boolean },
  language: Language,
): Promise<CertificateTemplate> {
  const { serviceId, title, body, isActive } = sent;
  const service = context.catalogue.getService(serviceId);
  checkPlaceholders(sent, (await context.catalogue.getDetails(serviceId)).form);
  const row = await inTransaction(context.database, async (transaction) => {
    const before = await store.findTemplate(transaction, serviceId);
    const saved = await store.saveTemplate(transaction, serviceId, sent.version ?? 0, {
      title,
      body,
      is_active: isActive,
    });
    if (!saved) throw new Refusal('RecordHasChanged');
    const fieldsOf = (each: store.TemplateContent) => ({
      title: each.title,
      body: each.body,
      isActive: each.is_active,
    });
    await recordChange(transaction, author, {
      entity: 'certificateTemplate',
      entityId: serviceId,
      name: service.name,
      action: before ? 'changed' : 'created',
      before: before && fieldsOf(before),
      after: fieldsOf(saved),
    });
    return saved;
  });
  return describe(context, row, language);
}

/** A certificate with example values. Throws ServiceNotFound, ValidationFailed, ServerBusy. */
export async function previewTemplate(
  context: CertificatesContext,
  { serviceId, title, body, language }: Texts & { serviceId: number; language: Language },
): Promise<Buffer> {
  const service = context.catalogue.getService(serviceId);
  const { form } = await context.catalogue.getDetails(serviceId);
  checkPlaceholders({ title, body }, form);
  const now = new Date();
  const facts: RequestFacts = {
    applicant: translate('document.exampleApplicant', language),
    requestNumber: 'DW26-00000-00000',
    service: localize(service.name, language),
    agency: localize(service.agency.name, language),
  };
  const titles = new Map(
    namedFields(form).map((field) => [field.name, `[${localize(field.title, language)}]`]),
  );
  const content = contentOf({ title, body }, facts, {
    language,
    issuedAt: now,
    answerOf: (name) => titles.get(name) ?? '',
  });
  return context.pdf.preview(
    certificateOrder({ content, number: '', address: '', issuedAt: now, isDemo: context.isDemo }),
  );
}

type RequestFacts = Record<Exclude<RequestPlaceholder, 'issuedOn'>, string>;

function contentOf(
  { title, body }: Texts,
  facts: RequestFacts,
  {
    language,
    issuedAt,
    answerOf,
  }: { language: Language; issuedAt: Date; answerOf: (name: string) => string },
): CertificateContent {
  const issuedOn = dayInDubai(issuedAt).split('-').toReversed().join('/');
  const valueOf = (name: string): string => {
    if (!isRequestPlaceholder(name)) return answerOf(name.replace(/^field\./, ''));
    return name === 'issuedOn' ? issuedOn : facts[name];
  };
  const [line = []] = fillTemplate(title[language], valueOf);
  return {
    language,
    title: line.map(({ text }) => text).join(''),
    paragraphs: fillTemplate(body[language], valueOf),
    ...facts,
  };
}

/** A request that is being completed. */
interface CompletedRequest {
  requestId: number;
  serviceId: number;
  language: Language;
  facts: RequestFacts;
  form: ServiceForm;
  answers: Readonly<Record<string, unknown>>;
  issuedAt: Date;
}

/**
 * Reads the template of a request that is being completed, and returns the one statement that issues
 * its certificate; undefined where the service has no active template. All certificates share a
 * counter, which stays locked until the transaction ends.
 */
export async function prepareCertificate(
  transaction: Transaction,
  { requestId, serviceId, language, facts, form, answers, issuedAt }: CompletedRequest,
): Promise<((part: Transaction) => Promise<unknown>) | undefined> {
  const template = await store.findTemplate(transaction, serviceId);
  if (!template?.is_active) return undefined;
  const fields = new Map(namedFields(form).map((field) => [field.name, field]));
  const content = contentOf(template, facts, {
    language,
    issuedAt,
    answerOf(name) {
      // A request keeps the form that it began with, which may not have the field.
      return answerText(fields.get(name) ?? { kind: 'text' }, answers[name], language);
    },
  });
  const series = `CRT-${dayInDubai(issuedAt).slice(0, 4)}`;
  return (part) => store.insertCertificate(part, { requestId, series, content, issuedAt });
}

const referencePrefix = 'certificate';

/** A reference for DownloadFile, for this caller. Throws RequestNotFound, CertificateNotFound. */
export async function getPath(
  context: CertificatesContext,
  caller: Caller,
  requestId: number,
): Promise<string> {
  // guard: certificate of a request that the caller may see
  if (!(await context.mayView(caller, requestId))) throw new Refusal('RequestNotFound');
  const row = await store.findCertificate(context.database, 'request_id', requestId);
  if (!row) throw new Refusal('CertificateNotFound');
  await context.recordAccess(caller, requestId);
  return context.references.make(`${referencePrefix}:${requestId}`, caller.userId);
}

/**
 * The certificate that a reference names; undefined for a reference to something else. Throws
 * AttachmentNotFound where the caller may not see the request any more, and ServerBusy.
 */
export async function makeCertificateFile(
  context: CertificatesContext,
  caller: Caller,
  referenced: string,
): Promise<MadeFile | undefined> {
  const [prefix, requestId] = referenced.split(':');
  if (prefix !== referencePrefix) return undefined;
  const row = (await context.mayView(caller, Number(requestId)))
    ? await store.findCertificate(context.database, 'request_id', Number(requestId))
    : undefined;
  if (!row) throw new Refusal('AttachmentNotFound');
  const address = `${context.publicUrl}/invoice?code=${codeOf(context, row)}`;
  const { content: printed, number, issued_at: issuedAt } = row;
  const content = await context.pdf.make(
    certificateOrder({ content: printed, number, address, issuedAt, isDemo: context.isDemo }),
  );
  return {
    file: {
      id: referenced.replace(':', '-'),
      file_name: `${number}.pdf`,
      media_type: 'application/pdf',
      size: content.length,
    },
    open: (range) =>
      Promise.resolve(
        Readable.from([range ? content.subarray(range.start, range.end + 1) : content]),
      ),
  };
}

function codeOf(
  { secret }: Pick<CertificatesContext, 'secret'>,
  { id, number }: Pick<store.CertificateRow, 'id' | 'number'>,
): string {
  // 128 bits: as short as a QR code needs, as long as nobody can guess.
  const signature = createHmac('sha256', secret).update(`${id}:${number}`).digest().subarray(0, 16);
  return `c-${id.toString(36)}.${signature.toString('base64url')}`;
}

/** What the code on a certificate confirms; undefined for a code of something else. */
export async function checkCertificateCode(
  context: CertificatesContext,
  code: string,
): Promise<InvoiceCheck | undefined> {
  const [, id36] = /^c-([1-9a-z][0-9a-z]{0,9})\.[\w-]{22}$/.exec(code) ?? [];
  if (id36 === undefined) return undefined;
  const id = Number.parseInt(id36, 36);
  const row = Number.isSafeInteger(id)
    ? await store.findCertificate(context.database, 'id', id)
    : undefined;
  if (
    !row ||
    // guard: signature of the code on a certificate
    !isSameSecret(code, codeOf(context, row))
  )
    return { isGenuine: false };
  return {
    isGenuine: true,
    kind: 'certificate',
    number: row.number,
    issuedOn: dayInDubai(row.issued_at),
  };
}
