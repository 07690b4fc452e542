// A process that sends calls to servers, so that its work does not delay what is measured:
// `fork`ed by the trials, which send it a `Load` and receive a `LoadResult` when it has ended.
import { Agent, request } from 'node:http';
import { getLiveness } from '@diwan/contract/wire/health';

/** A call of the mix, chosen in proportion to its weight. */
export interface LoadCall {
  group: string;
  path: string;
  token?: string;
  weight: number;
  /** The JSON of a call with the method POST. */
  body?: string;
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
}

/** Durations are in milliseconds from the time at which a call was due. */
export interface GroupResult {
  served: number[];
  refused: number[];
  failed: number;
  /** What failed calls said, and how often. */
  reasons: Record<string, number>;
}
export type LoadResult = Record<string, GroupResult>;

const timeoutMs = 30_000;
const tickMs = 10;
const agent = new Agent({ keepAlive: true, maxSockets: Infinity, maxFreeSockets: Infinity });

function send({ path, token, body }: LoadCall, port: number): Promise<number | string> {
  return new Promise((resolve) => {
    const sent = request(
      {
        agent,
        host: '127.0.0.1',
        port,
        path,
        method: body === undefined ? 'GET' : 'POST',
        timeout: timeoutMs,
        headers: {
          'accept-language': 'ar-EG',
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
      },
      (answer) => {
        answer.resume();
        answer.once('end', () => resolve(answer.statusCode ?? 0));
        answer.once('error', (error) => resolve(error.message));
      },
    );
    sent.once('timeout', () => sent.destroy(new Error('no reply in 30 s')));
    sent.once('error', (error) => resolve((error as { code?: string }).code ?? error.message));
    sent.end(body);
  });
}

/** The calls in an order that repeats, each as often as its weight says and well mixed. */
function* mixOf(calls: readonly LoadCall[]): Generator<LoadCall, never> {
  const debts = calls.map(() => 0);
  const total = calls.reduce((sum, { weight }) => sum + weight, 0);
  for (;;) {
    calls.forEach(({ weight }, index) => (debts[index] = (debts[index] ?? 0) + weight));
    const index = debts.indexOf(Math.max(...debts));
    debts[index] = (debts[index] ?? 0) - total;
    yield calls[index] as LoadCall;
  }
}

async function openConnections({ port, connections = 0 }: Load): Promise<void> {
  const health: LoadCall = { group: '', path: getLiveness.path, weight: 1 };
  const opened = Array.from({ length: connections }, () => send(health, port));
  if ((await Promise.all(opened)).some((status) => status !== 200))
    throw new Error('the connections could not be opened');
}

async function measure(load: Load): Promise<LoadResult> {
  await openConnections(load);
  const result: LoadResult = {};
  const mix = mixOf(load.calls);
  const startedAt = performance.now();
  const endsAt = startedAt + load.seconds * 1000;
  const perform = async (dueAt: number) => {
    const call = mix.next().value;
    const status = await send(call, load.port);
    const group = (result[call.group] ??= { served: [], refused: [], failed: 0, reasons: {} });
    const took = performance.now() - dueAt;
    if (status === 200) group.served.push(took);
    else if (status === 503) group.refused.push(took);
    else {
      group.failed += 1;
      group.reasons[status] = (group.reasons[status] ?? 0) + 1;
    }
  };
  const { perSecond } = load;
  if (perSecond === undefined) {
    const work = async () => {
      while (performance.now() < endsAt) await perform(performance.now());
    };
    await Promise.all(Array.from({ length: load.workers ?? 1 }, work));
    return result;
  }
  const pending: Promise<void>[] = [];
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
  return result;
}

process.on('message', (load: Load) => {
  void measure(load).then((result) => process.send?.(result));
});
process.once('disconnect', () => process.exit());
