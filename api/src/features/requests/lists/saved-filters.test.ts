import { describe, expect, it } from 'vitest';
import { openRequestStage } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import { getAllStatuses, getRequestsByStatusId } from '@diwan/contract/requests/request-lists';
import * as calls from '@diwan/contract/requests/saved-filters';

const app = useTestApp();
const stage = openRequestStage(app);

const choice = { keyword: '', from: '', to: '', sort: 'desc' as const, isMine: false };
const save = async (username: string, name: string, more: object = {}) =>
  app.callAs(username, calls.saveFilter, { body: { list: 'new', name, choice, ...more } });
const change = async (
  username: string,
  body: { id: string; name?: string; isDefault?: boolean; choice?: calls.FilterChoice },
) => app.callAs(username, calls.changeSavedFilter, { body });
const savedFilters = async (username: string) =>
  (await app.callAs(username, calls.getSavedFilters)).body;

describe('saved filters', () => {
  it('are stored by name, and users see only their own', async () => {
    const { body } = await save('employee', '  رخص اليوم  ', {
      choice: { ...choice, keyword: 'رخصة', from: '2026-11-01', isMine: true, refund: 'due' },
    });
    expect(body).toEqual([
      {
        id: body[0]?.id,
        list: 'new',
        name: 'رخص اليوم',
        isDefault: false,
        choice: {
          keyword: 'رخصة',
          from: '2026-11-01',
          to: '',
          sort: 'desc',
          isMine: true,
          refund: 'due',
        },
      },
    ]);
    expect(await savedFilters('employee2')).toEqual([]);
  });

  it('have a name that is unique in its list in any case, and ordered days', async () => {
    await save('employee', 'Urgent');
    const { body } = await save('employee', 'Urgent', { list: 'all' });
    expect(
      body
        .filter(({ name }) => name === 'Urgent')
        .map(({ list }) => list)
        .sort(),
    ).toEqual(['all', 'new']);
    expect((await save('employee', 'urgent')).refused).toMatchObject({ error: 'FilterNameTaken' });
    expect(
      (
        await save('employee', 'Days', {
          choice: { ...choice, from: '2026-02-02', to: '2026-01-01' },
        })
      ).status,
    ).toBe(400);
    for (const bad of [
      { name: ' ' },
      { name: 'x'.repeat(61) },
      { name: 'a\u0000b' },
      { list: 'mine' },
      { choice: { ...choice, user: 'employee2' } },
      { choice: { ...choice, refund: 'all' } },
    ])
      expect((await save('employee', 'Bad', bad)).status).toBe(400);
  });

  it('have at most one default for each list, which can be removed', async () => {
    const first = (await save('employee2', 'First', { isDefault: true })).body.find(
      ({ name }) => name === 'First',
    );
    const defaults = async () =>
      (await savedFilters('employee2'))
        .filter(({ isDefault }) => isDefault)
        .map(({ name }) => name);
    await save('employee2', 'Second', { isDefault: true });
    expect(await defaults()).toEqual(['Second']);
    await change('employee2', { id: first?.id ?? '', isDefault: true });
    expect(await defaults()).toEqual(['First']);
    await change('employee2', { id: first?.id ?? '', isDefault: false, name: 'Once first' });
    expect(await defaults()).toEqual([]);
    expect((await savedFilters('employee2')).map(({ name }) => name)).toContain('Once first');
  });

  it('are changed and deleted by their owner only', async () => {
    const id =
      (await save('employee', 'Mine alone')).body.find(({ name }) => name === 'Mine alone')?.id ??
      '';
    expect((await change('employee2', { id, name: 'Yours' })).refused).toMatchObject({
      error: 'NotFound',
    });
    const deleteBy = async (username: string) =>
      app.callAs(username, calls.deleteSavedFilter, { body: { id } });
    expect((await deleteBy('admin')).refused).toMatchObject({ error: 'NotFound' });
    expect((await deleteBy('employee')).body.map(({ id: each }) => each)).not.toContain(id);
    expect((await deleteBy('employee')).status).toBe(404);
  });

  it('are at most thirty, also after concurrent calls', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => save('supervisor', `Filter ${index}`)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(calls.maximumSavedFilters);
    expect(answers.find(({ status }) => status !== 200)?.refused).toMatchObject({
      error: 'TooManySavedFilters',
    });
    expect(await savedFilters('supervisor')).toHaveLength(calls.maximumSavedFilters);
  });
});

describe('the filters of the lists of staff', () => {
  const ask = async (username: string, query: object) =>
    app.callAs(username, getRequestsByStatusId, { query: { Take: 100, ...query } });
  it('combine several statuses', async () => {
    const { body: statuses } = await app.callAs('employee', getAllStatuses);
    const chosen = statuses
      .filter(({ countsAs }) => countsAs !== undefined)
      .map(({ statusId }) => statusId);
    const each = await Promise.all(
      chosen.map(async (StatusId) => (await ask('employee', { StatusId })).body.totalCount),
    );
    const { body } = await ask('employee', { StatusIds: chosen.join(',') });
    expect(chosen.length).toBeGreaterThan(1);
    expect(body.totalCount).toBe(each.reduce((sum, count) => sum + count, 0));
    expect(new Set(body.items.map(({ statusId }) => statusId)).size).toBeGreaterThan(1);
    expect(
      (await ask('individual', { StatusIds: chosen.join(',') })).body.items.every(({ statusId }) =>
        chosen.includes(statusId),
      ),
    ).toBe(true);
    for (const StatusIds of ['', '1,', 'x', '1;2', '0'])
      expect((await ask('employee', { StatusIds })).status).toBe(400);
  });

  it('select the requests that the caller holds, and show the holder to staff only', async () => {
    const { requestId } = await stage.sendAndReceive('individual');
    const mine = (await ask('employee', { OnlyMine: 'true' })).body;
    expect(mine.items.map((item) => item.requestId)).toContain(requestId);
    expect(mine.items.every(({ holder }) => holder?.isYou)).toBe(true);
    expect(mine.totalCount).toBe(mine.items.length);
    expect(
      (await ask('employee2', { OnlyMine: 'true' })).body.items.map((item) => item.requestId),
    ).not.toContain(requestId);
    const seen = (await ask('employee2', {})).body.items.find(
      (item) => item.requestId === requestId,
    );
    expect(seen?.holder).toMatchObject({ isYou: false });
    expect(seen?.holder?.name).not.toBe('');
    expect(
      (await ask('individual', {})).body.items.find((item) => item.requestId === requestId),
    ).not.toHaveProperty('holder');
    expect((await stage.read('individual', requestId)).body).not.toHaveProperty('holder');
    expect((await stage.read('employee2', requestId)).body.holder).toMatchObject({ isYou: false });
  });
});
