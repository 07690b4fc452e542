import type { Caller } from '#platform/auth/caller.ts';
import type { StaffAction } from '@diwan/contract/requests/actions';
import { performAction, type ActionTarget } from '../actions/perform-action.actions.ts';
import type { RequestsContext } from '../model/requests-context.ts';
import { complete } from './complete.action.ts';
import { accept, approve } from './grant.action.ts';
import { hold, resume } from './hold.action.ts';
import { receive } from './receive.action.ts';
import { reject } from './reject.action.ts';
import { release } from './release.action.ts';
import { returnForCorrection } from './return.action.ts';
import type { StaffActionDefinition } from './staff-action.ts';

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
};
const definitionOf = (action: StaffAction): StaffActionDefinition => definitions[action];

/** What was sent with an action, from the body of its call. */
export const readStaffAction = (action: StaffAction, body: unknown): unknown =>
  definitionOf(action).read(body as never);

/** Performs an action with what `readStaffAction` returned. Throws what the action throws. */
export function performStaffAction(
  context: RequestsContext,
  caller: Caller,
  target: ActionTarget,
  { action, sent }: { action: StaffAction; sent: unknown },
): Promise<void> {
  const { prepare } = definitionOf(action);
  return performAction(context, caller, target, {
    action,
    sent,
    prepare: (transaction, row, facts, step) =>
      prepare({ transaction, caller, row, facts, step, sent, now: context.now() }),
  });
}
