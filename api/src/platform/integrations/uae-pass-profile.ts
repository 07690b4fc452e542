import { z } from 'zod';
import { cleanText } from '@diwan/contract/forms/answer-values';
import { countryCode } from '../core/country-codes.ts';

export type IdentityLevel = 'SOP1' | 'SOP2' | 'SOP3';

/**
 * Who somebody is according to the identity provider. `emiratesId` is there for verified levels
 * only; `phoneNumber` begins with +.
 */
export interface Identity {
  /** The provider's name for the person; never given to another. */
  subject: string;
  level: IdentityLevel;
  nameEn?: string;
  nameAr?: string;
  emiratesId?: string;
  phoneNumber?: string;
  email?: string;
  /** ISO 3166-1, two letters; for verified levels only. */
  nationality?: string;
}

const text = z.string().max(1000).optional().catch(undefined);

/**
 * What UAE PASS tells of a person (docs.uaepass.ae, attributes list). Only two claims are relied
 * upon; the others are taken where they can be read.
 */
const profile = z.object({
  sub: z.string().min(1).max(200),
  userType: z
    .string()
    .trim()
    .toUpperCase()
    .pipe(z.enum(['SOP1', 'SOP2', 'SOP3'])),
  fullnameEN: text,
  fullnameAR: text,
  firstnameEN: text,
  firstnameAR: text,
  lastnameEN: text,
  lastnameAR: text,
  idn: text,
  mobile: text,
  email: text,
  nationalityEN: text,
});

// Full names arrive as parts with commas between, empty ones among them: "Ram,,,,Sharma,,".
const joined = (...parts: (string | undefined)[]): string =>
  parts
    .flatMap((part) => cleanText(part ?? '', false).split(/[,،\s]+/))
    .filter(Boolean)
    .join(' ')
    .slice(0, 200);

function readMobile(raw: string | undefined): string {
  const digits = (raw ?? '').replace(/\D/g, '').replace(/^00/, '');
  const own = /^(?:9710?|0)?(5\d{8})$/.exec(digits)?.[1];
  if (own) return `+971${own}`;
  return /^[1-9]\d{7,14}$/.test(digits) ? `+${digits}` : '';
}

// What the provider has verified is kept even where its check digit says otherwise (design §8);
// only its form is ours.
function readEmiratesId(raw: string | undefined): string {
  const digits = (raw ?? '').replace(/\D/g, '');
  // It decides whose account it is, so what several people may have, such as zeros for those
  // without a card, is none: 784, then the year of birth.
  if (!/^784[1-9]\d{7,26}$/.test(digits)) return '';
  return digits.replace(/^(\d{3})(\d{4})(\d{7})(\d)$/, '$1-$2-$3-$4');
}

const readEmail = (raw: string | undefined): string =>
  /^[^\s@]+@[^\s@]+$/.test(raw?.trim() ?? '') ? cleanText(raw ?? '', false).slice(0, 254) : '';

/** Reads the reply of UAE PASS's userinfo. Throws when it does not say who it is and how surely. */
export function readUAEPassProfile(reply: unknown): Identity {
  const claims = profile.parse(reply);
  const found = {
    nameEn: joined(claims.fullnameEN) || joined(claims.firstnameEN, claims.lastnameEN),
    nameAr: joined(claims.fullnameAR) || joined(claims.firstnameAR, claims.lastnameAR),
    // A basic account says of itself what it likes.
    emiratesId: claims.userType === 'SOP1' ? '' : readEmiratesId(claims.idn),
    nationality: claims.userType === 'SOP1' ? '' : countryCode(claims.nationalityEN ?? ''),
    phoneNumber: readMobile(claims.mobile),
    email: readEmail(claims.email),
  };
  return {
    subject: claims.sub,
    level: claims.userType,
    ...Object.fromEntries(Object.entries(found).filter(([, value]) => value !== '')),
  };
}
