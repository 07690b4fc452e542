/**
 * Where a service provider is between its registration and its end. Only an active one works.
 * Source: specification §4.
 */
export const partnerStates = [
  'registered',
  'verifying',
  'needsDocuments',
  'active',
  'refused',
  'suspended',
] as const;
export type PartnerState = (typeof partnerStates)[number];

/**
 * What moves a service provider from one state to another. `register` begins it, `resubmit` answers
 * `askAgain`.
 */
export const partnerActions = [
  'register',
  'verify',
  'askAgain',
  'resubmit',
  'accept',
  'refuse',
  'suspend',
  'reactivate',
] as const;
export type PartnerAction = (typeof partnerActions)[number];

/** One row of the table of moves: from which states, to which, and by whom. */
export interface PartnerMove {
  from: readonly PartnerState[];
  to: PartnerState;
  by: 'admin' | 'provider';
  /** Nobody is asked again, refused or suspended without being told why. */
  isReasoned: boolean;
}

/**
 * The whole life of a service provider. A refusal that turns out to be wrong is mended by asking
 * again.
 */
export const partnerMoves: Readonly<Record<PartnerAction, PartnerMove>> = {
  register: { from: [], to: 'registered', by: 'provider', isReasoned: false },
  verify: { from: ['registered'], to: 'verifying', by: 'admin', isReasoned: false },
  askAgain: { from: ['verifying', 'refused'], to: 'needsDocuments', by: 'admin', isReasoned: true },
  resubmit: { from: ['needsDocuments'], to: 'verifying', by: 'provider', isReasoned: false },
  accept: { from: ['verifying'], to: 'active', by: 'admin', isReasoned: false },
  refuse: { from: ['verifying', 'needsDocuments'], to: 'refused', by: 'admin', isReasoned: true },
  suspend: { from: ['active'], to: 'suspended', by: 'admin', isReasoned: true },
  reactivate: { from: ['suspended'], to: 'active', by: 'admin', isReasoned: false },
};

/** What one side may do with a service provider that is in a state. */
export function partnerActionsFrom(state: PartnerState, by: PartnerMove['by']): PartnerAction[] {
  return partnerActions.filter(
    (action) => partnerMoves[action].by === by && partnerMoves[action].from.includes(state),
  );
}
