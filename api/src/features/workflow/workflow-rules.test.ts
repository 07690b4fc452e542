import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { requestActions, type RequestAction } from '@diwan/contract/requests/actions';
import { workflowProblems, type Workflow } from '@diwan/contract/requests/workflow';
import type { Role } from '@diwan/contract/wire/call';
import {
  parseWorkflow,
  findStatusConflicts,
  findWorkflowProblems,
  WorkflowError,
} from './validate-workflow.ts';
import {
  allowedActions,
  chargingActions,
  findHoldEnd,
  findPaidStatus,
  findStep,
  providerStatuses,
  startStatus,
} from './workflow-rules.actions.ts';

const read = () =>
  JSON.parse(
    readFileSync(new URL('../../../seed/workflow.json', import.meta.url), 'utf8'),
  ) as Workflow;
const shipped = parseWorkflow(read());
const request = {
  user_id: 'owner',
  company_id: null,
  partner_id: 1,
  holder_id: 'employee',
  approver_id: null,
  objection_until: '2999-12-31',
  total: 100,
};
const companyRequest = { ...request, company_id: 7 };

const person = (
  role: Role,
  userId: string,
  companyId: number | null = null,
  partnerId: number | null = null,
) => ({ userId, roles: [role], companyId, partnerId });
const people = {
  owner: person('Client', 'owner'),
  otherClient: person('Client', 'other'),
  colleague: person('CompanyUser', 'colleague', 7),
  otherCompany: person('CompanyUser', 'other', 8),
  provider: person('ServiceProvider', 'provider', null, 1),
  otherProvider: person('ServiceProvider', 'other', null, 2),
  holder: person('Employee', 'employee'),
  otherEmployee: person('Employee', 'other'),
  admin: person('Admin', 'admin'),
};
type Person = keyof typeof people;

// The actions of the demo workflow by status and person, while one can object; all others are refused.
const expectedActions: Record<string, Partial<Record<Person, RequestAction[]>>> = {
  draft: { owner: ['create', 'update'], colleague: ['create', 'update'] },
  waitingForPayment: { owner: ['pay', 'withdraw'], colleague: ['pay', 'withdraw'] },
  new: {
    owner: ['withdraw', 'object'],
    colleague: ['withdraw', 'object'],
    holder: ['receive'],
    otherEmployee: ['receive'],
    admin: ['receive'],
  },
  processing: {
    owner: ['askToWithdraw', 'object'],
    colleague: ['askToWithdraw', 'object'],
    holder: ['approve', 'return', 'submitted', 'reject', 'release', 'hold'],
    admin: ['approve', 'return', 'submitted', 'reject', 'release', 'hold'],
  },
  returned: { owner: ['update', 'askToWithdraw'], colleague: ['update', 'askToWithdraw'] },
  approved: {
    owner: ['object'],
    colleague: ['object'],
    provider: ['accept', 'reject'],
    holder: ['submitted', 'accept'],
    otherEmployee: ['submitted', 'accept'],
    admin: ['submitted', 'accept', 'reject'],
  },
  withServiceProvider: {
    owner: ['object'],
    colleague: ['object'],
    provider: ['return', 'submitted', 'reject'],
    holder: ['submitted'],
    otherEmployee: ['submitted'],
    admin: ['submitted', 'reject'],
  },
  waitingForFees: {
    owner: ['pay', 'withdraw', 'object'],
    colleague: ['pay', 'withdraw', 'object'],
    holder: ['reject'],
    otherEmployee: ['reject'],
    admin: ['reject'],
  },
  completed: { owner: ['object'], colleague: ['object'] },
  rejected: { owner: ['object'], colleague: ['object'] },
  onHold: {
    owner: ['askToWithdraw'],
    colleague: ['askToWithdraw'],
    holder: ['resume'],
    admin: ['resume'],
  },
  withdrawn: {},
  withdrawalAsked: {
    holder: ['grantWithdrawal', 'refuseWithdrawal'],
    otherEmployee: ['grantWithdrawal', 'refuseWithdrawal'],
    admin: ['grantWithdrawal', 'refuseWithdrawal'],
  },
  objection: {
    holder: ['grantObjection', 'refuseObjection'],
    otherEmployee: ['grantObjection', 'refuseObjection'],
    admin: ['grantObjection', 'refuseObjection'],
  },
  fineObjection: {
    holder: ['grantObjection', 'refuseObjection'],
    otherEmployee: ['grantObjection', 'refuseObjection'],
    admin: ['grantObjection', 'refuseObjection'],
  },
};

const requestOf = (name: Person, statusId: number) => ({
  ...(name === 'colleague' || name === 'otherCompany' ? companyRequest : request),
  status_id: statusId,
});

describe('the shipped workflow', () => {
  it('has exactly the statuses of the table', () => {
    expect(shipped.statuses.map(({ key }) => key)).toEqual(Object.keys(expectedActions));
    expect(shipped.demo).toBe(true);
  });

  for (const { statusId, key } of shipped.statuses) {
    for (const name of Object.keys(people) as Person[]) {
      const expected = expectedActions[key]?.[name] ?? [];
      it(`${key}: ${name} may ${expected.join(', ') || 'do nothing'}`, () => {
        expect(allowedActions(shipped, people[name], requestOf(name, statusId))).toEqual(expected);
        for (const action of requestActions.filter(
          (each) => each !== 'pay' && !(each === 'create' && key === 'draft'),
        )) {
          const step = findStep(shipped, action, people[name], requestOf(name, statusId));
          const transition = shipped.transitions.find(
            (each) => each.action === action && each.from === statusId,
          );
          if (expected.includes(action))
            expect(step).toEqual({
              to: transition?.to,
              role: people[name].roles[0],
              ...(transition?.toPay === undefined ? {} : { toPay: transition.toPay }),
            });
          else expect(step).toBeUndefined();
        }
      });
    }
  }

  it('offers no payment for a request without fees', () => {
    expect(
      allowedActions(shipped, people.owner, {
        ...requestOf('owner', shipped.start.toPay),
        total: 0,
      }),
    ).toEqual(['withdraw']);
  });

  it('does not treat the sender of a company request as its owner after they left the company', () => {
    expect(
      allowedActions(shipped, people.owner, requestOf('colleague', shipped.start.toPay)),
    ).toEqual([]);
  });

  it.each([null, '2020-01-01'])('lets nobody object after the last day (%s)', (until) => {
    const [rejected, fined] = [10, 8].map((statusId) => ({
      ...requestOf('owner', statusId),
      objection_until: until,
    }));
    expect(allowedActions(shipped, people.owner, rejected!)).toEqual([]);
    expect(allowedActions(shipped, people.owner, fined!)).toEqual(['pay', 'withdraw']);
    expect(findStep(shipped, 'object', people.owner, rejected!)).toBeUndefined();
  });

  it('ends the last day of an objection at midnight in Asia/Dubai', () => {
    const rejected = { ...requestOf('owner', 10), objection_until: '2026-12-02' };
    const mayObject = (now: string) => {
      vi.useFakeTimers({ toFake: ['Date'], now: new Date(now) });
      return findStep(shipped, 'object', people.owner, rejected) !== undefined;
    };
    expect(mayObject('2026-12-02T23:59:59+04:00')).toBe(true);
    expect(mayObject('2026-12-03T00:00:00+04:00')).toBe(false);
    vi.useRealTimers();
  });

  it('starts with the payment or as new, for applicants only', () => {
    expect(startStatus(shipped, 100, people.owner)).toBe(shipped.start.toPay);
    expect(startStatus(shipped, 0, people.colleague)).toBe(shipped.start.free);
    expect(() => startStatus(shipped, 0, people.admin)).toThrow('ActionNotAllowed');
    expect(findPaidStatus(shipped, shipped.start.toPay)).toBe(shipped.start.free);
    expect(findPaidStatus(shipped, shipped.start.free)).toBeUndefined();
  });

  it('lets the holder and admins charge with the approval, and with no other action', () => {
    const charging = shipped.statuses.flatMap(({ statusId, key }) =>
      (Object.keys(people) as Person[]).flatMap((name) =>
        chargingActions(shipped, people[name], requestOf(name, statusId)).map(
          (action) => `${key} ${name} ${action}`,
        ),
      ),
    );
    expect(charging).toEqual(['processing holder approve', 'processing admin approve']);
    expect(findStep(shipped, 'approve', people.holder, requestOf('holder', 4))).toEqual({
      to: 6,
      toPay: 8,
      role: 'Employee',
    });
    expect(findPaidStatus(shipped, 8)).toBe(6);
    expect(findPaidStatus(shipped, 8, 7)).toBe(7);
    expect(findPaidStatus(shipped, 6, 7)).toBeUndefined();
  });

  it('shows a request to the provider from the approval on', () => {
    const keyOf = new Map(shipped.statuses.map(({ statusId, key }) => [statusId, key]));
    expect([...new Set(providerStatuses(shipped))].map((statusId) => keyOf.get(statusId))).toEqual([
      'approved',
      'withServiceProvider',
    ]);
  });
});

it('the end of a hold is its step alone, without what its email says', () => {
  const document = structuredClone(shipped);
  for (const each of document.transitions)
    if (each.action === 'resume') each.message = { 'ar-EG': 'نص', 'en-US': 'Text', 'ur-PK': 'متن' };
  expect(findHoldEnd(document, 11)).toEqual({ action: 'resume', to: 4 });
  expect(findHoldEnd(document, 4)).toBeUndefined();
});

describe('an invalid document', () => {
  const status = (document: Workflow) =>
    document.statuses.find(({ key }) => key === 'waitingForPayment') ??
    (shipped.statuses[0] as Workflow['statuses'][number]);
  const transition = (
    action: RequestAction,
    from: number | null,
    to: number,
    who: Workflow['transitions'][number]['who'],
  ) => ({ action, from, to, who });
  const keyed = (document: Workflow, key: string) =>
    document.statuses.find((each) => each.key === key) as Workflow['statuses'][number];
  const removeTransition = (document: Workflow, action: RequestAction, from: number) => {
    document.transitions = document.transitions.filter(
      (each) => each.action !== action || each.from !== from,
    );
  };
  const cases: [string, (document: Workflow) => void, string][] = [
    [
      'a status twice',
      (document) => document.statuses.push({ ...status(document), key: 'again' }),
      'statusTwice value 2',
    ],
    [
      'a key twice',
      (document) => document.statuses.push({ ...status(document), statusId: 99 }),
      'statusTwice value waitingForPayment',
    ],
    [
      'a transition to an unknown status',
      (document) => document.transitions.push(transition('receive', 2, 77, ['Admin'])),
      'statusMissing action receive from 2 to 77 status 77',
    ],
    [
      'a transition from an unknown status',
      (document) => document.transitions.push(transition('receive', 78, 3, ['Admin'])),
      'statusMissing action receive from 78 to 3 status 78',
    ],
    [
      'a charge that leads to an unknown status',
      (document) =>
        document.transitions.push({ ...transition('accept', 4, 6, ['Admin']), toPay: 79 }),
      'statusMissing action accept from 4 to 6 status 79',
    ],
    [
      'two transitions for one role and action',
      (document) => document.transitions.push(transition('receive', 3, 5, ['Admin'])),
      'rivals action receive from 3 role Admin',
    ],
    [
      'an unknown start status',
      (document) => Object.assign(document.start, { free: 55 }),
      'startMissing name free status 55',
    ],
    [
      'a start status that no creation leads to',
      (document) => Object.assign(document.start, { free: 4 }),
      'startNotCreated name free status 4',
    ],
    [
      'an unreachable status',
      (document) =>
        document.statuses.push({ ...keyed(document, 'completed'), statusId: 77, key: 'limbo' }),
      'unreachable status 77 key limbo',
    ],
    [
      'an action without a status before it',
      (document) => document.transitions.push(transition('receive', null, 3, ['Admin'])),
      'createMisplaced action receive from —',
    ],
    [
      'a creation from a status',
      (document) => document.transitions.push(transition('create', 3, 4, ['Client'])),
      'createMisplaced action create from 3',
    ],
    [
      'a draft that an employee receives',
      (document) => document.transitions.push(transition('receive', 1, 4, ['Admin'])),
      'draftMisplaced action receive from 1 to 4',
    ],
    [
      'a request that becomes a draft again',
      (document) => document.transitions.push(transition('return', 3, 1, ['Admin'])),
      'draftMisplaced action return from 3 to 1',
    ],
    [
      'a draft that cannot be sent',
      (document) => {
        document.transitions = document.transitions.filter(
          (each) => each.action !== 'create' || each.from === null,
        );
      },
      'deadEnd status 1 key draft',
    ],
    [
      'an approval by the applicant',
      (document) => document.transitions.push(transition('approve', 3, 6, ['Client'])),
      'notOpenTo action approve role Client',
    ],
    [
      'a payment by an admin',
      (document) => document.transitions.push(transition('pay', 5, 3, ['Admin'])),
      'payByOthers',
    ],
    [
      'an approval by a payment',
      (document) => document.transitions.push(transition('approve', 3, 6, ['payment'])),
      'notOpenTo action approve role payment',
    ],
    [
      'an unknown key',
      (document) => Object.assign(document, { colour: 'red' }),
      'unknownPart path colour',
    ],
    [
      'an unknown key of a status',
      (document) => Object.assign(keyed(document, 'new'), { colour: 'red' }),
      'unknownPart path statuses.2.colour',
    ],
    [
      'an empty name in one language',
      (document) => Object.assign(status(document).name, { 'ur-PK': '' }),
      'languageMissing path statuses.1.name language ur-PK',
    ],
    [
      'a name without a language',
      (document) => {
        delete (status(document).name as Partial<Workflow['statuses'][number]['name']>)['ar-EG'];
      },
      'languageMissing path statuses.1.name language ar-EG',
    ],
    [
      'a missing start',
      (document) => {
        delete (document as Partial<Workflow>).start;
      },
      'missingPart path start',
    ],
    [
      'a word instead of a number',
      (document) => Object.assign(document, { version: 'two' }),
      'wrongPart path version',
    ],
    [
      'a text that is too long',
      (document) => Object.assign(status(document).name, { 'en-US': 'x'.repeat(401) }),
      'textTooLong status 2 maximum 400',
    ],
    [
      'a text with NUL',
      (document) => Object.assign(status(document).name, { 'en-US': 'a\u0000b' }),
      'wrongPart path statuses.1.name.en-US',
    ],
    [
      'a text with a direction override',
      (document) => Object.assign(status(document).description, { 'ar-EG': 'a\u202eb' }),
      'wrongPart path statuses.1.description.ar-EG',
    ],
    [
      'a text with a line separator',
      (document) => Object.assign(document, { name: 'a\u2028b' }),
      'wrongPart path name',
    ],
    [
      'a lone surrogate',
      (document) => Object.assign(document, { name: 'a\ud800' }),
      'wrongPart path name',
    ],
    [
      'a dead end',
      (document) => {
        document.transitions = document.transitions.filter((each) => each.from !== 7);
      },
      'deadEnd status 7 key withServiceProvider',
    ],
    [
      'a cycle without an end',
      (document) => {
        document.transitions = document.transitions.filter(
          (each) =>
            !(each.from === 7 && each.action !== 'return') &&
            !(each.from === 6 && each.action !== 'accept') &&
            !(each.from === 4 && ['submitted', 'reject'].includes(each.action)) &&
            !(each.from === 8 && each.action === 'reject'),
        );
        const gone = ['rejected', 'objection'];
        document.statuses = document.statuses.filter(({ key }) => !gone.includes(key));
        document.transitions = document.transitions.filter(
          ({ from, to }) => ![10, 14].includes(to) && ![10, 14].includes(from ?? 0),
        );
      },
      'noEnd status 3 key new',
    ],
    [
      'a waiting status without an action of the applicant',
      (document) => Object.assign(keyed(document, 'new'), { tone: 'waiting' }),
      'waitsForNobody status 3 key new',
    ],
    [
      'a transition to the payment without a charge',
      (document) => document.transitions.push(transition('approve', 3, 8, ['Admin'])),
      'nothingToPay action approve status 8 key waitingForFees',
    ],
    [
      'a payment of free requests',
      (document) => Object.assign(document.start, { free: 2 }),
      'nothingToPay action create status 2 key waitingForPayment',
    ],
    [
      'a charge without a payment',
      (document) => removeTransition(document, 'pay', 8),
      'chargeNotPayable action approve status 8 key waitingForFees',
    ],
    [
      'a start for payment without a payment',
      (document) => removeTransition(document, 'pay', 2),
      'chargeNotPayable action create status 2 key waitingForPayment',
    ],
    [
      'a charge by an action without amounts',
      (document) =>
        Object.assign(document.transitions.find((each) => each.action === 'release') ?? {}, {
          toPay: 8,
        }),
      'chargeNotPossible action release',
    ],
    [
      'a charge while another one is due',
      (document) =>
        document.transitions.push({ ...transition('approve', 2, 6, ['Admin']), toPay: 8 }),
      'chargeWhileOwed action approve status 2 key waitingForPayment',
    ],
    [
      'a payment that leads elsewhere than the action that charged',
      (document) =>
        Object.assign(document.transitions.find((each) => each.action === 'approve') ?? {}, {
          to: 7,
        }),
      'paidElsewhere action approve from 4 to withServiceProvider status waitingForFees paid approved',
    ],
    [
      'a time limit of a status that is over',
      (document) => void (keyed(document, 'completed').workingDays = 3),
      'limitMisplaced status 9 key completed',
    ],
    [
      'a time limit while a request is on hold',
      (document) => void (keyed(document, 'onHold').workingDays = 3),
      'limitMisplaced status 11 key onHold',
    ],
    [
      'another way to be on hold',
      (document) => document.transitions.push(transition('accept', 4, 11, ['Admin'])),
      'holdMisplaced status 11 key onHold',
    ],
    [
      'a hold that waits for the applicant',
      (document) => {
        keyed(document, 'onHold').tone = 'waiting';
        document.transitions.push(transition('update', 11, 3, ['Client']));
      },
      'holdMisplaced status 11 key onHold',
    ],
    [
      'a hold without an end',
      (document) => {
        removeTransition(document, 'resume', 11);
        document.transitions.push(transition('reject', 11, 10, ['Admin']));
      },
      'holdNotEnded status 11 key onHold',
    ],
    [
      'a hold whose ends lead to different statuses',
      (document) => document.transitions.push(transition('resume', 11, 3, ['ServiceProvider'])),
      'holdEndsTwice status 11 key onHold',
    ],
    [
      'the end of a hold where there is none',
      (document) => document.transitions.push(transition('resume', 3, 4, ['Admin'])),
      'resumeMisplaced action resume from 3',
    ],
    [
      'an input that an action cannot take',
      (document) =>
        document.transitions.push({
          ...transition('receive', 5, 4, ['Admin']),
          requires: ['note'],
        }),
      'cannotRequire action receive from 5 input note',
    ],
    [
      'a required fee where nobody could pay it',
      (document) =>
        document.transitions.push({ ...transition('accept', 5, 6, ['Admin']), requires: ['fee'] }),
      'feeNotPossible action accept from 5',
    ],
    [
      'another approver where nobody has approved',
      (document) => {
        document.transitions.push({
          ...transition('approve', 3, 6, ['Admin']),
          anotherApprover: true,
        });
        removeTransition(document, 'return', 7);
        // An accepted objection leads back to where nobody has decided yet.
        document.transitions = document.transitions.filter(
          ({ action, from }) => !(action === 'grantObjection' && from === 14),
        );
      },
      'approverUnknown action approve from 3',
    ],
    [
      'a holder-only transition from a status without a holder',
      (document) => {
        document.transitions.push({ ...transition('approve', 3, 6, ['Admin']), holderOnly: true });
        removeTransition(document, 'release', 4);
        removeTransition(document, 'update', 5);
        document.transitions.push(transition('update', 5, 6, ['Client', 'CompanyUser']));
      },
      'holderUnknown action approve from 3',
    ],
    [
      'a counted status without an action of staff',
      (document) => Object.assign(keyed(document, 'completed'), { countsAs: 'processing' }),
      'countsWithoutWork status 9 key completed',
    ],
    [
      'no status that counts as new',
      (document) => {
        delete keyed(document, 'new').countsAs;
      },
      'nothingNew',
    ],
  ];
  it.each(cases)('%s is reported', (_, spoil, reason) => {
    const document = read();
    spoil(document);
    expect(() => parseWorkflow(document)).toThrow(WorkflowError);
    expect(new WorkflowError(findWorkflowProblems(document)).message.split(/: |; /)).toContain(
      reason,
    );
  });

  it('has a case for every problem, except those of the JSON text and of other documents', () => {
    const shown = new Set(cases.map(([, , reason]) => reason.split(' ')[0]));
    expect(workflowProblems.filter((code) => !shown.has(code))).toEqual([
      'notJson',
      'statusMeansOther',
    ]);
  });

  it('reports statuses that mean something else in another document', () => {
    const document = read();
    keyed(document, 'approved').key = 'rejectedForGood';
    keyed(document, 'processing').countsAs = 'new';
    keyed(document, 'completed').tone = 'progress';
    expect(
      findStatusConflicts(document, [shipped]).map(
        ({ code, params }) => `${code} ${params.status}`,
      ),
    ).toEqual(['statusMeansOther 4', 'statusMeansOther 6', 'statusMeansOther 9']);
    expect(findStatusConflicts(read(), [shipped])).toEqual([]);
  });

  it.each([undefined, null, 7, [], {}])('%j is refused', (value) => {
    expect(() => parseWorkflow(value)).toThrow(/^The workflow cannot be used: /);
  });
});
