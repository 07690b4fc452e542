import type { OwnNotificationKind } from '../staff/notifications.ts';
import { applicants, staff, staffAndProviders, type ActingRole, type Role } from '../wire/call.ts';

/** What a workflow can make an action ask for: a reason, a message, a document, fines or fees. */
export const actionInputs = ['reason', 'note', 'document', 'fee'] as const;
export type ActionInput = (typeof actionInputs)[number];

/** How staff perform an action in the portal. */
interface StaffActionUse {
  /** The key that performs it on the page of a request. */
  key: string;
  /** It can be performed without input, where the workflow requires none. */
  isPlain?: true;
  /** The button: red, without a border, or never filled. Missing: filled where it is the first. */
  look?: 'danger' | 'quiet' | 'secondary';
  /** False: it is not the step that the bar explains. */
  isMain?: false;
  /** What is asked once when it runs on many requests; missing: it runs on one request only. */
  bulk?: 'nothing' | 'reason';
  /** Its key performs it on the selected requests of a list too. */
  hasBulkKey?: true;
}

/** One action on a request. The places that know of actions read these entries. */
interface ActionDefinition {
  /** Who may make its call; none for `pay`, which is a message of the payment provider. */
  roles: readonly Role[];
  /** Who performs it in a transition that is added to a workflow. */
  usualRoles: readonly (ActingRole | 'payment')[];
  /** The template of the messages to the applicant about it (`request-messages.json`). */
  event: string;
  /** The kind of notification that the applicant gets of it. */
  notification: OwnNotificationKind;
  /** The inputs that a workflow can require. What it always asks for is not named. */
  requirable?: readonly ActionInput[];
  /**
   * It grants what was asked for: it can add fines and fees (specification §3), decides on claimed
   * discounts, and its messages can be previewed.
   */
  isGranting?: true;
  /** With `isUndoable` it takes effect after UNDO_SECONDS. Decision 0052. */
  isUndoable?: true;
  /** The applicant takes the request back, or objects: nobody waits for that, and no request needs it to end. */
  isVoluntary?: true;
  /** The applicant may object to it for some days, as to a fine; then another person decides. */
  isObjectable?: true;
  /** It objects to the latest decision, while its day has not passed. */
  objects?: true;
  /** It may lead back to the payment of what is still due, and on where nothing is. */
  returnsToPayment?: true;
  /** The promised days begin again with it. */
  restartsClock?: true;
  /** It leads to a status in which the clock of the request stands still until a day. */
  beginsHold?: true;
  /** It leaves such a status; the server does so on the day. */
  endsHold?: true;
  /** Missing for actions of the applicant and the payment provider. */
  byStaff?: StaffActionUse;
}

const defineAction = <const A extends ActionDefinition>(action: A): A => action;

const office: readonly ActingRole[] = ['Employee', 'Admin'];

/**
 * The actions on a request, each declared once: specification §4, design §10. A new one is described
 * in docs/recipes.md.
 */
export const actions = {
  create: defineAction({
    roles: applicants,
    usualRoles: ['Client', 'CompanyUser'],
    event: 'created',
    notification: 'sent',
    restartsClock: true,
  }),
  update: defineAction({
    roles: applicants,
    usualRoles: ['Client', 'CompanyUser'],
    event: 'corrected',
    notification: 'sent',
    restartsClock: true,
  }),
  pay: defineAction({
    roles: [],
    usualRoles: ['payment'],
    event: 'paid',
    notification: 'paymentReceived',
    restartsClock: true,
  }),
  withdraw: defineAction({
    roles: applicants,
    usualRoles: ['Client', 'CompanyUser'],
    event: 'withdrawn',
    notification: 'sent',
    isVoluntary: true,
  }),
  askToWithdraw: defineAction({
    roles: applicants,
    usualRoles: ['Client', 'CompanyUser'],
    event: 'withdrawalAsked',
    notification: 'sent',
    isVoluntary: true,
  }),
  object: defineAction({
    roles: applicants,
    usualRoles: ['Client', 'CompanyUser'],
    event: 'objected',
    notification: 'sent',
    isVoluntary: true,
    objects: true,
  }),
  receive: defineAction({
    roles: staff,
    usualRoles: office,
    event: 'received',
    notification: 'progressed',
    byStaff: { key: 'e', isPlain: true, bulk: 'nothing', hasBulkKey: true },
  }),
  approve: defineAction({
    roles: staff,
    usualRoles: office,
    event: 'approved',
    notification: 'progressed',
    requirable: ['note', 'fee'],
    isGranting: true,
    isUndoable: true,
    byStaff: { key: 'a', isPlain: true },
  }),
  return: defineAction({
    roles: staffAndProviders,
    usualRoles: office,
    event: 'returned',
    notification: 'returned',
    requirable: ['reason', 'note'],
    isUndoable: true,
    byStaff: { key: 'r', look: 'secondary', bulk: 'reason' },
  }),
  submitted: defineAction({
    roles: staffAndProviders,
    usualRoles: office,
    event: 'completed',
    notification: 'completed',
    requirable: ['note', 'document', 'fee'],
    isGranting: true,
    isUndoable: true,
    byStaff: { key: 'c' },
  }),
  accept: defineAction({
    roles: staffAndProviders,
    usualRoles: ['ServiceProvider'],
    event: 'accepted',
    notification: 'progressed',
    requirable: ['note', 'fee'],
    isGranting: true,
    byStaff: { key: 't', isPlain: true },
  }),
  reject: defineAction({
    roles: staffAndProviders,
    usualRoles: office,
    event: 'rejected',
    notification: 'refused',
    isUndoable: true,
    isObjectable: true,
    byStaff: { key: 'd', look: 'danger', isMain: false, bulk: 'reason' },
  }),
  release: defineAction({
    roles: staff,
    usualRoles: office,
    event: 'released',
    notification: 'progressed',
    byStaff: {
      key: 'l',
      isPlain: true,
      look: 'quiet',
      isMain: false,
      bulk: 'nothing',
      hasBulkKey: true,
    },
  }),
  hold: defineAction({
    roles: staffAndProviders,
    usualRoles: office,
    event: 'onHold',
    notification: 'progressed',
    isUndoable: true,
    beginsHold: true,
    byStaff: { key: 'h', look: 'secondary', isMain: false },
  }),
  resume: defineAction({
    roles: staffAndProviders,
    usualRoles: office,
    event: 'resumed',
    notification: 'progressed',
    isUndoable: true,
    endsHold: true,
    byStaff: { key: 'u', isPlain: true, bulk: 'nothing' },
  }),
  grantWithdrawal: defineAction({
    roles: staff,
    usualRoles: office,
    event: 'withdrawalGranted',
    notification: 'progressed',
    isUndoable: true,
    byStaff: { key: 'w', isPlain: true },
  }),
  refuseWithdrawal: defineAction({
    roles: staff,
    usualRoles: office,
    event: 'withdrawalRefused',
    notification: 'progressed',
    isUndoable: true,
    byStaff: { key: 'v', look: 'secondary', isMain: false },
  }),
  grantObjection: defineAction({
    roles: staff,
    usualRoles: office,
    event: 'objectionGranted',
    notification: 'progressed',
    isUndoable: true,
    returnsToPayment: true,
    restartsClock: true,
    byStaff: { key: 'g', isPlain: true },
  }),
  refuseObjection: defineAction({
    roles: staff,
    usualRoles: office,
    event: 'objectionRefused',
    notification: 'refused',
    isUndoable: true,
    returnsToPayment: true,
    restartsClock: true,
    byStaff: { key: 'i', look: 'danger', isMain: false },
  }),
};

type Actions = typeof actions;
export type RequestAction = keyof Actions;
/** The actions whose entry has a part of this shape. */
type ActionsWith<Part> = {
  [A in RequestAction]: Actions[A] extends Part ? A : never;
}[RequestAction];
const isAction = (name: string): name is RequestAction => Object.hasOwn(actions, name);

/** The names of the actions, in the order in which replies list them. */
export const requestActions: readonly RequestAction[] = Object.keys(actions).filter(isAction);

/** The entry of an action, without the exact types of its parts. */
export const getAction = (action: RequestAction): ActionDefinition => actions[action];

const chooseActions = <A extends RequestAction>(
  isChosen: (action: ActionDefinition) => boolean,
): readonly A[] => requestActions.filter((name): name is A => isChosen(getAction(name)));

/** The actions that have a call. */
export type CalledAction = Exclude<RequestAction, 'pay'>;
/** The actions of staff and service providers, on the page of a request. */
export type StaffAction = ActionsWith<{ byStaff: StaffActionUse }>;
export const staffActions = chooseActions<StaffAction>(({ byStaff }) => byStaff !== undefined);
/** The actions that grant what was asked for. */
export type GrantingAction = ActionsWith<{ isGranting: true }>;
export const grantingActions = chooseActions<GrantingAction>(
  ({ isGranting }) => isGranting === true,
);
/** The actions that can be undone for some seconds. */
export type UndoableAction = ActionsWith<{ isUndoable: true }>;
export const undoableActions = chooseActions<UndoableAction>(
  ({ isUndoable }) => isUndoable === true,
);
/** The actions that can be performed without input. */
export type PlainAction = ActionsWith<{ byStaff: { isPlain: true } }>;
export const plainActions = chooseActions<PlainAction>(({ byStaff }) => byStaff?.isPlain === true);
/** Plain actions that also have a dialog with options: charges, and no notification. */
export type OptionAction = PlainAction & GrantingAction;
export const optionActions = chooseActions<OptionAction>(
  ({ byStaff, isGranting }) => isGranting === true && byStaff?.isPlain === true,
);
/** The actions that can run on many requests at the same time. */
export type BulkStaffAction = ActionsWith<{ byStaff: { bulk: string } }>;
export const bulkStaffActions = chooseActions<BulkStaffAction>(
  ({ byStaff }) => byStaff?.bulk !== undefined,
);
/** Those that ask for a reason of the list once. */
export type BulkReasonAction = ActionsWith<{ byStaff: { bulk: 'reason' } }>;
/** The templates of the actions, without those of steps that lead to a payment. */
export type ActionEvent = Actions[RequestAction]['event'];
export const eventOfAction = (action: RequestAction): ActionEvent => actions[action].event;
/** The shortcuts of staff actions. */
export type ActionKey = Actions[StaffAction]['byStaff']['key'];

/** How staff perform an action. */
export const staffUseOf = (action: StaffAction): StaffActionUse => actions[action].byStaff;
