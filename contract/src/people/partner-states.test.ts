import { expect, it } from 'vitest';
import {
  partnerActions,
  partnerActionsFrom,
  partnerMoves,
  partnerStates,
} from './partner-states.ts';

// The whole life in one look: who may do what in which state.
const expected: Record<string, { admin: string[]; provider: string[] }> = {
  registered: { admin: ['verify'], provider: [] },
  verifying: { admin: ['askAgain', 'accept', 'refuse'], provider: [] },
  needsDocuments: { admin: ['refuse'], provider: ['resubmit'] },
  active: { admin: ['suspend'], provider: [] },
  refused: { admin: ['askAgain'], provider: [] },
  suspended: { admin: ['reactivate'], provider: [] },
};

it.each(partnerStates)('in the state %s exactly these actions are there', (state) => {
  expect(partnerActionsFrom(state, 'admin')).toEqual(expected[state]?.admin);
  expect(partnerActionsFrom(state, 'provider')).toEqual(expected[state]?.provider);
});

it('every state can be reached from the registration, and none but active lets anybody work', () => {
  const reached = new Set([partnerMoves.register.to]);
  for (let round = 0; round < partnerStates.length; round += 1)
    for (const action of partnerActions)
      if (partnerMoves[action].from.some((state) => reached.has(state)))
        reached.add(partnerMoves[action].to);
  expect([...reached].toSorted()).toEqual([...partnerStates].toSorted());
});
