import { afterAll, expect, it, vi } from 'vitest';
import { login } from '@diwan/contract/people/users';
import { approveRequest, receiveRequest } from '@diwan/contract/requests/request-actions';
import { getRequestsByStatusId } from '@diwan/contract/requests/request-lists';
import { getRequestById } from '@diwan/contract/requests/requests';
import { demoPassword } from '../seed/seed.ts';
import { cloneProgramData } from '../testing/programs/clone-program-data.ts';
import { endPrograms, startProgram } from '../testing/programs/running-program.ts';

afterAll(endPrograms);

it(
  'an action that is pending when the program is killed takes effect once, with two programs at work',
  { timeout: 120_000 },
  async () => {
    const data = await cloneProgramData();
    const start = async () => {
      const program = await startProgram({ ...data.settings, LOG_LEVEL: 'silent' });
      await program.waitUntilReady();
      return program;
    };
    const first = await start();
    const signIn = async ({ call }: typeof first) =>
      (await call(login, { body: { username: 'employee', password: demoPassword } })).body.token;
    const token = await signIn(first);
    const { body: list } = await first.call(getRequestsByStatusId, {
      token,
      query: { Take: 50 },
    });
    const received = list.items
      .filter(({ allowedActions }) => allowedActions.includes('receive'))
      .map(({ requestId }) => first.call(receiveRequest, { token, params: { requestId } }));
    const found = (await Promise.all(received)).map(({ body }) => body);
    expect(found.length).toBeGreaterThan(1);
    for (const { requestId, version } of found) {
      const body = { requestId, version, isUndoable: true };
      expect((await first.call(approveRequest, { token, body })).status).toBe(200);
    }
    first.signal('SIGKILL');
    await first.ended;
    const [second, third] = await Promise.all([start(), start()]);
    // Two programs that start at the same time share one payment sandbox, not only its store.
    const findSandbox = ({ output }: typeof first) => /payment provider: (\S+)/.exec(output())?.[1];
    expect(findSandbox(second)).toMatch(/^http/);
    expect(findSandbox(third)).toBe(findSandbox(second));
    const newToken = await signIn(second);
    for (const { requestId, version } of found) {
      const { history } = await vi.waitFor(
        async () => {
          const { body } = await second.call(getRequestById, {
            token: newToken,
            query: { RequestId: requestId },
          });
          expect(body.version).toBe(version + 1);
          return body;
        },
        { timeout: 30_000, interval: 200 },
      );
      expect(history.filter(({ action }) => action === 'approve')).toHaveLength(1);
    }
    await endPrograms();
    await data.close();
  },
);
