import { createHmac, randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { createTokenEncryptor } from '#platform/auth/encrypted-token.ts';
import { createTranslator } from '#platform/core/locale-texts.ts';
import { recoveryCodeCount, recoveryCodeDigits } from '@diwan/contract/people/second-factor';
import { cleanIdentifier } from '@diwan/contract/wire/typed-text';

const period = 30;
const digits = 6;
// RFC 4226 asks for at least 128 bits and recommends 160.
const secretBytes = 20;
// Accepts the previous and the next code: clocks of phones differ, and typing takes time.
const window = 1;

const shell = createTranslator('shell');

const totpOf = (secret: string, label?: string) =>
  new TOTP({
    issuer: shell('shortName', 'en-US'),
    ...(label === undefined ? {} : { label }),
    issuerInLabel: true,
    algorithm: 'SHA1',
    digits,
    period,
    secret: Secret.fromBase32(secret),
  });

/** Parses a typed code into its kind and Latin digits; `undefined` for other texts. */
export function readCode(typed: string): { kind: 'app' | 'recovery'; code: string } | undefined {
  const code = cleanIdentifier(typed.normalize('NFKC')).replace(/[\s-]/g, '');
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

/** The URI that authenticator apps read. */
export function totpUri(secret: string, label: string): string {
  return totpOf(secret, label).toString();
}

/** Returns the time step of a code of the app; `undefined` for a wrong code. */
export function findStep(secret: string, code: string, now = Date.now()): number | undefined {
  const delta = totpOf(secret).validate({ token: code, timestamp: now, window });
  return delta === null ? undefined : Math.floor(now / 1000 / period) + delta;
}

/**
 * Recovery codes are digits, which every keyboard has. Twelve digits are 40 bits, which the login
 * throttle protects from guessing.
 */
export function newRecoveryCodeSet(): string[] {
  const codes = new Set<string>();
  while (codes.size < recoveryCodeCount)
    codes.add(
      String(randomInt(10 ** 6)).padStart(6, '0') + String(randomInt(10 ** 6)).padStart(6, '0'),
    );
  return [...codes];
}

/** Encrypts the secrets of second factors and hashes recovery codes, each for one user. */
export interface SecondFactorVault {
  seal(userId: string, secret: string): string;
  open(userId: string, sealed: string): string | undefined;
  /** The hash to store first, then the hashes by replaced keys. */
  hashes(userId: string, recoveryCode: string): string[];
}

export function secondFactorVault(keys: () => readonly Buffer[]): SecondFactorVault {
  const sealed = (userId: string) => createTokenEncryptor(keys, `second factor of ${userId}`);
  return {
    seal: (userId, secret) => sealed(userId).encrypt(secret),
    open: (userId, text) => sealed(userId).decrypt(text),
    hashes: (userId, code) =>
      keys().map((key) =>
        createHmac('sha256', key)
          .update(JSON.stringify(['recovery code', userId, code]))
          .digest('base64url'),
      ),
  };
}
