import { describe, expect, test } from 'vitest';
import {
  eligibilityRules,
  evaluateRule,
  type EligibilityRule,
  type PersonFacts,
} from './eligibility.ts';

const year = 2026;
const evaluate = (rule: object, facts: PersonFacts) =>
  evaluateRule({ name: 'rule', ...rule } as EligibilityRule, facts, year);

describe('evaluateRule', () => {
  test.each([
    [['company'], { account: 'individual' }, 'notMet'],
    [['company'], { account: 'company' }, 'met'],
    [['company', 'individual'], { account: 'individual' }, 'met'],
    [['company'], {}, 'ask'],
  ] as const)('account %j with %j: %s', (any, facts, state) =>
    expect(evaluate({ kind: 'account', any }, facts)).toBe(state),
  );

  test.each([
    [['citizen'], 'AE', 'met'],
    [['citizen'], 'PK', 'notMet'],
    [['citizen'], undefined, 'ask'],
    [['gcc', 'citizen'], 'KW', 'met'],
    [['citizen'], 'KW', 'notMet'],
    [['citizen', 'resident'], 'PK', 'ask'],
    [['resident', 'visitor'], 'PK', 'met'],
    [['resident'], 'AE', 'notMet'],
    [['citizen', 'gcc', 'resident', 'visitor'], undefined, 'met'],
  ] as const)('residence %j with nationality %s: %s', (any, nationality, state) =>
    expect(evaluate({ kind: 'standing', any }, { nationality })).toBe(state),
  );

  test.each([
    [{ in: ['PK', 'IN'] }, 'PK', 'met'],
    [{ in: ['PK'] }, 'IN', 'notMet'],
    [{ notIn: ['AE'] }, 'AE', 'notMet'],
    [{ notIn: ['AE'] }, 'PK', 'met'],
    [{ notIn: ['AE'] }, undefined, 'ask'],
  ] as const)('nationality %j with %s: %s', (rule, nationality, state) =>
    expect(evaluate({ kind: 'nationality', ...rule }, { nationality })).toBe(state),
  );

  // A person born in 2008 is 17 or 18 years old in 2026, depending on the day.
  test.each([
    [{ from: 18 }, 2008, 'ask'],
    [{ from: 18 }, 2007, 'met'],
    [{ from: 18 }, 2009, 'notMet'],
    [{ to: 17 }, 2008, 'ask'],
    [{ to: 17 }, 2009, 'met'],
    [{ to: 17 }, 2007, 'notMet'],
    [{ from: 18, to: 60 }, 1990, 'met'],
    [{ from: 18, to: 60 }, 1960, 'notMet'],
    [{ from: 18 }, undefined, 'ask'],
  ] as const)('age %j of a person born in %s: %s', (rule, birthYear, state) =>
    expect(evaluate({ kind: 'age', ...rule }, { birthYear })).toBe(state),
  );

  const title = { 'ar-EG': 'أ', 'en-US': 'a', 'ur-PK': 'ا' };
  test('licence: the trade licence on record satisfies a rule for a trade licence only', () => {
    expect(evaluate({ kind: 'licence' }, { hasTradeLicence: true })).toBe('met');
    expect(evaluate({ kind: 'licence' }, {})).toBe('ask');
    expect(evaluate({ kind: 'licence', title }, { hasTradeLicence: true })).toBe('ask');
  });

  test('facts that no record holds are asked', () => {
    expect(evaluate({ kind: 'emirate', any: ['dubai'] }, { account: 'company' })).toBe('ask');
    expect(
      evaluate({ kind: 'statement', text: title, question: title }, { account: 'company' }),
    ).toBe('ask');
  });
});

test.each([
  [[{ kind: 'age', name: 'age' }]],
  [[{ kind: 'age', name: 'age', from: 30, to: 20 }]],
  [[{ kind: 'nationality', name: 'n' }]],
  [[{ kind: 'nationality', name: 'n', in: ['PK'], notIn: ['AE'] }]],
  [[{ kind: 'nationality', name: 'n', in: ['Pakistan'] }]],
  [[{ kind: 'account', name: 'a', any: [] }]],
  [[{ kind: 'moon', name: 'm' }]],
  [
    [
      { kind: 'age', name: 'same', from: 1 },
      { kind: 'licence', name: 'same' },
    ],
  ],
  [[{ kind: 'licence', name: 'no name' }]],
])('refuses the rule %j', (rules) => expect(eligibilityRules.safeParse(rules).success).toBe(false));
