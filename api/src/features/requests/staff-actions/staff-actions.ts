import type { StaffAction } from '@diwan/contract/requests/actions';
import { complete } from './complete.action.ts';
import { accept, approve } from './grant.action.ts';
import { hold, resume } from './hold.action.ts';
import { grantObjection, refuseObjection } from './objection.action.ts';
import { receive } from './receive.action.ts';
import { reject } from './reject.action.ts';
import { release } from './release.action.ts';
import { returnForCorrection } from './return.action.ts';
import type { StaffActionDefinition } from './staff-action.ts';
import { grantWithdrawal, refuseWithdrawal } from './withdrawal.action.ts';

const definitions: { [A in StaffAction]: StaffActionDefinition<A> } = {
  receive,
  approve,
  return: returnForCorrection,
  submitted: complete,
  accept,
  reject,
  release,
  hold,
  resume,
  grantWithdrawal,
  refuseWithdrawal,
  grantObjection,
  refuseObjection,
};

/** The definition of one of the actions. The contract has checked the body that `read` takes. */
type AnyStaffAction = Pick<StaffActionDefinition, 'prepare'> & { read(body: unknown): unknown };

/** What an action of staff does. */
export const staffActionOf = (action: StaffAction): AnyStaffAction => definitions[action];
