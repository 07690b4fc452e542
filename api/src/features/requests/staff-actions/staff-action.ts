import type { actionCalls } from '@diwan/contract/processing/action-calls';
import type { StaffAction } from '@diwan/contract/requests/actions';
import type { BodyOf } from '@diwan/contract/wire/call';
import type { ActionEffects, PreparedStep } from '../actions/perform.actions.ts';

/** What an action of staff does, beside the step that the workflow describes. */
export interface StaffActionDefinition<A extends StaffAction = StaffAction, Sent = unknown> {
  /**
   * What was sent, from the spellings of the wire. It is stored as JSON while the action can be
   * undone, and identifies a repeated call.
   */
  read(body: BodyOf<(typeof actionCalls)[A]>): Sent;
  /** Validates what `read` returned and says what the action changes. */
  prepare(step: PreparedStep<Sent>): Promise<ActionEffects>;
}

/** Types `read` by the body of the call, and `prepare` by what `read` returns. */
export const defineStaffAction =
  <A extends StaffAction>() =>
  <Sent>(definition: StaffActionDefinition<A, Sent>): StaffActionDefinition<A> =>
    definition;
