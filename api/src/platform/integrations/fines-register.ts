import { z } from 'zod';
import { fineNumberPattern } from '@diwan/contract/forms/forms';
import type { LocalizedText } from '@diwan/contract/wire/languages';
import { chargedFils } from '@diwan/contract/wire/money';
import { callIntegration, IntegrationError } from './http-client.ts';

/** What a register finds fines by: the answers to the fields that the form names. */
export type FineKeys = Readonly<Record<string, string | number>>;

/** A fine that is due. `amount` in fils, `on` a day. */
export interface RegisteredFine {
  number: string;
  place: LocalizedText;
  on: string;
  amount: number;
}

/** A fine that was paid in the portal. */
interface PaidFine {
  register: string;
  number: string;
  /** Fils. */
  amount: number;
  /** The number of the request. */
  reference: string;
  paidAt: Date;
}

/** The registers of fines of the agencies. */
export interface FinesRegister {
  /** The fines that are due now. Throws when the register gives no usable answer within five seconds. */
  find(register: string, foundBy: FineKeys): Promise<RegisteredFine[]>;
  /**
   * Says that a fine was paid; the same key counts once. `refused`: it is not due, because it was paid
   * elsewhere or withdrawn. Throws like `find`.
   */
  settle(fine: PaidFine, idempotencyKey: string): Promise<'settled' | 'refused'>;
}

const text = z.string().trim().min(1).max(200);
const found = z.object({
  fines: z
    .array(
      z.object({
        number: z.string().regex(fineNumberPattern),
        place: z.object({ ar: text, en: text, ur: text.optional() }),
        on: z.iso.date(),
        amount: chargedFils.min(1),
      }),
    )
    .max(500)
    .refine(
      (fines) => new Set(fines.map(({ number }) => number)).size === fines.length,
      'two fines have the same number',
    ),
});

/** Registers over HTTP, as docs/operations/integrations.md describes them. */
export function httpFinesRegister(url: string, key: string): FinesRegister {
  const addressOf = (register: string, call: string) =>
    `${url.replace(/\/$/, '')}/registers/${encodeURIComponent(register)}/${call}`;
  return {
    async find(register, foundBy) {
      const reply = await callIntegration(addressOf(register, 'search'), key, { foundBy });
      return found.parse(reply).fines.map(({ place: { ar, en, ur = en }, ...fine }) => ({
        ...fine,
        place: { 'ar-EG': ar, 'en-US': en, 'ur-PK': ur },
      }));
    },
    async settle({ register, paidAt, ...fine }, idempotencyKey) {
      try {
        await callIntegration(
          addressOf(register, 'payments'),
          key,
          { ...fine, paidAt: paidAt.toISOString() },
          idempotencyKey,
        );
        return 'settled';
      } catch (error) {
        if (error instanceof IntegrationError && error.status === 409) return 'refused';
        throw error;
      }
    },
  };
}
