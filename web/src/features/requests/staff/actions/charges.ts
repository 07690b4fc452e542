import { vatOn } from '@diwan/contract/wire/money';

/** The typed fines and fees in fils; NaN when the text is not a number. Stored in the browser. */
export interface TypedCharges {
  fines?: number | undefined;
  fees?: number | undefined;
  holdsGatewayFee: boolean;
}

export const noCharges: TypedCharges = { holdsGatewayFee: false };

/** The maximum of the call. */
const maximumFils = 10_000_000_000;

export const isValidAmount = (fils: number | undefined) =>
  fils === undefined || (Number.isInteger(fils) && fils >= 0 && fils <= maximumFils);

/** The focus id of the first field without a valid amount. */
export function findInvalidAmount({
  fines,
  fees,
}: TypedCharges): 'fines' | 'totalAdminstrativeFees' | undefined {
  if (!isValidAmount(fines)) return 'fines';
  return isValidAmount(fees) ? undefined : 'totalAdminstrativeFees';
}

/** The charges in the form of the call; empty without charges. */
export function toChargesBody(
  { fines = 0, fees = 0, holdsGatewayFee }: TypedCharges,
  vatRate: number,
) {
  return {
    ...(fines > 0 ? { fines, isPaymentGatewayFeesOfFinesCalculated: holdsGatewayFee } : {}),
    ...(fees > 0
      ? { totalAdminstrativeFees: fees, totalAdminstrativeFeesVatValue: vatOn(fees, vatRate) }
      : {}),
  };
}
