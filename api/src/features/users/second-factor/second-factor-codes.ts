import { createHmac, randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { recoveryCodeCount, recoveryCodeDigits } from '@diwan/contract/people/second-factor';
import { sealedText } from '../../../platform/auth/sealed-text.ts';

const period = 30;
const digits = 6;
// RFC 4226 asks for at least 128 bits and recommends 160.
const secretBytes = 20;
// A phone's clock may be half a minute off, and people type slowly.
const window = 1;

const totpOf = (secret: string, label?: string) =>
  new TOTP({
    issuer: 'Diwan',
    ...(label === undefined ? {} : { label }),
    issuerInLabel: true,
    algorithm: 'SHA1',
    digits,
    period,
    secret: Secret.fromBase32(secret),
  });

/**
 * What somebody typed as a code: which kind it is, in Latin digits; `undefined` for what is
 * neither.
 */
export function readCode(typed: string): { kind: 'app' | 'recovery'; code: string } | undefined {
  const code = typed
    .normalize('NFKC')
    .replace(/[\s\u200E\u200F\u2066-\u2069-]/g, '')
    .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 0xf));
  if (!/^\d+$/.test(code)) return undefined;
  return code.length === digits
    ? { kind: 'app', code }
    : code.length === recoveryCodeDigits
      ? { kind: 'recovery', code }
      : undefined;
}

export function newTotpSecret(): string {
  return new Secret({ size: secretBytes }).base32;
}

/** The form in which authenticator apps take a secret. */
export function totpUri(secret: string, label: string): string {
  return totpOf(secret, label).toString();
}

/** The time step that a code of the app is for; `undefined` for a wrong one. */
export function findStep(secret: string, code: string, now = Date.now()): number | undefined {
  const delta = totpOf(secret).validate({ token: code, timestamp: now, window });
  return delta === null ? undefined : Math.floor(now / 1000 / period) + delta;
}

/**
 * Digits, because every keyboard of every language has them; twelve are 40 bits, far from what the
 * pace of sign-in lets anybody guess.
 */
export function newRecoveryCodeSet(): string[] {
  const codes = new Set<string>();
  while (codes.size < recoveryCodeCount)
    codes.add(
      String(randomInt(10 ** 6)).padStart(6, '0') + String(randomInt(10 ** 6)).padStart(6, '0'),
    );
  return [...codes];
}

/**
 * What keeps second factors at rest: secrets that can be read again, and hashes of recovery codes;
 * both belong to one user alone.
 */
export interface SecondFactorVault {
  seal(userId: string, secret: string): string;
  open(userId: string, sealed: string): string | undefined;
  /** The hash to keep first, then those of keys that were replaced. */
  hashes(userId: string, recoveryCode: string): string[];
}

export function secondFactorVault(keys: readonly Buffer[]): SecondFactorVault {
  const sealed = (userId: string) => sealedText(keys, `second factor of ${userId}`);
  return {
    seal: (userId, secret) => sealed(userId).seal(secret),
    open: (userId, text) => sealed(userId).open(text),
    hashes: (userId, code) =>
      keys.map((key) =>
        createHmac('sha256', key)
          .update(JSON.stringify(['recovery code', userId, code]))
          .digest('base64url'),
      ),
  };
}
