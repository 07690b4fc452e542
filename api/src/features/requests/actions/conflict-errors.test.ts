import { describe, expect, it } from 'vitest';
import { localizePersonName } from '#platform/core/localize.ts';
import { openRequestStage, messageTexts } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import * as calls from '@diwan/contract/requests/request-actions';
import type { Language } from '@diwan/contract/wire/languages';

const app = useTestApp();
const stage = openRequestStage(app);

async function receive(
  username: string,
  requestId: number,
  version?: number,
  language: Language = 'en-US',
) {
  return app.callAs(username, calls.receiveRequest, {
    params: { requestId },
    query: version === undefined ? {} : { version },
    language,
  });
}
const personOf = (username: string) =>
  app.database
    .selectFrom('users')
    .select(['full_name', 'full_name_ar'])
    .where('username', '=', username)
    .executeTakeFirstOrThrow();
const count = async (requestId: number, action: string) =>
  (await stage.read('admin', requestId)).body.history.filter((entry) => entry.action === action)
    .length;

describe('two employees who receive at the same time', () => {
  it('get one holder, and one refusal that says who received and when, in the caller’s language', async () => {
    const { requestId } = await stage.send('individual');
    const answers = await Promise.all([
      receive('employee', requestId, 1),
      receive('employee2', requestId, 1),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    const winner = answers[0]?.status === 200 ? 'employee' : 'employee2';
    const person = await personOf(winner);
    const [loser] = ['employee', 'employee2'].filter((each) => each !== winner);
    const year = { 'ar-EG': / 20\d\d /, 'en-US': /20\d\d at \d/, 'ur-PK': /20\d\d/ };
    const verb = {
      'ar-EG': 'استلام الطلب:',
      'en-US': 'Received by',
      'ur-PK': 'درخواست وصول کی',
    };
    for (const language of ['ar-EG', 'en-US', 'ur-PK'] as const) {
      for (const version of [1, undefined]) {
        const { refused } = await receive(loser ?? '', requestId, version, language);
        expect(refused.error).toBe(
          version === undefined ? 'ActionNotAllowed' : 'VersionHasChanged',
        );
        expect(refused.message).toContain(`\u2068${localizePersonName(person, language)}\u2069`);
        expect(refused.message).toContain(verb[language]);
        expect(refused.message).toMatch(year[language]);
      }
    }
    expect(await count(requestId, 'receive')).toBe(1);
  });
});

describe('the same call sent twice', () => {
  it('acts once and replies twice with the current record', async () => {
    const { requestId } = await stage.send('individual');
    const received = await Promise.all([
      receive('employee', requestId, 1),
      receive('employee', requestId, 1),
      receive('employee', requestId, 1),
    ]);
    expect(received.map(({ status, body }) => [status, body.version])).toEqual([
      [200, 2],
      [200, 2],
      [200, 2],
    ]);
    const body = {
      requestId,
      version: 2,
      ...messageTexts,
      requestHistoryRejectionReasonsList: [1],
    };
    const returned = await Promise.all(
      [1, 2].map(() => stage.performAction('employee', calls.returnRequest, body)),
    );
    expect(returned.map(({ status }) => status)).toEqual([200, 200]);
    expect([await count(requestId, 'receive'), await count(requestId, 'return')]).toEqual([1, 1]);
    // Another message, an older version and another caller are different calls.
    const other = await stage.performAction('employee', calls.returnRequest, {
      ...body,
      messageEn: 'Something else',
    });
    expect([
      other.refused.error,
      /Returned to be corrected by you on/.test(other.refused.message ?? ''),
    ]).toEqual(['VersionHasChanged', true]);
    expect((await receive('employee', requestId, 1)).refused.error).toBe('VersionHasChanged');
    expect((await stage.performAction('admin', calls.returnRequest, body)).refused.error).toBe(
      'VersionHasChanged',
    );
  });

  it('corrects once when the reply is lost', async () => {
    const { requestId, answers, attachmentIds } = await stage.sendAndReceive('individual');
    await stage.performAction('employee', calls.returnRequest, { requestId, ...messageTexts });
    const body = {
      requestId,
      version: 3,
      answers: { ...answers, applicantName: 'Sara Twice' },
      attachmentIds,
    };
    const corrected = await Promise.all(
      [1, 2, 3].map(() => stage.performAction('individual', calls.updateRequest, body)),
    );
    expect(corrected.map((each) => [each.status, each.body.version])).toEqual([
      [200, 4],
      [200, 4],
      [200, 4],
    ]);
    expect(await count(requestId, 'update')).toBe(1);
  });
});

describe('the refusal of an outdated action', () => {
  it('names the employee to staff, and the agency to the applicant', async () => {
    const { requestId, answers, attachmentIds } = await stage.sendAndReceive('individual');
    const pending = await stage.performAction('employee2', calls.approveRequest, { requestId });
    expect([
      pending.refused.error,
      pending.refused.message?.includes((await personOf('employee')).full_name),
    ]).toEqual(['ActionNotAllowed', true]);
    await stage.performAction('employee', calls.returnRequest, { requestId, ...messageTexts });
    const body = { requestId, answers, attachmentIds };
    await stage.performAction('individual', calls.updateRequest, body);
    await receive('employee2', requestId);
    const late = await stage.performAction('individual', calls.updateRequest, {
      ...body,
      version: 3,
    });
    expect(late.refused.error).toBe('VersionHasChanged');
    expect(late.refused.message).toContain('Received by the agency on');
    expect(late.refused.message).not.toContain((await personOf('employee2')).full_name);
  });

  it('names no one when no step caused it', async () => {
    const { requestId } = await stage.send('individual');
    expect(
      (await stage.performAction('employee', calls.approveRequest, { requestId })).refused.message,
    ).toBe('This cannot be done with the request in its present status.');
  });
});
