import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Role } from '@diwan/contract/call';
import { requestActions, type RequestAction, type Workflow } from '@diwan/contract/workflow';
import { checkWorkflow } from './check-workflow.ts';
import { allowedActions, findPaidStatus, nextStatus, providerStatuses, startStatus } from './workflow.ts';

const read = () => JSON.parse(readFileSync(new URL('../../../seed/workflow.json', import.meta.url), 'utf8')) as Workflow;
const shipped = checkWorkflow(read());
const request = { user_id: 'owner', company_id: null, partner_id: 1, holder_id: 'clerk', total: 100 };
const companyRequest = { ...request, company_id: 7 };

const person = (role: Role, userId: string, companyId: number | null = null, partnerId: number | null = null) => ({ userId, roles: [role], companyId, partnerId });
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
  waitingForPayment: { owner: ['pay'], colleague: ['pay'] },
  new: { holder: ['receive'], otherClerk: ['receive'], admin: ['receive'] },
  processing: { holder: ['approve', 'return', 'submitted', 'reject', 'release'], admin: ['approve', 'return', 'submitted', 'reject', 'release'] },
  returned: { owner: ['update'], colleague: ['update'] },
  approved: { provider: ['accept', 'reject'], holder: ['submitted', 'accept'], otherClerk: ['submitted', 'accept'], admin: ['submitted', 'accept', 'reject'] },
  withServiceProvider: { provider: ['return', 'submitted', 'reject'], holder: ['submitted'], otherClerk: ['submitted'], admin: ['submitted', 'reject'] },
  completed: {},
  rejected: {},
};

const ofPerson = (name: Person) => (name === 'colleague' || name === 'otherCompany' ? companyRequest : request);

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
        for (const action of requestActions.filter((each) => each !== 'pay')) {
          const step = () => nextStatus(shipped, action, statusId, people[name], ofPerson(name));
          const cell = shipped.transitions.find((each) => each.action === action && each.from === statusId);
          if (expected.includes(action)) expect(step()).toEqual({ to: cell?.to, role: people[name].roles[0] });
          else expect(step).toThrow('ActionNotAllowed');
        }
      });
    }
  }

  it('lets nobody pay for what costs nothing', () => {
    expect(allowedActions(shipped, shipped.start.toPay, people.owner, { ...request, total: 0 })).toEqual([]);
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

  it('concerns the provider from the approval on', () => {
    const keyOf = new Map(shipped.statuses.map(({ statusId, key }) => [statusId, key]));
    expect([...new Set(providerStatuses(shipped))].map((statusId) => keyOf.get(statusId))).toEqual(['approved', 'withServiceProvider']);
  });
});

describe('a document that cannot be', () => {
  const status = (document: Workflow) => document.statuses.find(({ key }) => key === 'waitingForPayment') ?? shipped.statuses[0] as Workflow['statuses'][number];
  const cell = (action: RequestAction, from: number | null, to: number, who: Workflow['transitions'][number]['who']) => ({ action, from, to, who });
  const cases: [string, (document: Workflow) => void, RegExp][] = [
    ['a status twice', (document) => document.statuses.push({ ...status(document), key: 'again' }), /two statuses are called 2/],
    ['a key twice', (document) => document.statuses.push({ ...status(document), statusId: 99 }), /two statuses are called waitingForPayment/],
    ['a way to nowhere', (document) => document.transitions.push(cell('receive', 2, 77, ['Admin'])), /there is no status 77/],
    ['a way from nowhere', (document) => document.transitions.push(cell('receive', 78, 3, ['Admin'])), /there is no status 78/],
    ['two answers', (document) => document.transitions.push(cell('receive', 3, 5, ['Admin'])), /two transitions answer for receive from 3 by Admin/],
    ['a start that is not', (document) => Object.assign(document.start, { free: 55 }), /start.free is 55, and there is no such status/],
    ['a start that nothing creates', (document) => Object.assign(document.start, { free: 4 }), /start.free is 4, and nothing creates/],
    ['a status out of reach', (document) => document.statuses.push({ ...status(document), statusId: 11, key: 'limbo' }), /no request can ever reach status 11 \(limbo\)/],
    ['an action from nothing', (document) => document.transitions.push(cell('receive', null, 3, ['Admin'])), /create, and create alone, begins from nothing/],
    ['a creation from something', (document) => document.transitions.push(cell('create', 3, 4, ['Client'])), /create, and create alone, begins from nothing/],
    ['an applicant who approves', (document) => document.transitions.push(cell('approve', 3, 6, ['Client'])), /approve is not open to Client/],
    ['a clerk who pays', (document) => document.transitions.push(cell('pay', 5, 3, ['Admin'])), /pay is the word of the payment provider alone/],
    ['a payment that approves', (document) => document.transitions.push(cell('approve', 3, 6, ['payment'])), /approve is not open to payment/],
    ['an unknown word', (document) => Object.assign(document, { colour: 'red' }), /colour/],
    ['a name in two languages', (document) => Object.assign(status(document).name, { 'ur-PK': '' }), /statuses.0.name/],
  ];
  it.each(cases)('%s', (_, spoil, reason) => {
    const document = read();
    spoil(document);
    expect(() => checkWorkflow(document)).toThrow(reason);
  });

  it.each([undefined, null, 7, [], {}])('%j', (value) => {
    expect(() => checkWorkflow(value)).toThrow(/^The workflow cannot be used: /);
  });
});
