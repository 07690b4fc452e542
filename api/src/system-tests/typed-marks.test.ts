import { describe, expect, it } from 'vitest';
import { demoPassword } from '#seed/seed.ts';
import { openRequestStage } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import { checkReferralCodeValidity } from '@diwan/contract/payments/referral-codes';
import { findPerson } from '@diwan/contract/people/acting';
import { login } from '@diwan/contract/people/users';
import {
  findAnything,
  getRequestByRequestNoOrMobileNo,
  getRequestsByStatusId,
} from '@diwan/contract/requests/request-lists';
import { getAllUsers } from '@diwan/contract/staff/user-administration';

const app = useTestApp({ LOGIN_ATTEMPTS_PER_MINUTE: '1000', INQUIRIES_PER_MINUTE: '1000' });
const stage = openRequestStage(app);

// What programs put around a text that is copied, and within it.
const wrappings: Record<string, (text: string) => string> = {
  'an override': (text) => `\u202D${text}\u202C`,
  'an isolate': (text) => `\u2066${text}\u2069`,
  'direction marks': (text) => `\u200E\u200F\u061C${text}\u200F`,
  'a byte order mark': (text) => `\uFEFF${text}`,
  'zero widths': (text) => text.split('').join('\u200B\u2060'),
  joiners: (text) => `\u200C${text}\u200D`,
};

describe.each(Object.entries(wrappings))('%s around what is typed', (_, wrap) => {
  it('does not change a sign-in, except in the password', async () => {
    const signIn = async (username: string, password: string) =>
      (await app.call(login, { body: { username, password } })).status;
    expect(await signIn(wrap('Individual'), demoPassword)).toBe(200);
    expect(await signIn('individual', wrap(demoPassword))).toBe(400);
  });

  it('does not hide a person at the counter', async () => {
    const { emirates_id: emiratesId } = await app.database
      .selectFrom('users')
      .select('emirates_id')
      .where('username', '=', 'individual')
      .executeTakeFirstOrThrow();
    for (const name of ['individual', '0500000008', emiratesId].filter((each) => each !== null))
      expect(
        (await app.callAs('employee', findPerson, { body: { name: wrap(name) } })).status,
      ).toBe(200);
  });

  it('does not change a referral code or the number of a request', async () => {
    const { code } = await app.database
      .selectFrom('referral_codes')
      .select('code')
      .where('valid_until', 'is', null)
      .where('most_uses', 'is', null)
      .executeTakeFirstOrThrow();
    expect(
      (
        await app.callAs('individual', checkReferralCodeValidity, {
          query: { refferalCode: wrap(code) },
        })
      ).body.isValid,
    ).toBe(true);
    const { requestNumber } = await stage.send('individual');
    const asked = await app.call(getRequestByRequestNoOrMobileNo, {
      query: { SearchKeyword: wrap(requestNumber) },
    });
    expect(asked.body.items).toHaveLength(1);
    const listed = await app.callAs('individual', getRequestsByStatusId, {
      query: { SearchKeyword: wrap(requestNumber) },
    });
    expect(listed.body.items).toHaveLength(1);
  });

  it('does not change a search of users', async () => {
    const found = await app.callAs('admin', findAnything, { query: { Text: wrap('individual2') } });
    expect(found.body.people.map(({ username }) => username)).toEqual(['individual2']);
    const listed = await app.callAs('admin', getAllUsers, {
      query: { SearchKeyword: wrap('individual2') },
    });
    expect(listed.body.items.map(({ username }) => username)).toEqual(['individual2']);
  });
});
