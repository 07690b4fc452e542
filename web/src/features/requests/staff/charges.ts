import { vatOn } from '@diwan/contract/wire/money';

/** Fines and fees as they are typed, in fils; NaN where it is no number. */
export interface TypedCharges {
  fines?: number | undefined;
  fees?: number | undefined;
  holdsGatewayFee: boolean;
}

export const noCharges: TypedCharges = { holdsGatewayFee: false };

/** The most that the call takes. */
const most = 10_000_000_000;

export const isAmount = (fils: number | undefined) =>
  fils === undefined || (Number.isInteger(fils) && fils >= 0 && fils <= most);

/** The first box whose figure is none, by its focus id. */
export function wrongAmount({
  fines,
  fees,
}: TypedCharges): 'fines' | 'totalAdminstrativeFees' | undefined {
  if (!isAmount(fines)) return 'fines';
  return isAmount(fees) ? undefined : 'totalAdminstrativeFees';
}

/** As the call takes them; nothing where nothing is charged. */
export function chargesToSend(
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
