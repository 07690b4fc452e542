/** The states of a service provider. Only an active one can work. Source: specification §4. */
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
 * The actions that move a service provider from one state to another. `register` begins it;
 * `resubmit` answers `askAgain`.
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

/** One transition: from which states, to which, and by which side. */
export interface PartnerTransition {
  from: readonly PartnerState[];
  to: PartnerState;
  by: 'admin' | 'provider';
  /** Whether the action requires a reason. */
  requiresReason: boolean;
}

/** All transitions of a service provider. A wrong refusal is corrected by `askAgain`. */
export const partnerTransitions: Readonly<Record<PartnerAction, PartnerTransition>> = {
  register: { from: [], to: 'registered', by: 'provider', requiresReason: false },
  verify: { from: ['registered'], to: 'verifying', by: 'admin', requiresReason: false },
  askAgain: {
    from: ['verifying', 'refused'],
    to: 'needsDocuments',
    by: 'admin',
    requiresReason: true,
  },
  resubmit: { from: ['needsDocuments'], to: 'verifying', by: 'provider', requiresReason: false },
  accept: { from: ['verifying'], to: 'active', by: 'admin', requiresReason: false },
  refuse: {
    from: ['verifying', 'needsDocuments'],
    to: 'refused',
    by: 'admin',
    requiresReason: true,
  },
  suspend: { from: ['active'], to: 'suspended', by: 'admin', requiresReason: true },
  reactivate: { from: ['suspended'], to: 'active', by: 'admin', requiresReason: false },
};

/** The actions that one side may perform in a state. */
export function listPartnerActions(
  state: PartnerState,
  by: PartnerTransition['by'],
): PartnerAction[] {
  return partnerActions.filter(
    (action) =>
      partnerTransitions[action].by === by && partnerTransitions[action].from.includes(state),
  );
}
