import type { chargeReasonCollection } from '@diwan/contract/requests/rejection-reasons';
import type { ReplyOf } from '@diwan/contract/wire/call';
import { vatOn } from '@diwan/contract/wire/money';

/**
 * The typed fines and fees in fils; the text instead of an amount that is not clear. Stored in the
 * browser.
 */
export interface TypedCharges {
  fines?: number | undefined;
  finesText?: string | undefined;
  fees?: number | undefined;
  feesText?: string | undefined;
  /** The ids of the chosen reasons. */
  finesReason?: string | undefined;
  feesReason?: string | undefined;
  holdsGatewayFee: boolean;
}

export type ChargeReason = ReplyOf<typeof chargeReasonCollection>[number];

export const noCharges: TypedCharges = { holdsGatewayFee: false };

/** The maximum of the call. */
const maximumFils = 10_000_000_000;

export const isValidAmount = (fils: number | undefined) =>
  fils === undefined || (Number.isInteger(fils) && fils >= 0 && fils <= maximumFils);

/** The focus id of the first field without a valid amount. */
function findInvalidAmount({
  fines,
  finesText,
  fees,
  feesText,
}: TypedCharges): 'fines' | 'totalAdminstrativeFees' | undefined {
  if (finesText !== undefined || !isValidAmount(fines)) return 'fines';
  return feesText === undefined && isValidAmount(fees) ? undefined : 'totalAdminstrativeFees';
}

const isReasonMissing = (
  kind: ChargeReason['kind'],
  { amount = 0, reason }: { amount?: number | undefined; reason?: string | undefined },
  reasons: readonly ChargeReason[],
) => amount > 0 && !reason && reasons.some((each) => each.kind === kind);

/**
 * The focus id of the first field that keeps the charges from being sent: an amount that is no
 * amount, or an amount without its reason, where there are reasons to choose from.
 */
export function findInvalidCharge(
  charges: TypedCharges,
  reasons: readonly ChargeReason[],
): 'fines' | 'totalAdminstrativeFees' | 'finesReason' | 'feesReason' | undefined {
  const { fines, fees, finesReason, feesReason } = charges;
  const invalid = findInvalidAmount(charges);
  if (invalid) return invalid;
  if (isReasonMissing('fine', { amount: fines, reason: finesReason }, reasons))
    return 'finesReason';
  return isReasonMissing('fee', { amount: fees, reason: feesReason }, reasons)
    ? 'feesReason'
    : undefined;
}

/** The charges in the form of the call; empty without charges. */
export function toChargesBody(
  { fines: typedFines, fees: typedFees, finesReason, feesReason, holdsGatewayFee }: TypedCharges,
  vatRate: number,
) {
  // The field shows an error beside an amount that is none.
  const [fines = 0, fees = 0] = [typedFines, typedFees].map((amount) =>
    isValidAmount(amount) ? amount : 0,
  );
  const reasons = [fines > 0 ? finesReason : undefined, fees > 0 ? feesReason : undefined].flatMap(
    (id) => (id ? [Number(id)] : []),
  );
  return {
    ...(fines > 0 ? { fines, isPaymentGatewayFeesOfFinesCalculated: holdsGatewayFee } : {}),
    ...(fees > 0
      ? { totalAdminstrativeFees: fees, totalAdminstrativeFeesVatValue: vatOn(fees, vatRate) }
      : {}),
    ...(reasons.length > 0 ? { requestHistoryRejectionReasonsList: reasons } : {}),
  };
}
