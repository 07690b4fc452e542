import { renderSVG } from 'uqr';
import { createTranslator } from '#platform/core/locale-texts.ts';
import type { PdfOrder } from '#platform/pdf/make-pdf.ts';
import { dayInDubai } from '@diwan/contract/wire/days';
import type { PrintedLogo } from '../services/logos/logos.actions.ts';
import { dayOf } from './certificate-content.ts';
import type { CertificateBlock, CertificateContent } from './certificates.store.ts';

const translate = createTranslator('certificates');

// A letter with a vowel sign would be extracted wrongly, and the same letter without one too.
const plain = (text: string): string => text.replace(/[\u064B-\u0652\u0670]/g, '');

// Numbers, days and names in Latin letters keep their direction.
const isLatin = (text: string): boolean => !/\p{Script=Arabic}/u.test(text);

const valueOf = (text: string) => ({ text: plain(text), isLatin: isLatin(text) });

/** A block as the template reads it. */
function printedBlock(block: CertificateBlock) {
  if (Array.isArray(block))
    return {
      kind: 'paragraph',
      pieces: block.map(({ text, isValue }) => ({
        text: plain(text),
        isValue,
        isLatin: isValue && isLatin(text),
      })),
    };
  if ('items' in block) return { kind: 'list', items: block.items.map(valueOf) };
  const { header, rows } = block;
  return { kind: 'table', header: header.map(plain), rows: rows.map((row) => row.map(valueOf)) };
}

const labelNames = [
  'number',
  'issued',
  'validUntil',
  'digest',
  'agency',
  'verified',
  'namedFor',
  'company',
  'sentBy',
  'check',
  'preview',
  'demo',
] as const;

interface Printed {
  content: CertificateContent;
  /** The last day; undefined without end. */
  validUntil: string | undefined;
  /** Empty in a preview, as are the digest and the address. */
  number: string;
  digest: string;
  address: string;
  issuedAt: Date;
  isDemo: boolean;
  /** The agency's. */
  logo: PrintedLogo | null;
  portalLogo: PrintedLogo | null;
}

/** Two names with their roles: who wrote another name than their own, or sent it for a company. */
function rolesOf({ applicant, namedFor, sentBy }: CertificateContent) {
  const named = (label: (typeof labelNames)[number], name: string) => ({ label, ...valueOf(name) });
  if (sentBy !== undefined) return [named('company', applicant), named('sentBy', sentBy)];
  if (namedFor !== undefined) return [named('verified', applicant), named('namedFor', namedFor)];
  return [];
}

/** What to print: one certificate in the language in which it was issued. */
export function certificateOrder(printed: Printed): PdfOrder {
  const { content, number, digest, address, issuedAt, validUntil, isDemo } = printed;
  const { language } = content;
  const isPreview = number === '';
  return {
    template: new URL('../../../templates/certificate.typ', import.meta.url),
    createdAt: issuedAt,
    data: {
      language,
      title: plain(content.title),
      agency: plain(content.agency),
      logo: printed.logo,
      portalLogo: printed.portalLogo,
      roles: rolesOf(content),
      number,
      digest,
      issuedOn: dayOf(dayInDubai(issuedAt)),
      validUntil: validUntil === undefined ? '' : dayOf(validUntil),
      blocks: content.paragraphs.map(printedBlock),
      isPreview,
      isDemo,
      labels: Object.fromEntries(
        labelNames.map((name) => [name, plain(translate(`document.${name}`, language))]),
      ),
      address,
      code: renderSVG(isPreview ? 'preview' : address, { ecc: 'M', border: 2 }),
      attachment: JSON.stringify({
        number,
        issuedOn: dayInDubai(issuedAt),
        ...(validUntil === undefined ? {} : { validUntil }),
        ...content,
      }),
    },
  };
}
