import type { SqlBool } from 'kysely';
import { administeredAgencies } from '#platform/auth/agencies/agency-administration.ts';
import type { Caller } from '#platform/auth/caller.ts';
import { recordChange, type ChangeAuthor } from '#platform/auth/changes.ts';
import type { FileReferences } from '#platform/auth/file-references.ts';
import { openKey, type Keys } from '#platform/auth/secrets.ts';
import { createTranslator } from '#platform/core/locale-texts.ts';
import { localize } from '#platform/core/localize.ts';
import { Refusal, ValidationRefusal } from '#platform/core/refusals.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import type { Sql } from '#platform/database/sql.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type { AppContext } from '#platform/http/context.ts';
import type { SealedPdfs } from '#platform/pdf/sealed-pdfs.ts';
import {
  requestPlaceholders,
  splitPlaceholders,
  type CertificateTemplate,
  type RequestPlaceholder,
  type Validity,
} from '@diwan/contract/content/certificates';
import type { FormField, ServiceForm } from '@diwan/contract/forms/forms';
import { dayInDubai } from '@diwan/contract/wire/days';
import type { ValidationIssue } from '@diwan/contract/wire/errors';
import { languages, type Language, type LocalizedText } from '@diwan/contract/wire/languages';
import { issuedPortalLogo, printLogo } from '../services/logos/logos.actions.ts';
import type { Catalogue } from '../services/services.actions.ts';
import {
  answerText,
  dayOf,
  fillTemplate,
  groupAnswers,
  lastDayOf,
  namedFields,
  splitGroupLine,
  type TemplateValues,
} from './certificate-content.ts';
import { certificateOrder } from './certificate-document.ts';
import type { CertificateContent } from './certificates.store.ts';
import * as store from './certificates.store.ts';

const translate = createTranslator('certificates');

export interface CertificatesContext {
  database: Database;
  catalogue: Catalogue;
  references: FileReferences;
  publicUrl: string;
  /** Sign the codes on certificates. */
  keys: Keys;
  isDemo: boolean;
  pdf: SealedPdfs;
  requests: CertifiedRequests;
}

/** What the requests give to certificates, which they import. */
interface CertifiedRequests {
  mayView(caller: Caller, requestId: number): Promise<boolean>;
  recordAccess(caller: Caller, requestId: number): Promise<void>;
  /** The condition on `requests` of what a caller may see. */
  visibleTo(caller: Caller): Sql<SqlBool>;
  /** Locks a request that the caller may see. Throws RequestNotFound. */
  lock(transaction: Transaction, caller: Caller, requestId: number): Promise<unknown>;
  /** Notifies the applicant, and those who have the request open. */
  notifyOfCertificate(
    transaction: Transaction,
    caller: Caller,
    requestId: number,
    change: {
      notification: 'certificateRevoked' | 'certificateRestored';
      number: string;
      reason: LocalizedText;
    },
  ): Promise<void>;
  announce(): void;
}

/** Opens the certificates and the keys of their codes. */
export async function openCertificates(
  { database, references, publicUrl, config }: AppContext,
  dependencies: Pick<CertificatesContext, 'catalogue' | 'pdf' | 'requests'>,
): Promise<CertificatesContext> {
  return {
    database,
    references,
    publicUrl,
    keys: await openKey(database, 'certificate-codes'),
    isDemo: config.SANDBOX === 'on',
    ...dependencies,
  };
}

interface Template {
  title: LocalizedText;
  body: LocalizedText;
  validity: Validity;
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
    validity: row.validity,
    isActive: row.is_active,
    version: row.version,
  };
};

/** All templates, by the name of their service. */
export async function listTemplates(
  context: CertificatesContext,
  caller: Caller,
  language: Language,
): Promise<CertificateTemplate[]> {
  const scope = administeredAgencies(caller);
  const rows = await store.selectTemplates(context.database, scope);
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
    fields: namedFields(form).map(({ name, title, kind }) => ({
      name,
      title: localize(title, language),
      isGroup: kind === 'group',
      isDate: kind === 'date',
    })),
  };
}

const isRequestPlaceholder = (name: string): name is RequestPlaceholder =>
  requestPlaceholders.some((each) => each === name);

// The first placeholder of a text that the portal does not fill in at its place.
function findUnknown(
  text: string,
  fields: ReadonlyMap<string, FormField>,
  isTitle: boolean,
): string | undefined {
  const isGroup = (name: string) => fields.get(name)?.kind === 'group';
  const isKnown = (name: string) =>
    isRequestPlaceholder(name) ||
    (!isTitle &&
      name.startsWith('field.') &&
      fields.has(name.slice('field.'.length)) &&
      !isGroup(name.slice('field.'.length)));
  return text
    .split(/\r?\n/)
    .filter((line) => isTitle || !splitGroupLine(line, isGroup))
    .flatMap(splitPlaceholders)
    .find((piece) => piece.isPlaceholder && !isKnown(piece.text))?.text;
}

/**
 * Throws a ValidationRefusal that names the language of a text with an unknown placeholder, or a rule
 * of validity that names no day of the form.
 */
function checkTemplate(template: Template, form: ServiceForm): void {
  const fields = new Map(namedFields(form).map((field) => [field.name, field]));
  const { validity } = template;
  const issues: ValidationIssue[] = (['title', 'body'] as const).flatMap((part) =>
    languages.flatMap((language): ValidationIssue[] => {
      const names = findUnknown(template[part][language], fields, part === 'title');
      if (names === undefined) return [];
      return [{ field: `${part}.${language}`, code: 'textUnknownPlaceholder', params: { names } }];
    }),
  );
  if (validity.kind === 'answer' && fields.get(validity.field)?.kind !== 'date')
    issues.push({ field: 'validity', code: 'notAllowed' });
  if (issues.length > 0) throw new ValidationRefusal(issues);
}

/**
 * Adds or changes the template of a service. Certificates that were issued stay as they are. Throws
 * ServiceNotFound, RecordHasChanged, ValidationFailed.
 */
export async function saveTemplate(
  context: CertificatesContext,
  author: ChangeAuthor,
  sent: Template & { serviceId: number; version?: number | undefined; isActive: boolean },
  language: Language,
): Promise<CertificateTemplate> {
  const { serviceId, title, body, validity, isActive } = sent;
  const service = context.catalogue.getService(serviceId);
  checkTemplate(sent, (await context.catalogue.getDetails(serviceId)).form);
  const row = await inTransaction(context.database, async (transaction) => {
    const before = await store.findTemplate(transaction, serviceId);
    const saved = await store.saveTemplate(transaction, serviceId, sent.version ?? 0, {
      title,
      body,
      validity,
      is_active: isActive,
    });
    if (!saved) throw new Refusal('RecordHasChanged');
    const fieldsOf = (each: store.TemplateContent) => ({
      title: each.title,
      body: each.body,
      validity: each.validity,
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
  { serviceId, language, ...template }: Template & { serviceId: number; language: Language },
): Promise<Buffer> {
  const service = context.catalogue.getService(serviceId);
  const { form } = await context.catalogue.getDetails(serviceId);
  checkTemplate(template, form);
  const issuedAt = new Date();
  const facts: RequestFacts = {
    applicant: translate('document.exampleApplicant', language),
    requestNumber: 'DW26-00000-00000',
    service: localize(service.name, language),
    agency: localize(service.agency.name, language),
  };
  const example = ({ title }: Pick<FormField, 'title'>) => `[${localize(title, language)}]`;
  const fields = new Map(namedFields(form).map((field) => [field.name, field]));
  const { validity } = template;
  const exampleDay: Validity = { kind: 'period', count: 1, unit: 'years' };
  const validUntil = lastDayOf(
    validity.kind === 'answer' ? exampleDay : validity,
    issuedAt,
    () => undefined,
  );
  const content = contentOf(template, facts, {
    language,
    issuedAt,
    validUntil,
    answerOf(name) {
      const field = fields.get(name);
      return field ? example(field) : '';
    },
    groupOf(name) {
      const { kind, fields: columns = [] } = fields.get(name) ?? {};
      if (kind !== 'group') return undefined;
      const row = columns.map(example);
      return { header: columns.map(({ title }) => localize(title, language)), rows: [row, row] };
    },
  });
  return context.pdf.preview(
    certificateOrder({
      content,
      validUntil,
      number: '',
      digest: '',
      address: '',
      issuedAt,
      isDemo: context.isDemo,
      logo: await printLogo(context.database, service.agency.logo),
      portalLogo: await printLogo(context.database, issuedPortalLogo().portalLogo),
    }),
  );
}

type RequestFacts = Record<Exclude<RequestPlaceholder, 'issuedOn' | 'validUntil'>, string>;

function contentOf(
  { title, body }: Pick<Template, 'title' | 'body'>,
  facts: RequestFacts,
  values: {
    language: Language;
    issuedAt: Date;
    validUntil: string | undefined;
    answerOf: (name: string) => string;
    groupOf: TemplateValues['groupOf'];
  },
): CertificateContent {
  const { language, issuedAt, validUntil, answerOf, groupOf } = values;
  const days = {
    issuedOn: dayOf(dayInDubai(issuedAt)),
    validUntil: validUntil === undefined ? '' : dayOf(validUntil),
  };
  const valueOf = (name: string): string =>
    isRequestPlaceholder(name)
      ? { ...facts, ...days }[name]
      : answerOf(name.replace(/^field\./, ''));
  const [line] = fillTemplate(title[language], { valueOf, groupOf: () => undefined });
  return {
    language,
    title: Array.isArray(line) ? line.map(({ text }) => text).join('') : '',
    paragraphs: fillTemplate(body[language], { valueOf, groupOf }),
    ...facts,
  };
}

/** A request that is being completed. */
interface CompletedRequest {
  requestId: number;
  serviceId: number;
  language: Language;
  facts: RequestFacts;
  namedFor?: string | undefined;
  sentBy?: string | undefined;
  /** The path of the agency's logo on this site. */
  logo: string;
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
  { requestId, serviceId, language, facts, form, answers, issuedAt, ...printed }: CompletedRequest,
): Promise<((part: Transaction) => Promise<unknown>) | undefined> {
  const template = await store.findTemplate(transaction, serviceId);
  if (!template?.is_active) return undefined;
  // A request keeps the form that it began with, which may not have a field of the template.
  const fields = new Map(namedFields(form).map((field) => [field.name, field]));
  const validUntil = lastDayOf(template.validity, issuedAt, (name) => answers[name]);
  const content = contentOf(template, facts, {
    language,
    issuedAt,
    validUntil,
    answerOf: (name) => answerText(fields.get(name) ?? { kind: 'text' }, answers[name], language),
    groupOf(name) {
      const field = fields.get(name);
      return field?.kind === 'group' ? groupAnswers(field, answers[name], language) : undefined;
    },
  });
  const series = `CRT-${dayInDubai(issuedAt).slice(0, 4)}`;
  return (part) =>
    store.insertCertificate(part, {
      requestId,
      series,
      content: { ...content, ...printed, ...issuedPortalLogo() },
      validUntil: validUntil ?? null,
      issuedAt,
    });
}
