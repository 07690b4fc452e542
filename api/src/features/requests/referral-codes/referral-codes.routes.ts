import { localize } from '#platform/core/localize.ts';
import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import {
  endReferralCode,
  getReferralCodes,
  getReferralCodeUses,
  saveReferralCode,
  checkReferralCodeValidity,
} from '@diwan/contract/payments/referral-codes';
import { endCode, getReferralCode, saveCode, toReferralCode } from './referral-codes.actions.ts';
import {
  findReferralCode,
  hasUsesLeft,
  selectCodeUses,
  selectReferralCodes,
} from './referral-codes.store.ts';

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

  const { database } = context;
  serve(context, getReferralCodes, async ({ query }) => {
    const { items, totalCount } = await selectReferralCodes(database, query);
    return { items: items.map(toReferralCode), pageNumber: query.PageNumber, totalCount };
  });

  serve(context, saveReferralCode, ({ caller, request, body }) =>
    saveCode(database, { caller, address: request.ip }, body),
  );

  serve(context, endReferralCode, ({ caller, request, body }) =>
    endCode(database, { caller, address: request.ip }, body),
  );

  serve(context, getReferralCodeUses, async ({ query, language }) => {
    await getReferralCode(database, query.Code);
    const page = await selectCodeUses(database, language, query);
    return { ...page, pageNumber: query.PageNumber };
  });
}
