import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Role } from '@diwan/contract/wire/call';
import {
  requestActions,
  workflowFaults,
  type RequestAction,
  type Workflow,
} from '@diwan/contract/requests/workflow';
import { checkWorkflow, findClashes, findWorkflowFaults, WorkflowError } from './check-workflow.ts';
import {
  allowedActions,
  chargingActions,
  findPaidStatus,
  findStep,
  providerStatuses,
  startStatus,
} from './workflow.ts';

const read = () =>
  JSON.parse(
    readFileSync(new URL('../../../../seed/workflow.json', import.meta.url), 'utf8'),
  ) as Workflow;
const shipped = checkWorkflow(read());
const request = {
  user_id: 'owner',
  company_id: null,
  partner_id: 1,
  holder_id: 'clerk',
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
  holder: person('Employee', 'clerk'),
  otherClerk: person('Employee', 'other'),
  admin: person('Admin', 'admin'),
};
type Person = keyof typeof people;

// The demo's map as its author meant it, status by status: what is not here is refused.
const meant: Record<string, Partial<Record<Person, RequestAction[]>>> = {
  draft: { owner: ['create', 'update'], colleague: ['create', 'update'] },
  waitingForPayment: { owner: ['pay'], colleague: ['pay'] },
  new: { holder: ['receive'], otherClerk: ['receive'], admin: ['receive'] },
  processing: {
    holder: ['approve', 'return', 'submitted', 'reject', 'release'],
    admin: ['approve', 'return', 'submitted', 'reject', 'release'],
  },
  returned: { owner: ['update'], colleague: ['update'] },
  approved: {
    provider: ['accept', 'reject'],
    holder: ['submitted', 'accept'],
    otherClerk: ['submitted', 'accept'],
    admin: ['submitted', 'accept', 'reject'],
  },
  withServiceProvider: {
    provider: ['return', 'submitted', 'reject'],
    holder: ['submitted'],
    otherClerk: ['submitted'],
    admin: ['submitted', 'reject'],
  },
  waitingForFees: {
    owner: ['pay'],
    colleague: ['pay'],
    holder: ['reject'],
    otherClerk: ['reject'],
    admin: ['reject'],
  },
  completed: {},
  rejected: {},
};

const ofPerson = (name: Person) =>
  name === 'colleague' || name === 'otherCompany' ? companyRequest : request;

describe('every cell of the shipped map', () => {
  it('has all statuses of the table, and no others', () => {
    expect(shipped.statuses.map(({ key }) => key)).toEqual(Object.keys(meant));
    expect(shipped.demo).toBe(true);
  });

  for (const { statusId, key } of shipped.statuses) {
    for (const name of Object.keys(people) as Person[]) {
      const expected = meant[key]?.[name] ?? [];
      it(`${key}: ${name} may ${expected.join(', ') || 'do nothing'}`, () => {
        expect(allowedActions(shipped, statusId, people[name], ofPerson(name))).toEqual(expected);
        for (const action of requestActions.filter(
          (each) => each !== 'pay' && !(each === 'create' && key === 'draft'),
        )) {
          const step = findStep(shipped, action, statusId, people[name], ofPerson(name));
          const cell = shipped.transitions.find(
            (each) => each.action === action && each.from === statusId,
          );
          if (expected.includes(action))
            expect(step).toEqual({
              to: cell?.to,
              role: people[name].roles[0],
              ...(cell?.toPay === undefined ? {} : { toPay: cell.toPay }),
            });
          else expect(step).toBeUndefined();
        }
      });
    }
  }

  it('lets nobody pay for what costs nothing', () => {
    expect(
      allowedActions(shipped, shipped.start.toPay, people.owner, { ...request, total: 0 }),
    ).toEqual([]);
  });

  it('does not take an applicant of a company for the owner of a company request after they left it', () => {
    expect(allowedActions(shipped, shipped.start.toPay, people.owner, companyRequest)).toEqual([]);
  });

  it('begins where there is something to pay, or as new, for applicants only', () => {
    expect(startStatus(shipped, 100, people.owner)).toBe(shipped.start.toPay);
    expect(startStatus(shipped, 0, people.colleague)).toBe(shipped.start.free);
    expect(() => startStatus(shipped, 0, people.admin)).toThrow('ActionNotAllowed');
    expect(findPaidStatus(shipped, shipped.start.toPay)).toBe(shipped.start.free);
    expect(findPaidStatus(shipped, shipped.start.free)).toBeUndefined();
  });

  it('lets the holder charge with the approval, and nobody with anything else', () => {
    const charging = shipped.statuses.flatMap(({ statusId, key }) =>
      (Object.keys(people) as Person[]).flatMap((name) =>
        chargingActions(shipped, statusId, people[name], ofPerson(name)).map(
          (action) => `${key} ${name} ${action}`,
        ),
      ),
    );
    expect(charging).toEqual(['processing holder approve', 'processing admin approve']);
    expect(findStep(shipped, 'approve', 4, people.holder, request)).toEqual({
      to: 6,
      toPay: 8,
      role: 'Employee',
    });
    expect(findPaidStatus(shipped, 8)).toBe(6);
  });

  it('concerns the provider from the approval on', () => {
    const keyOf = new Map(shipped.statuses.map(({ statusId, key }) => [statusId, key]));
    expect([...new Set(providerStatuses(shipped))].map((statusId) => keyOf.get(statusId))).toEqual([
      'approved',
      'withServiceProvider',
    ]);
  });
});

describe('a document that cannot be', () => {
  const status = (document: Workflow) =>
    document.statuses.find(({ key }) => key === 'waitingForPayment') ??
    (shipped.statuses[0] as Workflow['statuses'][number]);
  const cell = (
    action: RequestAction,
    from: number | null,
    to: number,
    who: Workflow['transitions'][number]['who'],
  ) => ({ action, from, to, who });
  const keyed = (document: Workflow, key: string) =>
    document.statuses.find((each) => each.key === key) as Workflow['statuses'][number];
  const withoutCell = (document: Workflow, action: RequestAction, from: number) => {
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
      'a way to nowhere',
      (document) => document.transitions.push(cell('receive', 2, 77, ['Admin'])),
      'statusMissing action receive from 2 to 77 status 77',
    ],
    [
      'a way from nowhere',
      (document) => document.transitions.push(cell('receive', 78, 3, ['Admin'])),
      'statusMissing action receive from 78 to 3 status 78',
    ],
    [
      'a charge that leads nowhere',
      (document) => document.transitions.push({ ...cell('accept', 4, 6, ['Admin']), toPay: 79 }),
      'statusMissing action accept from 4 to 6 status 79',
    ],
    [
      'two answers',
      (document) => document.transitions.push(cell('receive', 3, 5, ['Admin'])),
      'rivals action receive from 3 role Admin',
    ],
    [
      'a start that is not',
      (document) => Object.assign(document.start, { free: 55 }),
      'startMissing name free status 55',
    ],
    [
      'a start that nothing creates',
      (document) => Object.assign(document.start, { free: 4 }),
      'startNotCreated name free status 4',
    ],
    [
      'a status out of reach',
      (document) =>
        document.statuses.push({ ...keyed(document, 'completed'), statusId: 11, key: 'limbo' }),
      'unreachable status 11 key limbo',
    ],
    [
      'an action from nothing',
      (document) => document.transitions.push(cell('receive', null, 3, ['Admin'])),
      'createMisplaced action receive from —',
    ],
    [
      'a creation from something',
      (document) => document.transitions.push(cell('create', 3, 4, ['Client'])),
      'createMisplaced action create from 3',
    ],
    [
      'a draft that a clerk receives',
      (document) => document.transitions.push(cell('receive', 1, 4, ['Admin'])),
      'draftMisplaced action receive from 1 to 4',
    ],
    [
      'a request that becomes a draft again',
      (document) => document.transitions.push(cell('return', 3, 1, ['Admin'])),
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
      'an applicant who approves',
      (document) => document.transitions.push(cell('approve', 3, 6, ['Client'])),
      'notOpenTo action approve role Client',
    ],
    [
      'a clerk who pays',
      (document) => document.transitions.push(cell('pay', 5, 3, ['Admin'])),
      'payByOthers',
    ],
    [
      'a payment that approves',
      (document) => document.transitions.push(cell('approve', 3, 6, ['payment'])),
      'notOpenTo action approve role payment',
    ],
    [
      'an unknown word',
      (document) => Object.assign(document, { colour: 'red' }),
      'unknownPart path colour',
    ],
    [
      'an unknown word further in',
      (document) => Object.assign(keyed(document, 'new'), { colour: 'red' }),
      'unknownPart path statuses.2.colour',
    ],
    [
      'a name in two languages',
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
      'no start',
      (document) => {
        delete (document as Partial<Workflow>).start;
      },
      'missingPart path start',
    ],
    [
      'a number that is a word',
      (document) => Object.assign(document, { version: 'two' }),
      'wrongPart path version',
    ],
    [
      'a text of a whole book',
      (document) => Object.assign(status(document).name, { 'en-US': 'x'.repeat(401) }),
      'textTooLong status 2 maximum 400',
    ],
    [
      'a text with NUL',
      (document) => Object.assign(status(document).name, { 'en-US': 'a\u0000b' }),
      'wrongPart path statuses.1.name.en-US',
    ],
    [
      'a text that turns the page around',
      (document) => Object.assign(status(document).description, { 'ar-EG': 'a\u202eb' }),
      'wrongPart path statuses.1.description.ar-EG',
    ],
    [
      'a text that is two lines',
      (document) => Object.assign(document, { name: 'a\u2028b' }),
      'wrongPart path name',
    ],
    [
      'half a letter',
      (document) => Object.assign(document, { name: 'a\ud800' }),
      'wrongPart path name',
    ],
    [
      'a dead end under way',
      (document) => {
        document.transitions = document.transitions.filter((each) => each.from !== 7);
      },
      'deadEnd status 7 key withServiceProvider',
    ],
    [
      'a circle without an end',
      (document) => {
        document.transitions = document.transitions.filter(
          (each) =>
            !(each.from === 7 && each.action !== 'return') &&
            !(each.from === 6 && each.action !== 'accept') &&
            !(each.from === 4 && ['submitted', 'reject'].includes(each.action)) &&
            !(each.from === 8 && each.action === 'reject'),
        );
        document.statuses = document.statuses.filter(({ key }) => key !== 'rejected');
      },
      'noEnd status 3 key new',
    ],
    [
      'a status that waits for nobody',
      (document) => Object.assign(keyed(document, 'new'), { tone: 'waiting' }),
      'waitsForNobody status 3 key new',
    ],
    [
      'a way to the till with nothing to pay',
      (document) => document.transitions.push(cell('approve', 3, 8, ['Admin'])),
      'nothingToPay action approve status 8 key waitingForFees',
    ],
    [
      'free requests that must pay',
      (document) => Object.assign(document.start, { free: 2 }),
      'nothingToPay action create status 2 key waitingForPayment',
    ],
    [
      'a charge that nobody can pay',
      (document) => withoutCell(document, 'pay', 8),
      'chargeNotPayable action approve status 8 key waitingForFees',
    ],
    [
      'a start that nobody can pay',
      (document) => withoutCell(document, 'pay', 2),
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
      'a charge on top of an open one',
      (document) => document.transitions.push({ ...cell('approve', 2, 6, ['Admin']), toPay: 8 }),
      'chargeWhileOwed action approve status 2 key waitingForPayment',
    ],
    [
      'an order of holders before anybody holds',
      (document) => {
        document.transitions.push({ ...cell('approve', 3, 6, ['Admin']), holderOnly: true });
        withoutCell(document, 'release', 4);
        withoutCell(document, 'update', 5);
        document.transitions.push(cell('update', 5, 6, ['Client', 'CompanyUser']));
      },
      'holderUnknown action approve from 3',
    ],
    [
      'a count of what staff cannot do',
      (document) => Object.assign(keyed(document, 'completed'), { countsAs: 'processing' }),
      'countsWithoutWork status 9 key completed',
    ],
    [
      'nothing that counts as new',
      (document) => {
        delete keyed(document, 'new').countsAs;
      },
      'nothingNew',
    ],
  ];
  it.each(cases)('%s', (_, spoil, reason) => {
    const document = read();
    spoil(document);
    expect(() => checkWorkflow(document)).toThrow(WorkflowError);
    expect(new WorkflowError(findWorkflowFaults(document)).message.split(/: |; /)).toContain(
      reason,
    );
  });

  it('knows every fault but two by one of these cases; those are of the text, and of other documents', () => {
    const shown = new Set(cases.map(([, , reason]) => reason.split(' ')[0]));
    expect(workflowFaults.filter((code) => !shown.has(code))).toEqual([
      'notJson',
      'statusMeansOther',
    ]);
  });

  it('keeps what a status means in every document', () => {
    const document = read();
    keyed(document, 'approved').key = 'rejectedForGood';
    keyed(document, 'processing').countsAs = 'new';
    keyed(document, 'completed').tone = 'progress';
    expect(
      findClashes(document, [shipped]).map(({ code, params }) => `${code} ${params.status}`),
    ).toEqual(['statusMeansOther 4', 'statusMeansOther 6', 'statusMeansOther 9']);
    expect(findClashes(read(), [shipped])).toEqual([]);
  });

  it.each([undefined, null, 7, [], {}])('%j', (value) => {
    expect(() => checkWorkflow(value)).toThrow(/^The workflow cannot be used: /);
  });
});
