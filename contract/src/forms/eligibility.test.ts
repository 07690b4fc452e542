import { describe, expect, test } from 'vitest';
import {
  eligibilityRules,
  judgeRule,
  type EligibilityRule,
  type PersonFacts,
} from './eligibility.ts';

const year = 2026;
const judge = (rule: object, facts: PersonFacts) =>
  judgeRule({ name: 'rule', ...rule } as EligibilityRule, facts, year);

describe('a rule', () => {
  test.each([
    [['company'], { account: 'individual' }, 'notMet'],
    [['company'], { account: 'company' }, 'met'],
    [['company', 'individual'], { account: 'individual' }, 'met'],
    [['company'], {}, 'ask'],
  ] as const)('account %j by %j: %s', (any, facts, state) =>
    expect(judge({ kind: 'account', any }, facts)).toBe(state),
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
  ] as const)('standing %j by %s: %s', (any, nationality, state) =>
    expect(judge({ kind: 'standing', any }, { nationality })).toBe(state),
  );

  test.each([
    [{ in: ['PK', 'IN'] }, 'PK', 'met'],
    [{ in: ['PK'] }, 'IN', 'notMet'],
    [{ notIn: ['AE'] }, 'AE', 'notMet'],
    [{ notIn: ['AE'] }, 'PK', 'met'],
    [{ notIn: ['AE'] }, undefined, 'ask'],
  ] as const)('nationality %j by %s: %s', (rule, nationality, state) =>
    expect(judge({ kind: 'nationality', ...rule }, { nationality })).toBe(state),
  );

  // Born in 2008, somebody is 17 or 18 in 2026, by the day.
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
  ] as const)('age %j of somebody born in %s: %s', (rule, birthYear, state) =>
    expect(judge({ kind: 'age', ...rule }, { birthYear })).toBe(state),
  );

  const title = { 'ar-EG': 'أ', 'en-US': 'a', 'ur-PK': 'ا' };
  test('licence: the trade licence on record counts for a trade licence only', () => {
    expect(judge({ kind: 'licence' }, { hasTradeLicence: true })).toBe('met');
    expect(judge({ kind: 'licence' }, {})).toBe('ask');
    expect(judge({ kind: 'licence', title }, { hasTradeLicence: true })).toBe('ask');
  });

  test('what no record knows is asked', () => {
    expect(judge({ kind: 'emirate', any: ['dubai'] }, { account: 'company' })).toBe('ask');
    expect(judge({ kind: 'statement', text: title, question: title }, { account: 'company' })).toBe(
      'ask',
    );
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
])('%j is no rule', (rules) => expect(eligibilityRules.safeParse(rules).success).toBe(false));
