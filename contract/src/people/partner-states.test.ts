import { expect, it } from 'vitest';
import {
  partnerActions,
  listPartnerActions,
  partnerTransitions,
  partnerStates,
} from './partner-states.ts';

// All allowed actions by state and side.
const expected: Record<string, { admin: string[]; provider: string[] }> = {
  registered: { admin: ['verify'], provider: [] },
  verifying: { admin: ['askAgain', 'accept', 'refuse'], provider: [] },
  needsDocuments: { admin: ['refuse'], provider: ['resubmit'] },
  active: { admin: ['suspend'], provider: [] },
  refused: { admin: ['askAgain'], provider: [] },
  suspended: { admin: ['reactivate'], provider: [] },
};

it.each(partnerStates)('the state %s allows exactly these actions', (state) => {
  expect(listPartnerActions(state, 'admin')).toEqual(expected[state]?.admin);
  expect(listPartnerActions(state, 'provider')).toEqual(expected[state]?.provider);
});

it('every state is reachable from the registration, and only an active provider can work', () => {
  const reached = new Set([partnerTransitions.register.to]);
  for (let round = 0; round < partnerStates.length; round += 1)
    for (const action of partnerActions)
      if (partnerTransitions[action].from.some((state) => reached.has(state)))
        reached.add(partnerTransitions[action].to);
  expect([...reached].toSorted()).toEqual([...partnerStates].toSorted());
});
