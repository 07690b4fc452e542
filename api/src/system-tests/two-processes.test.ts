import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { deleteService, getService } from '@diwan/contract/catalogue/services';
import { getRequestFigures } from '@diwan/contract/requests/reports';
import type { Workflow } from '@diwan/contract/requests/workflow';
import { putWorkflowInForce } from '@diwan/contract/requests/workflows';
import { buildApp } from '../app.ts';
import { useTestApp } from '../testing/test-app.ts';

const app = useTestApp();
let other: FastifyInstance;

// The periodic jobs of the second app never run, so that only notifications can reach it.
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  const unused = {} as never;
  const integrations = { paymentProviders: new Map(), sms: unused, mail: unused };
  other = await buildApp(app.config, app.database, 'http://localhost:3000', integrations);
  vi.useRealTimers();
});
afterAll(() => other?.close());

const readOther = async (url: string, token?: string) =>
  (
    await other.inject({
      url,
      headers: {
        'accept-language': 'en-US',
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
    })
  ).body;
const readService = (serviceId: number) => readOther(`${getService.path}?serviceId=${serviceId}`);

describe('a second process on the same database sees by a notification', () => {
  it('a service that an admin deletes', async () => {
    expect(await readService(2)).toContain('"id":2');
    await app.callAs('admin', deleteService, { params: { serviceId: 2 } });
    await expect.poll(() => readService(2)).toContain('ServiceNotFound');
  });

  it('a change of the catalogue by SQL, also after its connection was lost', async () => {
    const rename = (name: string) =>
      sql`update services set name = name || jsonb_build_object('en-US', ${name}::text) where id = 3`.execute(
        app.database,
      );
    await rename('Renamed by hand');
    await expect.poll(() => readService(3)).toContain('Renamed by hand');
    await sql`
      select pg_terminate_backend(pid)
      from pg_stat_activity
      where datname = current_database()
        and query ~* '^listen '`.execute(app.database);
    await rename('Renamed meanwhile');
    await expect.poll(() => readService(3)).toContain('Renamed meanwhile');
  });

  it('a workflow that an admin activates', async () => {
    const document = JSON.parse(readFileSync('api/seed/workflow.json', 'utf8')) as Workflow;
    const [status] = document.statuses;
    if (!status) throw new Error('the workflow has no status');
    status.name = { ...status.name, 'en-US': 'Named anew' };
    const token = await app.signIn('admin');
    await app.call(putWorkflowInForce, { token, body: { document: JSON.stringify(document) } });
    await expect.poll(() => readOther(getRequestFigures.path, token)).toContain('Named anew');
  });
});
