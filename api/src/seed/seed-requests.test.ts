import { fileTypeFromBuffer } from 'file-type';
import { expect, it } from 'vitest';
import { getAllStatuses, getRequestsByStatusId } from '@diwan/contract/requests/request-lists';
import { useTestApp } from '../testing/test-app.ts';
import { demoPdf, demoPicture } from './demo-documents.ts';
import { seedRequests } from './seed-requests.ts';

const app = useTestApp();

it('creates requests in every status of the workflow, with histories in the past', async () => {
  const token = await app.signIn('admin');
  const statuses = (await app.call(getAllStatuses, { token })).body.map(({ statusId }) => statusId);
  const { body } = await app.call(getRequestsByStatusId, { token, query: { Take: 100 } });
  expect(new Set(body.items.map(({ statusId }) => statusId))).toEqual(new Set(statuses));
  const history = await app.database
    .selectFrom('request_history')
    .select(['request_id', 'at'])
    .orderBy('request_id')
    .orderBy('id')
    .execute();
  for (const [index, entry] of history.entries()) {
    const before = history[index - 1];
    expect(entry.at.getTime()).toBeLessThanOrEqual(Date.now());
    if (before?.request_id === entry.request_id)
      expect(entry.at.getTime()).toBeGreaterThanOrEqual(before.at.getTime());
  }
});

it('changes nothing a second time, also in two processes at the same time', async () => {
  const count = async () =>
    (
      await app.database
        .selectFrom('requests')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
    ).count;
  const before = await count();
  const lines: string[] = [];
  await Promise.all(
    [1, 2].map(() => seedRequests(app.database, app.config, (line) => lines.push(line))),
  );
  expect([await count(), lines]).toEqual([before, []]);
});

it('creates documents with content of their type', async () => {
  expect((await fileTypeFromBuffer(demoPdf('A (strange) title \\')))?.mime).toBe('application/pdf');
  expect((await fileTypeFromBuffer(demoPicture()))?.mime).toBe('image/png');
});
