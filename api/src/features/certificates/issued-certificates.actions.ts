import { createHmac } from 'node:crypto';
import { Readable } from 'node:stream';
import { isStaff, type Caller } from '#platform/auth/caller.ts';
import { createTranslator, localizedText } from '#platform/core/locale-texts.ts';
import { localize, localizePersonName } from '#platform/core/localize.ts';
import { Refusal, ValidationRefusal } from '#platform/core/refusals.ts';
import { isSameSecret } from '#platform/core/same-secret.ts';
import type { Sql } from '#platform/database/sql.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type { MadeFile } from '#platform/files/send-file.ts';
import {
  certificateCodePrefix,
  type CertificateCheck,
  type CertificateEvent,
  type getCertificates,
  type ListedCertificate,
  type RequestCertificate,
} from '@diwan/contract/content/issued-certificates';
import type { QueryOf } from '@diwan/contract/wire/call';
import { dayInDubai } from '@diwan/contract/wire/days';
import { languages, type Language } from '@diwan/contract/wire/languages';
import { printLogo } from '../services/logos/logos.actions.ts';
import { certificateOrder } from './certificate-document.ts';
import type { CertificatesContext } from './certificates.actions.ts';
import * as store from './issued-certificates.store.ts';

const translate = createTranslator('certificates');
const referencePrefix = 'certificate';

/** A reference for DownloadFile, for this caller. Throws RequestNotFound, CertificateNotFound. */
export async function getPath(
  context: CertificatesContext,
  caller: Caller,
  requestId: number,
): Promise<string> {
  // guard: certificate of a request that the caller may see (certificates)
  if (!(await context.requests.mayView(caller, requestId))) throw new Refusal('RequestNotFound');
  const row = await store.findCertificate(context.database, 'request_id', requestId);
  if (!row) throw new Refusal('CertificateNotFound');
  await context.requests.recordAccess(caller, requestId);
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
  const row = (await context.requests.mayView(caller, Number(requestId)))
    ? await store.findCertificate(context.database, 'request_id', Number(requestId))
    : undefined;
  if (!row) throw new Refusal('AttachmentNotFound');
  const { content: printed, number } = row;
  const [key = ''] = context.keys();
  const content = await context.pdf.make(
    certificateOrder({
      content: printed,
      number,
      digest: digestOf(key, row),
      address: `${context.publicUrl}/certificate?code=${codeOf(key, row)}`,
      issuedAt: row.issued_at,
      validUntil: row.valid_until ?? undefined,
      isDemo: context.isDemo,
      logo: await printLogo(context.database, printed.logo),
      portalLogo: await printLogo(context.database, printed.portalLogo),
    }),
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

function codeOf(key: string, row: Pick<store.CertificateRow, 'id' | 'number'>): string {
  const { id, number } = row;
  // 128 bits: as short as a QR code needs, as long as nobody can guess.
  const signature = createHmac('sha256', key).update(`${id}:${number}`).digest().subarray(0, 16);
  return `${certificateCodePrefix}${id.toString(36)}.${signature.toString('base64url')}`;
}

// Letters and digits that nobody confuses on paper (Crockford).
const paperLetters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * Twelve characters that stand for everything that the certificate says. Keyed, so that the public
 * check does not let anybody try names until one fits.
 */
function digestOf(key: string, row: store.CertificateRow): string {
  const { number, content, valid_until: validUntil, issued_at: issuedAt } = row;
  const said = JSON.stringify([number, content, validUntil, issuedAt.toISOString()]);
  const bytes = createHmac('sha256', key).update(`content:${said}`).digest();
  const letters = [...bytes.subarray(0, 12)].map((byte) => paperLetters[byte % 32]).join('');
  return letters.replace(/(.{4})(?=.)/g, '$1-');
}

/** The first letter of each word of a name; the other letters are dots. */
export const maskName = (name: string): string =>
  name
    .split(/\s+/)
    .map((word) => [...word].map((letter, index) => (index === 0 ? letter : '\u2022')).join(''))
    .join(' ');

/** What the code on a certificate confirms. Forged codes and those of nothing look the same. */
export async function checkCode(
  context: CertificatesContext,
  code: string,
): Promise<CertificateCheck> {
  const [, id36 = ''] = /^c-([1-9a-z][0-9a-z]{0,9})\.[\w-]{22}$/.exec(code) ?? [];
  const id = Number.parseInt(id36, 36);
  const row = Number.isSafeInteger(id)
    ? await store.findCertificate(context.database, 'id', id)
    : undefined;
  // The paper shows the digest by the key of its code.
  const key = row && context.keys().find((each) => isSameSecret(code, codeOf(each, row)));
  if (
    !row ||
    // guard: signature of the code on a certificate (certificates)
    !key
  )
    return { isGenuine: false };
  const facts = await store.findCertificateFacts(context.database, row.request_id);
  if (!facts) return { isGenuine: false };
  const { language, title, service, agency, applicant, namedFor, sentBy } = row.content;
  const { number, issuedOn, validUntil, state, events } = described(facts, row.content.language);
  const revoked = state === 'revoked' ? events.at(-1) : undefined;
  return {
    isGenuine: true,
    number,
    language,
    title,
    service,
    agency,
    holder: maskName(applicant),
    ...(namedFor === undefined ? {} : { namedFor: maskName(namedFor) }),
    ...(sentBy === undefined ? {} : { sentBy: maskName(sentBy) }),
    issuedOn,
    ...(validUntil === undefined ? {} : { validUntil }),
    state,
    ...(revoked ? { revokedOn: dayInDubai(new Date(revoked.at)) } : {}),
    digest: digestOf(key, row),
  };
}

/** The certificate of a request, as one value of a statement; null without one. */
export const certificateOf = (requestId: Sql<unknown>): Sql<CertificateFacts | null> =>
  store.certificateFacts(requestId);

/** What a record shows of its certificate. */
export type CertificateFacts = store.CertificateFacts;

/** A certificate for those who see its request; only staff see who revoked it. */
export function describeCertificate(
  facts: store.CertificateFacts,
  { caller, language }: { caller: Caller; language: Language },
): RequestCertificate {
  const certificate = described(facts, language);
  if (isStaff(caller)) return certificate;
  return {
    ...certificate,
    events: certificate.events.map(({ by: _by, ...event }): CertificateEvent => event),
  };
}

function described(facts: store.CertificateFacts, language: Language): RequestCertificate {
  const { number, state, issuedAt, validUntil, events } = facts;
  return {
    number,
    state,
    issuedOn: dayInDubai(new Date(issuedAt)),
    ...(validUntil === null ? {} : { validUntil }),
    events: events.map(({ by, byAr, ...event }) => ({
      ...event,
      at: new Date(event.at).toISOString(),
      by: localizePersonName({ full_name: by, full_name_ar: byAr }, language),
    })),
  };
}

/** The certificates of requests that the caller may see, newest first. */
export async function listCertificates(
  context: CertificatesContext,
  caller: Caller,
  { Keyword, ServiceId, State, ...page }: QueryOf<typeof getCertificates>,
  language: Language,
): Promise<{ items: ListedCertificate[]; pageNumber: number; totalCount: number }> {
  const number = Keyword?.toUpperCase();
  const { items, totalCount } = await store.selectCertificates(
    context.database,
    context.requests.visibleTo(caller),
    { number: number === '' ? undefined : number, serviceId: ServiceId, state: State },
    page,
  );
  return {
    items: items.map((row) => ({
      requestId: row.request_id,
      requestNumber: row.request_number,
      number: row.number,
      state: row.state,
      service: localize(row.service, language),
      title: row.title,
      issuedOn: dayInDubai(row.issued_at),
      ...(row.valid_until === null ? {} : { validUntil: row.valid_until }),
    })),
    pageNumber: page.PageNumber,
    totalCount,
  };
}

const needed = { revoked: 'restored', restored: 'revoked' } as const;

/**
 * Revokes a certificate, or makes a revoked one valid again, and notifies the applicant. Throws
 * RequestNotFound, CertificateNotFound, RecordHasChanged where it is so already, and
 * ValidationFailed without a note where the reason needs one.
 */
export async function changeCertificate(
  context: CertificatesContext,
  { caller, language }: { caller: Caller; language: Language },
  change: { requestId: number } & Pick<CertificateEvent, 'action' | 'reason' | 'note'>,
): Promise<RequestCertificate> {
  const { requestId, action, reason, note } = change;
  if (reason === 'other' && note === '')
    throw new ValidationRefusal([{ field: 'note', code: 'required' }]);
  const facts = await inTransaction(context.database, async (transaction) => {
    await context.requests.lock(transaction, caller, requestId);
    const before = await store.findCertificateFacts(transaction, requestId);
    if (!before) throw new Refusal('CertificateNotFound');
    const last = before.events.at(-1)?.action ?? 'restored';
    // guard: certificate that is revoked already (certificates)
    if (last !== needed[action]) throw new Refusal('RecordHasChanged');
    const at = new Date();
    const event = { requestId, action, reason, note, actorId: caller.userId, at };
    await store.insertCertificateEvent(transaction, event);
    const reasonText = localizedText(translate, `reasons.${reason}`);
    await context.requests.notifyOfCertificate(transaction, caller, requestId, {
      notification: action === 'revoked' ? 'certificateRevoked' : 'certificateRestored',
      number: before.number,
      reason: Object.fromEntries(
        languages.map((each) => [
          each,
          reason === 'other' ? note : [reasonText[each], note].filter(Boolean).join('\n'),
        ]),
      ) as typeof reasonText,
    });
    return store.findCertificateFacts(transaction, requestId);
  });
  if (!facts) throw new Refusal('CertificateNotFound');
  context.requests.announce();
  return describeCertificate(facts, { caller, language });
}
