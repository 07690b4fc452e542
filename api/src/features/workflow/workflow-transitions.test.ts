import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openRequestStage, paidService } from '#testing/requests/request-stage.ts';
import {
  performCell,
  listCells,
  setStatus,
  listExpectedRefusals,
} from '#testing/requests/workflow-cells.ts';
import { openTestApp } from '#testing/test-app.ts';
import type { Workflow } from '@diwan/contract/requests/workflow';

const shipped = JSON.parse(
  readFileSync(new URL('../../../seed/workflow.json', import.meta.url), 'utf8'),
) as Workflow;
const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

/**
 * Another workflow: employees complete what they receive, without a holder, and a completion can
 * charge.
 */
function replaced(): Workflow {
  const gone = ['approved', 'withServiceProvider'];
  const ids = shipped.statuses
    .filter(({ key }) => gone.includes(key))
    .map(({ statusId }) => statusId);
  const transitions = shipped.transitions
    .filter(({ from, to }) => !ids.includes(to) && !ids.includes(from ?? 0))
    .map((cell) => ({
      ...cell,
      holderOnly: false,
      ...(cell.action === 'submitted' ? { toPay: 8 } : {}),
    }));
  return {
    ...shipped,
    name: 'Without providers',
    version: 7,
    statuses: shipped.statuses.filter(({ key }) => !gone.includes(key)),
    transitions: [...transitions, { action: 'pay', from: 8, to: 9, who: ['payment'] }],
  };
}

async function openApp(document: Workflow) {
  const folder = await mkdtemp(join(tmpdir(), 'diwan-cells-'));
  folders.push(folder);
  const file = join(folder, 'workflow.json');
  await writeFile(file, JSON.stringify(document));
  return openTestApp({ WORKFLOW_FILE: file });
}

// Every allowed cell, and of the refused ones every seventh: findStep answers for all of them in
// workflow.test.ts.
describe.each([
  ['the demo', shipped],
  ['a replaced document', replaced()],
])('%s over HTTP', (_, document) => {
  it('performs the allowed transitions and refuses the others', { timeout: 60_000 }, async () => {
    const app = await openApp(document);
    const stage = openRequestStage(app);
    const all = listCells(document);
    const cells = all.filter(({ to }, index) => to !== undefined || index % 7 === 0);
    expect(all.filter(({ to }) => to !== undefined).length).toBeGreaterThan(15);
    const sent = await stage.send('individual', paidService);
    // An amount due would lead to the payment.
    await stage.pay(sent.requestId);
    const wrong: string[] = [];
    for (const cell of cells) {
      await setStatus(app, sent.requestId, cell.from);
      const { status, body, refused } = await performCell(app, stage, cell, sent);
      const outcome = status === 200 ? String(body.statusId) : String(refused.error);
      const isRight = (
        cell.to === undefined ? listExpectedRefusals(cell) : [String(cell.to)]
      ).includes(outcome);
      const { status_id } = await app.database
        .selectFrom('requests')
        .select('status_id')
        .where('id', '=', sent.requestId)
        .executeTakeFirstOrThrow();
      if (!isRight || status_id !== (cell.to ?? cell.from))
        wrong.push(
          `${cell.action} from ${cell.from} by ${cell.name}: ${outcome}, now ${status_id}, expected ${cell.to}`,
        );
    }
    await app.close();
    expect(wrong).toEqual([]);
  });
});
