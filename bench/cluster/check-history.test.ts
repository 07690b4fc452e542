import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../api/src/testing/load/payment-plans.ts';
import {
  checkHistory,
  longestGap,
  type Act,
  type CommittedRequest,
  type CommittedStep,
  type History,
  type Outcome,
  type Reading,
} from './check-history.ts';

type Fault = 'lock' | 'failover' | 'repeat' | 'refusal' | 'uncommitted' | 'stale' | 'count';

interface StoredRequest {
  requestId: number;
  steps: CommittedStep[];
}

interface Waiting {
  request: StoredRequest;
  version: number;
  mark: string;
  begin: number;
}

/**
 * Clients on a model of the portal, in an order that follows from the seed: each act reads a request
 * and writes some turns later, when another client may have written. One act in twenty is repeated, and
 * nobody knows what became of another one. A fault is planted once, after the first hundred acts; without the lock
 * every write goes through.
 */
function play(seed: number, count: number, fault?: Fault): History {
  const random = seededRandom(seed);
  const below = (end: number) => Math.floor(random() * end);
  const stored: StoredRequest[] = [];
  const acts: Act[] = [];
  const readings: Reading[] = [];
  const waiting: Waiting[] = [];
  let [now, isPlanted] = [0, false];
  const plant = (kind: Fault) => {
    const isNow = fault === kind && !isPlanted && acts.length >= 100;
    isPlanted ||= isNow;
    return isNow;
  };

  function create(mark: string): void {
    const step = { action: 'create', fromStatusId: null, statusId: 3, marks: [mark] };
    const request = { requestId: stored.length + 1, steps: [step] };
    stored.push(request);
    const { requestId } = request;
    const answer = { version: 1, statusId: 3, requestId };
    acts.push({ mark, action: 'create', begin: now - 1, end: now, outcome: 'done', ...answer });
  }

  const lastOf = ({ steps }: StoredRequest) => steps.at(-1)?.statusId ?? null;

  function refuse({ request, mark, begin }: Waiting): void {
    const { requestId, steps } = request;
    const step = { action: 'move', fromStatusId: lastOf(request), statusId: 4, marks: [mark] };
    if (plant('refusal')) steps.push(step);
    acts.push({ mark, action: 'move', requestId, begin, end: now, outcome: 'refused' });
  }

  function write({ request, version, mark, begin }: Waiting): void {
    const { requestId, steps } = request;
    const isRepeated = below(20) === 0;
    const outcome: Outcome = isRepeated || below(20) > 0 ? 'done' : 'unknown';
    const isCommitted = outcome === 'done' ? !plant('failover') : below(2) === 0;
    const statusId = 4 + below(5);
    // Without the lock the later write replaces the earlier one.
    steps.splice(version);
    const step = { action: 'move', fromStatusId: lastOf(request), statusId, marks: [mark] };
    if (isCommitted) steps.push(step);
    if (isRepeated && plant('repeat')) steps.push({ ...step, fromStatusId: statusId });
    const answer = outcome === 'done' ? { version: version + 1, statusId } : {};
    acts.push({ mark, action: 'move', requestId, begin, end: now, outcome, ...answer });
    if (outcome !== 'done' || !plant('stale')) return;
    const before = steps[version - 1]?.statusId ?? 0;
    readings.push({ requestId, version, statusId: before, begin: now + 1, end: now + 1 });
  }

  function decide(waited: Waiting): void {
    const isFree = waited.request.steps.length === waited.version;
    if (isFree || fault === 'lock') write(waited);
    else refuse(waited);
  }

  while (acts.length < count) {
    now += 1;
    const mark = `mark-${now}`;
    const request = stored[below(stored.length)];
    if (!request || below(8) === 0) create(mark);
    else if (below(3) === 0 && waiting.length > 0)
      for (const waited of waiting.splice(below(waiting.length), 1)) decide(waited);
    else if (waiting.length < 6)
      waiting.push({ request, version: request.steps.length, mark, begin: now });
    if (request && below(4) === 0) {
      const isPlantedNow = plant('uncommitted');
      const version = request.steps.length + (isPlantedNow ? 1 : 0);
      const statusId = isPlantedNow ? 99 : (lastOf(request) ?? 0);
      readings.push({ requestId: request.requestId, version, statusId, begin: now, end: now });
    }
  }
  const committed: CommittedRequest[] = stored.map(({ requestId, steps }) => ({
    requestId,
    steps,
    version: steps.length,
    statusId: steps.at(-1)?.statusId ?? 0,
  }));
  const listed = committed.length;
  const counts = [{ name: 'all', counted: fault === 'count' ? listed + 1 : listed, listed }];
  return { acts, readings, committed, counts };
}

const seeds = Array.from({ length: 20 }, (_, index) => index + 1);
const problemsOf = (history: History) => Object.values(checkHistory(history)).flat();

describe('the checker of histories', () => {
  it.each(seeds)('finds nothing in 1,000 right acts of seed %d', (seed) => {
    const history = play(seed, 1000);
    expect(problemsOf(history)).toEqual([]);
    // The plan has all kinds of outcomes, so that nothing of this is for want of acts.
    for (const outcome of ['done', 'refused', 'unknown'])
      expect(history.acts.filter((act) => act.outcome === outcome).length).toBeGreaterThan(10);
    expect(history.readings.length).toBeGreaterThan(50);
  });

  it.each([
    ['lock', 'doubled', /was given to/],
    ['failover', 'lost', /version \d+ of \d+|is of another act/],
    ['repeat', 'doubled', /in the history 2 times/],
    ['refusal', 'doubled', /was refused and committed/],
    ['uncommitted', 'wrong', /never committed|in status/],
    ['stale', 'wrong', /had been acknowledged/],
    ['count', 'wrong', /counted/],
  ] as const)('finds the planted fault %s within 1,000 acts', (fault, kind, shownBy) => {
    for (const seed of seeds)
      expect(checkHistory(play(seed, 1000, fault))[kind].join('\n')).toMatch(shownBy);
  });

  it('finds requests whose versions are no line', () => {
    const step = { action: 'create', fromStatusId: null, statusId: 3, marks: [] };
    const request = { requestId: 1, version: 2, statusId: 3, steps: [step] };
    const of = (changes: Partial<CommittedRequest>) =>
      problemsOf({ acts: [], readings: [], counts: [], committed: [{ ...request, ...changes }] });
    expect(of({ version: 1 })).toEqual([]);
    expect(of({})).toEqual(['request 1: version 2, 1 steps']);
    expect(of({ version: 1, statusId: 4 })).toEqual([
      'request 1: status 4, the last step led to 3',
    ]);
    expect(of({ steps: [step, { ...step, fromStatusId: 5 }] })).toEqual([
      'request 1: version 2 begins in 5, not in 3',
    ]);
  });
});

it('finds acts and readings of what was never committed', () => {
  const times = { begin: 1, end: 2 };
  const act: Act = {
    mark: 'a',
    action: 'move',
    requestId: 1,
    ...times,
    outcome: 'done',
    version: 2,
  };
  const steps = [{ action: 'create', fromStatusId: null, statusId: 3, marks: [] }];
  const request = { requestId: 1, version: 1, statusId: 3, steps };
  const verdict = checkHistory({
    acts: [act, { ...act, requestId: 2 }, { ...act, version: 1 }],
    readings: [{ requestId: 1, version: 2, statusId: 3, ...times }],
    committed: [request],
    counts: [],
  });
  expect(verdict).toEqual({
    lost: [
      'move a of request 1: version 2 of 1',
      'move a of request 2: there is no such request',
      'move a of request 1: version 1 is create',
    ],
    doubled: [],
    wrong: ['an answer showed version 2 of request 1, which was never committed'],
  });
});

it('the longest gap counts from the fault to the last act that is watched', () => {
  const at = (end: number, outcome: Outcome = 'done'): Act => ({
    mark: String(end),
    action: 'create',
    begin: end - 1,
    end,
    outcome,
  });
  const acts = [at(900), at(1500), at(2000, 'refused'), at(6000)];
  expect(longestGap(acts, 1000, 7000)).toBe(4.5);
  expect(longestGap(acts, 1000, 12_000)).toBe(6);
  expect(longestGap([], 1000, 7000)).toBe(6);
});
