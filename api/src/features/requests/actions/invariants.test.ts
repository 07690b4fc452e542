import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findLedgerProblems } from '#commands/find-integrity-problems.store.ts';
import { condenseFigures } from '#features/reports/reports.store.ts';
import { sql } from '#platform/database/sql.ts';
import {
  findInconsistencies,
  findMoneyInconsistencies,
  findSearchInconsistencies,
} from '#testing/load/consistency.ts';
import {
  freeService,
  openRequestStage,
  paidService,
  type SentRequest,
} from '#testing/requests/request-stage.ts';
import { performCell, type Cell, type ActorName } from '#testing/requests/workflow-cells.ts';
import { useTestApp } from '#testing/test-app.ts';
import { previewMessages } from '@diwan/contract/requests/messages';
import { createPayment, postPayProPaymentResult } from '@diwan/contract/requests/payments';
import * as calls from '@diwan/contract/requests/request-actions';
import { condenseCounts } from '../model/request-counts.store.ts';

const app = useTestApp();
const stage = openRequestStage(app);
let requests: SentRequest[] = [];
let first = 0;

type Move =
  | { kind: 'act'; name: ActorName; action: Cell['action']; request: number }
  | { kind: 'charge'; name: ActorName; fines: number; request: number }
  | { kind: 'begin' | 'pay' | 'decline' | 'create' | 'preview'; request: number }
  // Ends every connection of the product at the same time, and puts counts and figures together.
  | { kind: 'break' | 'condense'; request: number };

const request = fc.nat({ max: 2 });
const staff = fc.constantFrom<ActorName>('holder', 'otherClerk', 'admin');
// Allowed actions are more frequent than refused ones, so that requests make progress.
const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('act' as const),
      name: staff,
      action: fc.constantFrom<Cell['action']>(
        'receive',
        'receive',
        'receive',
        'release',
        'approve',
        'return',
        'return',
        'submitted',
        'hold',
        'resume',
      ),
      request,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('act' as const),
      name: fc.constantFrom<ActorName>(
        'owner',
        'otherClient',
        'provider',
        'otherProvider',
        'company',
      ),
      action: fc.constantFrom<Cell['action']>('update', 'accept', 'submitted', 'return', 'reject'),
      request,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('charge' as const),
      name: staff,
      fines: fc.integer({ min: 0, max: 50_000 }),
      request,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('begin' as const, 'pay' as const, 'pay' as const, 'decline' as const),
      request,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('create' as const, 'preview' as const, 'condense' as const),
      request,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('break' as const), request }) },
);

const act = (name: ActorName, action: Cell['action'], of: number): Move => ({
  kind: 'act',
  name,
  action,
  request: of,
});
const completeLife: Move[][] = [
  [
    { kind: 'pay', request: 0 },
    { kind: 'pay', request: 0 },
  ],
  [act('holder', 'receive', 0), act('otherClerk', 'receive', 1), act('holder', 'receive', 0)],
  [act('otherClerk', 'return', 1), { kind: 'charge', name: 'admin', fines: 700, request: 0 }],
  [act('owner', 'update', 1), { kind: 'pay', request: 0 }, { kind: 'pay', request: 0 }],
  [act('holder', 'submitted', 0), act('admin', 'submitted', 0)],
  [
    { kind: 'create', request: 2 },
    { kind: 'create', request: 1 },
    { kind: 'condense', request: 0 },
  ],
  [act('holder', 'receive', 1), { kind: 'break', request: 0 }, { kind: 'create', request: 2 }],
  [act('holder', 'receive', 1), { kind: 'preview', request: 1 }],
  [act('holder', 'hold', 1), act('admin', 'hold', 1)],
  [act('holder', 'resume', 1), act('admin', 'resume', 1)],
];

async function payAtProvider(
  requestId: number,
  decision: 'paid' | 'declined' | undefined,
): Promise<void> {
  const { status, body } = await app.callAs('individual', createPayment, { params: { requestId } });
  if (status !== 200 || !decision) return;
  const response = await fetch(body.paymentUrl.replace(/^http:\/\/[^/]+/, app.paymentsUrl), {
    method: 'POST',
    body: new URLSearchParams({ decision }),
    redirect: 'manual',
  });
  const summary = new URL(response.headers.get('location') ?? 'http://x').searchParams.get(
    'paymentSummary',
  );
  if (summary) await app.call(postPayProPaymentResult, { query: { paymentSummary: summary } });
}

async function perform(one: Move): Promise<number> {
  const sent = requests[one.request] as SentRequest;
  if (one.kind === 'act') return (await performCell(app, stage, one, sent)).status;
  if (one.kind === 'charge')
    return (
      await stage.performAction(
        ({ holder: 'employee', otherClerk: 'employee2', admin: 'admin' } as Record<string, string>)[
          one.name
        ] ?? '',
        calls.approveRequest,
        { requestId: sent.requestId, fines: one.fines },
      )
    ).status;
  if (one.kind === 'condense') {
    await Promise.all([condenseCounts(app.serverDatabase), condenseFigures(app.serverDatabase)]);
    return 200;
  }
  if (one.kind === 'break') {
    await sql`
      select pg_terminate_backend(pid)
      from pg_stat_activity
      where datname = current_database() and usename <> current_user and query not ilike 'listen%'
    `.execute(app.database);
    return 200;
  }
  // Its transaction is rolled back.
  if (one.kind === 'preview')
    return (
      await stage.performAction('employee', previewMessages, {
        requestId: sent.requestId,
        action: 'approve',
        fines: 700,
      })
    ).status;
  if (one.kind === 'create')
    requests[one.request] = await stage.send(
      'individual',
      one.request === 1 ? freeService : paidService,
    );
  else
    await payAtProvider(
      sent.requestId,
      one.kind === 'pay' ? 'paid' : one.kind === 'decline' ? 'declined' : undefined,
    );
  return 200;
}

async function waitForDatabase(): Promise<void> {
  const answer = await stage.read('individual', requests[0]?.requestId ?? 0);
  if (answer.status !== 200) await setTimeout(20).then(waitForDatabase);
}

it(
  'random concurrent actions of several users keep the data consistent',
  { timeout: 600_000 },
  async () => {
    const made = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(move, { minLength: 1, maxLength: 6 }), { minLength: 8, maxLength: 14 }),
        async (rounds) => {
          requests = await Promise.all(
            [paidService, freeService, paidService].map((service) =>
              stage.send('individual', service),
            ),
          );
          first ||= Math.min(...requests.map(({ requestId }) => requestId));
          for (const round of rounds) {
            const isBroken = round.some(({ kind }) => kind === 'break');
            const statuses = await Promise.all(
              round.map((one) => (isBroken ? perform(one).catch(() => 503) : perform(one))),
            );
            if (isBroken) await waitForDatabase();
            else expect(statuses.filter((status) => status >= 500)).toEqual([]);
            round.forEach((one, index) => {
              if (statuses[index] === 200)
                made.set(
                  one.kind === 'act' ? one.action : one.kind,
                  (made.get(one.kind === 'act' ? one.action : one.kind) ?? 0) + 1,
                );
            });
          }
          expect(
            await findInconsistencies(app.database, app.config.DATA_DIR).then((problems) =>
              problems.filter((problem) => !problem.startsWith('the file of')),
            ),
          ).toEqual([]);
          expect(await findMoneyInconsistencies(app.database, first)).toEqual([]);
          expect(await findLedgerProblems(app.database)).toEqual([]);
          expect(await findSearchInconsistencies(app.database, first)).toEqual([]);
        },
      ),
      // The first run is a complete life of a request. PROPERTY_RUNS=200 runs longer, with another seed
      // each time.
      {
        numRuns: Number(process.env.PROPERTY_RUNS ?? 5),
        ...(process.env.PROPERTY_RUNS ? {} : { seed: 20_261_121 }),
        endOnFailure: true,
        examples: [[completeLife]],
      },
    );
    // Runs in which requests make no progress would prove nothing.
    for (const kind of ['receive', 'charge', 'pay', 'submitted', 'return', 'preview', 'condense'])
      expect([kind, (made.get(kind) ?? 0) > 0]).toEqual([kind, true]);
  },
);
