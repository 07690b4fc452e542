import { localize } from '#platform/core/localize.ts';
import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import { checkReferralCodeValidity } from '@diwan/contract/requests/request-actions';
import { findReferralCode, hasUsesLeft } from './referral-codes.store.ts';

/**
 * Source: specification §7 ReferralCode. The limit for each address prevents guessing codes.
 */
export function serveReferralCodes(context: AppContext): void {
  serve(
    context,
    checkReferralCodeValidity,
    async ({ query, language }) => {
      const { database } = context;
      const row = await findReferralCode(database, query.refferalCode, new Date());
      return row && (await hasUsesLeft(database, query.refferalCode))
        ? { isValid: true, name: localize(row.name, language) }
        : { isValid: false };
    },
    {
      perMinute: context.config.INQUIRIES_PER_MINUTE,
      failures: { isFailure: ({ isValid }) => !isValid },
    },
  );
}
