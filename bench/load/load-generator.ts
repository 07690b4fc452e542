// A process that sends calls to servers, so that its work does not delay what is measured:
// `fork`ed by the benchmark and the trials, which send it a `Load` and receive a `LoadResult` when
// it has ended.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { getLiveness } from '@diwan/contract/wire/health';
import { HttpConnection } from './http-connection.ts';

/** A call of the mix, chosen in proportion to its weight; all the same when none has one. */
export interface LoadCall {
  group: string;
  path: string;
  token?: string;
  weight?: number;
  method?: 'GET' | 'POST';
  /** JSON. */
  body?: string;
  /** The only right body of a reply. */
  expected?: string;
  /** A regular expression that the body of each reply matches. */
  pattern?: string;
  /** Adds a parameter that no other call had, so that no server knows the address. */
  isDistinct?: boolean;
}

/**
 * Either `workers` send one call after the other, or `perSecond` calls begin each second, whatever
 * the server does.
 */
export interface Load {
  port: number;
  seconds: number;
  calls: readonly LoadCall[];
  workers?: number;
  /** As many connections are opened before, such as a proxy keeps them. */
  connections?: number;
  perSecond?: number;
  /** Sends each call once, and ends after the last one. */
  isOnce?: boolean;
}

/** Durations are in milliseconds from the time at which a call was due. */
interface GroupResult {
  served: number[];
  refused: number[];
  failed: number;
  /** What failed calls said, and how often. */
  reasons: Record<string, number>;
  /** How long the load took, in seconds. */
  seconds: number;
}
export type LoadResult = Record<string, GroupResult>;

// Calls of one tick arrive together; those of 10 ms would be bursts, which a server serves worse.
const tickMs = 1;
const free = new Map<number, HttpConnection[]>();
let distinct = Date.now();

function takeConnection(port: number): HttpConnection {
  const connections = free.get(port) ?? [];
  free.set(port, connections);
  for (let known = connections.pop(); known; known = connections.pop())
    if (known.isOpen) return known;
  return new HttpConnection(port);
}

/** The bytes of a call, in two parts: a distinct address has a number between them. */
interface Prepared {
  start: string;
  end: string;
  expected?: Buffer;
  pattern?: RegExp;
  call: LoadCall;
}

function prepare(call: LoadCall): Prepared {
  const { path, token, method = 'GET', body, expected, pattern, isDistinct } = call;
  const headers = [
    'host: 127.0.0.1',
    'accept-language: ar-EG',
    ...(token ? [`authorization: Bearer ${token}`] : []),
    ...(body === undefined
      ? []
      : ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`]),
    ...(body === undefined && method === 'POST' ? ['content-length: 0'] : []),
  ];
  const joint = path.includes('?') ? '&n=' : '?n=';
  return {
    call,
    start: `${method} ${path}${isDistinct ? joint : ''}`,
    end: ` HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${body ?? ''}`,
    ...(expected === undefined ? {} : { expected: Buffer.from(expected) }),
    ...(pattern === undefined ? {} : { pattern: new RegExp(pattern) }),
  };
}

/** What the server said: a status, or a reason why the reply counts as failed. */
async function send(port: number, prepared: Prepared): Promise<number | string> {
  const { start, end, expected, pattern, call } = prepared;
  const connection = takeConnection(port);
  try {
    const { status, body } = await connection.send(
      call.isDistinct ? `${start}${++distinct}${end}` : start + end,
    );
    if (connection.isOpen) free.get(port)?.push(connection);
    if (status !== 200) return status;
    return (expected && !body.equals(expected)) || (pattern && !pattern.test(body.toString()))
      ? 'a wrong body'
      : status;
  } catch (error) {
    return (error as Error).message;
  }
}

/** The calls in an order that repeats, each as often as its weight says and well mixed. */
function* mixOf(calls: readonly Prepared[], isOnce = false): Generator<Prepared, undefined> {
  if (calls.every(({ call }) => call.weight === undefined)) {
    do yield* calls;
    while (!isOnce);
    return undefined;
  }
  const debts = calls.map(() => 0);
  const total = calls.reduce((sum, { call }) => sum + (call.weight ?? 1), 0);
  for (;;) {
    calls.forEach(({ call }, index) => (debts[index] = (debts[index] ?? 0) + (call.weight ?? 1)));
    const index = debts.indexOf(Math.max(...debts));
    debts[index] = (debts[index] ?? 0) - total;
    yield calls[index] as Prepared;
  }
}

async function openConnections({ port, connections = 0 }: Load): Promise<void> {
  const health = prepare({ group: '', path: getLiveness.path });
  const opened = Array.from({ length: connections }, () => send(port, health));
  if ((await Promise.all(opened)).some((status) => status !== 200))
    throw new Error('the connections could not be opened');
}

/** Sends a load from this process. */
export async function measure(load: Load): Promise<LoadResult> {
  await openConnections(load);
  const result: LoadResult = {};
  const mix = mixOf(load.calls.map(prepare), load.isOnce);
  const startedAt = performance.now();
  const endsAt = startedAt + load.seconds * 1000;
  const perform = async (dueAt: number): Promise<boolean> => {
    const next = mix.next().value;
    if (!next) return false;
    const status = await send(load.port, next);
    const group = (result[next.call.group] ??= {
      served: [],
      refused: [],
      failed: 0,
      reasons: {},
      seconds: 0,
    });
    const took = performance.now() - dueAt;
    if (status === 200) group.served.push(took);
    else if (status === 503) group.refused.push(took);
    else {
      group.failed += 1;
      group.reasons[status] = (group.reasons[status] ?? 0) + 1;
    }
    return true;
  };
  const finish = () => {
    for (const group of Object.values(result))
      group.seconds = (performance.now() - startedAt) / 1000;
    return result;
  };
  const { perSecond } = load;
  if (perSecond === undefined) {
    const work = async () => {
      while (performance.now() < endsAt && (await perform(performance.now())));
    };
    await Promise.all(Array.from({ length: load.workers ?? 1 }, work));
    return finish();
  }
  const pending: Promise<boolean>[] = [];
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const now = performance.now();
      const due = ((Math.min(now, endsAt) - startedAt) / 1000) * perSecond;
      while (pending.length < due)
        pending.push(perform(startedAt + (pending.length / perSecond) * 1000));
      if (now < endsAt) return;
      clearInterval(timer);
      resolve();
    }, tickMs);
  });
  await Promise.all(pending);
  return finish();
}

/** Closes the connections of this process that wait for further calls. */
export function closeConnections(): void {
  for (const connection of [...free.values()].flat()) connection.close();
  free.clear();
}

/** A process that sends loads. */
export interface LoadGenerator {
  run(load: Load): Promise<LoadResult>;
  close(): void;
}

export function openLoadGenerator(): LoadGenerator {
  const child = fork(fileURLToPath(import.meta.url), ['generate'], {
    execArgv: ['--import', 'tsx'],
  });
  return {
    async run(load) {
      child.send(load);
      const [result] = (await once(child, 'message')) as [LoadResult];
      return result;
    },
    close: () => child.disconnect(),
  };
}

if (process.argv[2] === 'generate' && process.send) {
  process.on('message', (load: Load) => {
    void measure(load).then((result) => process.send?.(result));
  });
  process.once('disconnect', () => process.exit());
}
