import { beforeEach, expect, it } from 'vitest';
import { WaitBudget } from './wait-budget.ts';

let budget: WaitBudget;
beforeEach(() => {
  budget = new WaitBudget();
  budget.begin(0);
});

it('leaves the usual limits where nobody waited', () => {
  budget.noteAnswer(0, 20);
  expect(budget.limit('commit', 9000)).toBeUndefined();
  expect(budget.limit('select 1', undefined)).toBeUndefined();
});

it('shortens a commit by the stalls before it, and no other statement', () => {
  budget.noteAnswer(0, 3000);
  budget.noteAnswer(3000, 3010);
  expect(budget.limit('commit', 9000)).toEqual({ query_timeout: 6000 });
  expect(budget.limit('select 1', 9000)).toBeUndefined();
  // Statements of one packet wait together.
  budget.noteAnswer(3010, 5010);
  budget.noteAnswer(3010, 5011);
  expect(budget.limit('commit', 9000)).toEqual({ query_timeout: 4000 });
});

it('shortens every statement by the wait for the connection, once for each user', () => {
  budget.begin(2000);
  expect(budget.limit('select 1', 9000)).toEqual({ query_timeout: 7000 });
  budget.begin(10);
  expect(budget.limit('select 1', 9000)).toBeUndefined();
});

it('leaves a second to the commit of long work', () => {
  budget.noteAnswer(0, 60_000);
  expect(budget.limit('commit', 9000)).toEqual({ query_timeout: 1000 });
});
