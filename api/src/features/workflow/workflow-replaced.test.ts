import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRequestStage, type RequestStage } from '#testing/requests/request-stage.ts';
import { openTestApp, type TestApp } from '#testing/test-app.ts';
import { getAllStatuses, getRequestsByStatusId } from '@diwan/contract/requests/request-lists';
import type { Workflow } from '@diwan/contract/requests/workflow';
import { openWorkflows } from './workflows.actions.ts';

let app: TestApp;
let stage: RequestStage;
let folder: string;

// A workflow without service providers, in which employees complete what they receive.
async function writeReplacement(): Promise<string> {
  const document = JSON.parse(
    await readFile(new URL('../../../seed/workflow.json', import.meta.url), 'utf8'),
  ) as Workflow;
  const gone = document.statuses
    .filter(({ key }) =>
      ['approved', 'withServiceProvider', 'waitingForFees', 'fineObjection'].includes(key),
    )
    .map(({ statusId }) => statusId);
  const statuses = document.statuses
    .filter(({ statusId }) => !gone.includes(statusId))
    .map((status) =>
      status.key === 'new' ? { ...status, name: { ...status.name, 'en-US': 'Arrived' } } : status,
    );
  const transitions = document.transitions.filter(
    ({ from, to }) => !gone.includes(to) && !gone.includes(from ?? 0),
  );
  const file = join(folder, 'workflow.json');
  await writeFile(
    file,
    JSON.stringify({ ...document, name: 'Without providers', version: 2, statuses, transitions }),
  );
  return file;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'diwan-workflow-'));
  app = await openTestApp({ WORKFLOW_FILE: await writeReplacement() });
  stage = openRequestStage(app);
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

it('new requests follow the new workflow', async () => {
  const { requestId } = await stage.sendAndReceive('individual');
  expect((await stage.read('employee', requestId)).body.allowedActions).toEqual([
    'return',
    'submitted',
    'reject',
    'release',
    'hold',
  ]);
  expect((await stage.read('individual', requestId)).body.history[1]?.fromStatusName).toBe(
    'Arrived',
  );
  expect((await app.callAs('admin', getAllStatuses)).body.map(({ key }) => key)).not.toContain(
    'approved',
  );
});

it('earlier requests keep the workflow that they began with', async () => {
  const token = await app.signIn('supervisor');
  const { body } = await app.call(getRequestsByStatusId, { token, query: { Take: 100 } });
  const approved = body.items.find(({ statusName }) => statusName === 'Approved');
  expect((await stage.read('supervisor', approved?.requestId ?? 0)).body.allowedActions).toEqual([
    'accept',
    'reject',
  ]);
});

it('stores a document once, however often it is opened', async () => {
  const config = { WORKFLOW_FILE: app.config.WORKFLOW_FILE };
  const opened = await Promise.all(
    Array.from({ length: 5 }, () => openWorkflows(app.database, config)),
  );
  expect(new Set(opened.map(({ current }) => current.id)).size).toBe(1);
  expect(await app.database.selectFrom('workflows').select('id').execute()).toHaveLength(2);
});

it.each([
  ['no file', undefined],
  ['no JSON', '{'],
  ['no workflow', '{"name":"x"}'],
])('%s stops the start with a message of one line', async (name, content) => {
  const file = join(folder, `${name.replace(' ', '-')}.json`);
  if (content !== undefined) await writeFile(file, content);
  await expect(openWorkflows(app.database, { WORKFLOW_FILE: file })).rejects.toThrow(
    /^Setting WORKFLOW_FILE cannot be used: [^\n]+$/,
  );
});
