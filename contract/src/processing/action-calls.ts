import type { CalledAction } from '../requests/actions.ts';
import {
  createRequest,
  updateRequest,
  receiveRequest,
  approveRequest,
  returnRequest,
  submittedRequest,
  acceptRequest,
  rejectRequest,
  releaseRequest,
  holdRequest,
  resumeRequest,
} from '../requests/request-actions.ts';
import type { Call } from '../wire/call.ts';
import { objectToDecision, grantObjection, refuseObjection } from './objections.ts';
import {
  withdrawRequest,
  askToWithdrawRequest,
  grantWithdrawal,
  refuseWithdrawal,
} from './withdrawals.ts';

/** The call of each action. */
export const actionCalls = {
  create: createRequest,
  update: updateRequest,
  receive: receiveRequest,
  approve: approveRequest,
  return: returnRequest,
  submitted: submittedRequest,
  accept: acceptRequest,
  reject: rejectRequest,
  release: releaseRequest,
  hold: holdRequest,
  resume: resumeRequest,
  withdraw: withdrawRequest,
  askToWithdraw: askToWithdrawRequest,
  grantWithdrawal,
  refuseWithdrawal,
  object: objectToDecision,
  grantObjection,
  refuseObjection,
} satisfies Record<CalledAction, Call>;
