import { expect, it } from 'vitest';
import { useTestApp } from '#testing/test-app.ts';
import * as calls from '@diwan/contract/people/snippets';
import type { BodyInputOf } from '@diwan/contract/wire/call';

const app = useTestApp();

type Sent = BodyInputOf<typeof calls.saveSnippet>;

const texts = { messageAr: 'الصورة غير واضحة', messageEn: '', messageUr: '' };
const save = (username: string, body: Omit<Sent, keyof typeof texts> & Partial<Sent>) =>
  app.callAs(username, calls.saveSnippet, { body: { ...texts, ...body } });
const offered = async (username: string) => (await app.callAs(username, calls.getSnippets)).body;
const find = async (username: string, name: string) =>
  (await offered(username)).find((each) => each.name === name);
async function saved(username: string, name: string, isShared = false): Promise<calls.Snippet> {
  const { body } = await save(username, { name, isShared });
  const own = body.find((each) => each.name === name);
  if (!own) throw new Error('The text was not saved');
  return own;
}

it('keeps a text for its author, and offers a shared one to the office alone', async () => {
  expect(await saved('employee', '  Own  '.trim())).toMatchObject({
    ...texts,
    name: 'Own',
    isShared: false,
    canChange: true,
    version: 1,
  });
  await saved('employee', 'Shared', true);
  expect(await find('employee2', 'Own')).toBeUndefined();
  expect(await find('employee2', 'Shared')).toMatchObject({ canChange: false, isShared: true });
  expect((await find('employee2', 'Shared'))?.owner).not.toBe('');
  expect(await find('admin', 'Shared')).toMatchObject({ canChange: true });
  expect(await offered('supervisor')).toEqual([]);
  await saved('supervisor', 'Office', true);
  expect(await find('supervisor2', 'Office')).toBeUndefined();
  expect(await find('employee', 'Office')).toBeUndefined();
});

it('is changed by its author, and by an admin when it is shared; nobody else finds it', async () => {
  const { snippetId, version } = await saved('employee', 'Ours', true);
  const changed = { snippetId, version, name: 'Ours', messageEn: 'Not clear', isShared: true };
  expect((await save('employee2', changed)).refused.error).toBe('SnippetNotFound');
  expect((await save('supervisor', changed)).refused.error).toBe('SnippetNotFound');
  for (const other of ['employee2', 'supervisor']) {
    const { refused } = await app.callAs(other, calls.deleteSnippet, { body: { snippetId } });
    expect(refused.error).toBe('SnippetNotFound');
  }
  await save('admin', changed);
  expect(await find('employee', 'Ours')).toMatchObject({ messageEn: 'Not clear', version: 2 });
  // Two people change it: the second one has not seen the change of the first.
  expect((await save('employee', changed)).refused.error).toBe('RecordHasChanged');
  await app.callAs('employee', calls.deleteSnippet, { body: { snippetId } });
  expect(await find('employee', 'Ours')).toBeUndefined();
});

it('has its own name and a text in some language', async () => {
  await saved('employee', 'Photo');
  expect((await save('employee', { name: 'photo' })).refused.error).toBe('SnippetNameTaken');
  await saved('employee2', 'Photo');
  const empty = { messageAr: ' \u200f ', messageEn: '', messageUr: '' };
  expect(
    Object.keys((await save('employee', { name: 'Empty', ...empty })).refused.errors ?? {}),
  ).toEqual(['messageAr']);
  expect(Object.keys((await save('employee', { name: '\u200f' })).refused.errors ?? {})).toEqual([
    'name',
  ]);
  // Of a double click one is saved.
  const twice = await Promise.all([1, 2].map(() => save('employee', { name: 'Twice' })));
  expect(twice.map(({ refused }) => refused.error).sort()).toEqual(['SnippetNameTaken', undefined]);
});

it('is refused beyond a number', async () => {
  const id = await app.idOf('supervisor2');
  await app.database
    .insertInto('snippets')
    .values(
      Array.from({ length: calls.maximumSnippets }, (_each, index) => ({
        user_id: id,
        name: `text ${index}`,
        texts: JSON.stringify({ 'en-US': 'x' }),
      })),
    )
    .execute();
  const { refused } = await save('supervisor2', { name: 'One more' });
  expect(refused).toMatchObject({ error: 'TooManySnippets' });
  expect(refused.message).toContain('100');
});
