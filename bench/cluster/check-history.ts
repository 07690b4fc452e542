/** What became of an act: its answer said so, or nobody knows because there was no answer. */
export type Outcome = 'done' | 'refused' | 'unknown';

/**
 * One act of a client on a request, with all its repetitions. `mark` is a text of its own, which the
 * history stores where the act has a text. Times are milliseconds of one clock. `version` and
 * `statusId` are those of the answer; `requestId` is unknown while nothing was sent.
 */
export interface Act {
  mark: string;
  action: string;
  requestId?: number;
  begin: number;
  end: number;
  outcome: Outcome;
  version?: number;
  statusId?: number;
}

/** What an answer showed to somebody who only reads. */
export interface Reading {
  requestId: number;
  version: number;
  statusId: number;
  begin: number;
  end: number;
}

/** One committed step; its place in the history is the version that it made. */
export interface CommittedStep {
  action: string;
  fromStatusId: number | null;
  statusId: number;
  marks: readonly string[];
}

/** What the database holds of one request at the end. */
export interface CommittedRequest {
  requestId: number;
  version: number;
  statusId: number;
  steps: readonly CommittedStep[];
}

/** A number that the portal shows, and how many rows its list has. */
export interface Count {
  name: string;
  counted: number;
  listed: number;
}

/** All that clients saw, and what was committed. */
export interface History {
  acts: readonly Act[];
  readings: readonly Reading[];
  committed: readonly CommittedRequest[];
  counts: readonly Count[];
}

/** What contradicts the history, by kind. */
export interface Verdict {
  /** Acknowledged acts that were not committed. */
  lost: string[];
  /** Acts that were committed more than once, or against their refusal. */
  doubled: string[];
  /** Requests whose versions are no line, answers that were never true, and wrong counts. */
  wrong: string[];
}

type Requests = ReadonlyMap<number, CommittedRequest>;

/** How often each text occurs in all histories. */
function countMarks(committed: readonly CommittedRequest[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const mark of committed.flatMap(({ steps }) => steps.flatMap(({ marks }) => marks)))
    times.set(mark, (times.get(mark) ?? 0) + 1);
  return times;
}

/** Why the history does not have an acknowledged act as its answer said; undefined when it does. */
function findLoss({ mark, action, requestId = 0, ...act }: Act, requests: Requests) {
  const name = `${action} ${mark} of request ${requestId}`;
  const request = requests.get(requestId);
  if (!request) return `${name}: there is no such request`;
  const step = request.steps[(act.version ?? 1) - 1];
  if (!step) return `${name}: version ${act.version} of ${request.steps.length}`;
  if (step.action !== action) return `${name}: version ${act.version} is ${step.action}`;
  if (step.marks.length > 0 && !step.marks.includes(mark))
    return `${name}: version ${act.version} is of another act`;
  if (act.statusId !== undefined && step.statusId !== act.statusId)
    return `${name}: the answer said status ${act.statusId}, the history ${step.statusId}`;
  return undefined;
}

function* findDoubled(acts: readonly Act[], times: ReadonlyMap<string, number>) {
  const byVersion = new Map<string, Act>();
  for (const act of acts) {
    const { mark, action, requestId, version, outcome } = act;
    const count = times.get(mark) ?? 0;
    if (count > 1) yield `${action} ${mark} is in the history ${count} times`;
    if (outcome === 'refused' && count > 0) yield `${action} ${mark} was refused and committed`;
    if (outcome !== 'done') continue;
    const key = `version ${version ?? 1} of request ${requestId}`;
    const other = byVersion.get(key);
    if (other) yield `${key} was given to ${other.action} ${other.mark} and to ${action} ${mark}`;
    byVersion.set(key, act);
  }
}

function* findBrokenLines(committed: readonly CommittedRequest[]) {
  for (const { requestId, version, statusId, steps } of committed) {
    const name = `request ${requestId}`;
    if (version !== steps.length) yield `${name}: version ${version}, ${steps.length} steps`;
    const last = steps.at(-1)?.statusId;
    if (last !== statusId) yield `${name}: status ${statusId}, the last step led to ${last}`;
    for (const [index, step] of steps.entries()) {
      const before = steps[index - 1]?.statusId ?? null;
      if (step.fromStatusId !== before)
        yield `${name}: version ${index + 1} begins in ${step.fromStatusId}, not in ${before}`;
    }
  }
}

/** What an answer showed that was never true, or no longer when it was asked. */
function* findWrongReadings({ acts, readings }: History, requests: Requests) {
  const done = new Map<number, Act[]>();
  for (const act of acts.filter(({ outcome }) => outcome === 'done')) {
    const requestId = act.requestId ?? 0;
    done.set(requestId, [...(done.get(requestId) ?? []), act]);
  }
  for (const { requestId, version, statusId, begin } of readings) {
    const name = `an answer showed version ${version} of request ${requestId}`;
    const step = requests.get(requestId)?.steps[version - 1];
    if (!step) yield `${name}, which was never committed`;
    else if (step.statusId !== statusId)
      yield `${name} in status ${statusId}, it has ${step.statusId}`;
    const before = done.get(requestId)?.filter((act) => act.end < begin) ?? [];
    const known = Math.max(0, ...before.map((act) => act.version ?? 1));
    if (version < known) yield `${name} after version ${known} had been acknowledged`;
  }
}

/**
 * Compares the answers that clients got with what was committed: an acknowledged act is in the history
 * exactly once, where its answer said; the versions of a request form one line; no answer shows what
 * was never committed, or what an earlier answer had replaced; counts are those of their lists.
 */
export function checkHistory(history: History): Verdict {
  const requests = new Map(history.committed.map((request) => [request.requestId, request]));
  const done = history.acts.filter(({ outcome }) => outcome === 'done');
  return {
    lost: done.flatMap((act) => findLoss(act, requests) ?? []),
    doubled: [...findDoubled(history.acts, countMarks(history.committed))],
    wrong: [
      ...findBrokenLines(history.committed),
      ...findWrongReadings(history, requests),
      ...history.counts
        .filter(({ counted, listed }) => counted !== listed)
        .map(({ name, counted, listed }) => `${name}: ${counted} counted, ${listed} listed`),
    ],
  };
}

/** The longest time without an acknowledged act between two moments, in seconds. */
export function longestGap(acts: readonly Act[], from: number, until: number): number {
  const ends = acts
    .filter(({ outcome, end }) => outcome === 'done' && end > from && end < until)
    .map(({ end }) => end)
    .sort((one, other) => one - other);
  const moments = [from, ...ends, until];
  return Math.max(...moments.slice(1).map((end, index) => end - (moments[index] ?? end))) / 1000;
}
