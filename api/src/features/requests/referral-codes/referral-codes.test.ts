import { describe, expect, it } from 'vitest';
import { freeService, openRequestStage } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import * as codes from '@diwan/contract/payments/referral-codes';
import { checkReferralCodeValidity } from '@diwan/contract/payments/referral-codes';
import { getChanges } from '@diwan/contract/people/changes';
import type { BodyInputOf } from '@diwan/contract/wire/call';
import { dayAfter, todayInDubai } from '@diwan/contract/wire/days';

const app = useTestApp();
const stage = openRequestStage(app);
const today = todayInDubai();
const name = { 'ar-EG': 'حملة', 'en-US': 'Campaign', 'ur-PK': 'مہم' };

const save = (body: Partial<BodyInputOf<typeof codes.saveReferralCode>>) =>
  app.callAs('admin', codes.saveReferralCode, {
    body: { code: 'SPRING', version: 0, name, validFrom: today, ...body },
    language: 'en-US',
  });
const list = async (State?: codes.ReferralCodeState) =>
  (
    await app.callAs('admin', codes.getReferralCodes, {
      query: { ...(State ? { State } : {}), Take: 100 },
    })
  ).body.items;
const isValid = async (refferalCode: string) =>
  (await app.call(checkReferralCodeValidity, { query: { refferalCode } })).body.isValid;
const use = async (code: string) => {
  const sent = await stage.send('individual', freeService);
  await app.database
    .updateTable('requests')
    .set({ referral_code: code })
    .where('id', '=', sent.requestId)
    .execute();
  return sent;
};

it('the codes of the demo begin on a day of their campaigns', async () => {
  const demo = (await list()).filter(({ code }) => code.startsWith('DEMO-'));
  expect(demo.length).toBeGreaterThan(1);
  expect(new Set(demo.map(({ validFrom }) => validFrom))).toEqual(new Set(['2025-01-01']));
});

describe('a referral code', () => {
  it('is added once, in large letters, and valid immediately', async () => {
    const { status, body } = await save({ code: ' autumn-26 ', mostUses: 2 });
    expect([status, body]).toEqual([
      200,
      {
        code: 'AUTUMN-26',
        name,
        validFrom: today,
        mostUses: 2,
        uses: 0,
        state: 'active',
        version: 1,
      },
    ]);
    expect(await isValid('autumn 26')).toBe(true);
    expect((await save({ code: 'AUTUMN-26' })).refused.error).toBe('ReferralCodeTaken');
  });

  it('is refused with another form, or an end before its beginning', async () => {
    for (const code of ['ab', '-ab', 'a b', 'رمز', 'a'.repeat(41)])
      expect([code, (await save({ code })).status]).toEqual([code, 400]);
    const { refused } = await save({ code: 'BACKWARDS', validUntil: dayAfter(today, -1) });
    expect(Object.keys(refused.errors ?? {})).toEqual(['validUntil']);
    expect((await save({ code: 'MANY', mostUses: 1_000_001 })).status).toBe(400);
  });

  it('is valid on its last day, and has the states of its time and its uses', async () => {
    await save({ code: 'LAST-DAY', validUntil: today });
    await save({ code: 'LATER', validFrom: dayAfter(today, 1) });
    await save({ code: 'PAST', validFrom: dayAfter(today, -9), validUntil: dayAfter(today, -1) });
    await save({ code: 'ONCE', mostUses: 1 });
    await use('ONCE');
    expect(await isValid('LAST-DAY')).toBe(true);
    expect(await isValid('LATER')).toBe(false);
    const states = new Map((await list()).map(({ code, state }) => [code, state]));
    expect(['LAST-DAY', 'LATER', 'PAST', 'ONCE'].map((code) => states.get(code))).toEqual([
      'active',
      'planned',
      'ended',
      'usedUp',
    ]);
    expect((await list('planned')).map(({ code }) => code)).toEqual(['LATER']);
    expect((await list()).find(({ code }) => code === 'LAST-DAY')?.validUntil).toBe(today);
  });

  it('is changed before its first use only, over the version that was seen', async () => {
    await save({ code: 'EDITED' });
    const changed = await save({ code: 'EDITED', version: 1, mostUses: 5 });
    expect(changed.body).toMatchObject({ mostUses: 5, version: 2 });
    expect((await save({ code: 'EDITED', version: 1 })).refused.error).toBe('RecordHasChanged');
    await use('EDITED');
    expect((await save({ code: 'EDITED', version: 2 })).refused.error).toBe('ReferralCodeIsUsed');
    expect((await save({ code: 'NOT-THERE', version: 1 })).refused.error).toBe('NotFound');
  });

  it('ends immediately, also before it begins, and is logged', async () => {
    for (const [code, validFrom] of [
      ['ENDING', today],
      ['ENDING-LATER', dayAfter(today, 3)],
    ] as const) {
      await save({ code, validFrom });
      const { body } = await app.callAs('admin', codes.endReferralCode, {
        body: { code, version: 1 },
      });
      expect(body.state).toBe('ended');
      expect(await isValid(code)).toBe(false);
    }
    const { items } = (
      await app.callAs('admin', getChanges, {
        query: { Entity: 'referralCode', EntityId: 'ENDING' },
      })
    ).body;
    expect(items.map(({ action }) => action)).toEqual(['changed', 'created']);
  });

  it('names the requests that used it, the newest first', async () => {
    await save({ code: 'COUNTED' });
    const first = await use('COUNTED');
    const second = await use('COUNTED');
    expect((await list()).find(({ code }) => code === 'COUNTED')?.uses).toBe(2);
    const { body } = await app.callAs('admin', codes.getReferralCodeUses, {
      query: { Code: 'counted' },
      language: 'en-US',
    });
    expect(body.items.map(({ requestNumber }) => requestNumber)).toEqual([
      second.requestNumber,
      first.requestNumber,
    ]);
    expect(body.items[0]?.serviceName).toMatch(/[A-Z]/);
    expect(body.totalCount).toBe(2);
  });
});
