import { describe, expect, it } from 'vitest';
import { openRequestStage } from '#testing/requests/request-stage.ts';
import { openTestApp, useTestApp } from '#testing/test-app.ts';
import { getRequestByRequestNoOrMobileNo as ask } from '@diwan/contract/requests/request-lists';

const app = useTestApp();
const stage = openRequestStage(app);

let lastNumber = 5_550_000;
const nextMobile = () => `050${(lastNumber += 1)}`;
const inE164 = (mobile: string) => `+971${mobile.slice(1)}`;

function inquire(
  SearchKeyword: string,
  VerificationCode?: string,
  language: 'ar-EG' | 'en-US' | 'ur-PK' = 'en-US',
) {
  return app.call(ask, {
    query: { SearchKeyword, ...(VerificationCode === undefined ? {} : { VerificationCode }) },
    language,
  });
}

async function messagesTo(mobile: string) {
  return app.database
    .selectFrom('sandbox.messages')
    .selectAll()
    .where('channel', '=', 'sms')
    .where('recipient', '=', inE164(mobile))
    .orderBy('id')
    .execute();
}

// The code is sent after the reply, so that a known number does not delay the reply.
async function codeSentTo(mobile: string): Promise<string> {
  const body = await expect
    .poll(async () => (await messagesTo(mobile)).at(-1)?.body)
    .toMatch(/\d{6}/)
    .then(async () => (await messagesTo(mobile)).at(-1)?.body ?? '');
  return /\d{6}/.exec(body)?.[0] ?? '';
}

/** Sends a code to another number and waits for it: earlier codes were sent by then. */
async function waitForLaterCode(): Promise<void> {
  const mobile = nextMobile();
  await stage.send('individual', undefined, { applicantMobile: mobile });
  await inquire(mobile);
  await codeSentTo(mobile);
}

async function wrongCode(mobile: string): Promise<string> {
  return (await codeSentTo(mobile)) === '000000' ? '000001' : '000000';
}

describe('an inquiry by request number', () => {
  it('shows the status without a sign-in, and nothing about the applicant', async () => {
    const { requestNumber } = await stage.send('individual', undefined, {
      applicantName: 'Secret Name',
    });
    for (const text of [
      requestNumber,
      requestNumber.replaceAll('-', ''),
      requestNumber.toLowerCase(),
    ]) {
      const { body } = await inquire(text);
      expect(body).toMatchObject({
        totalCount: 1,
        pageNumber: 1,
        items: [
          {
            requestNumber,
            statusName: 'Received, waiting for review',
            statusTone: 'progress',
            promisedBy: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/) as unknown,
          },
        ],
      });
      expect(JSON.stringify(body)).not.toContain('Secret');
      expect(body.items[0]).not.toHaveProperty('requestId');
    }
    expect((await inquire(requestNumber, undefined, 'ar-EG')).body.items[0]?.statusName).toBe(
      'وصل، بانتظار المراجعة',
    );
  });

  it('finds nothing for unknown numbers and other texts', async () => {
    for (const text of ['DW26-00000-00000', 'DW26', 'Sara', '%', 'individual'])
      expect((await inquire(text)).body).toEqual({ items: [], pageNumber: 1, totalCount: 0 });
    expect((await inquire('  ')).status).toBe(400);
  });
});

describe('an inquiry by mobile number', () => {
  it('shows the list with the code that was sent, for several pages', async () => {
    const mobile = nextMobile();
    const sent = await Promise.all(
      [1, 2, 3].map(() => stage.send('individual', undefined, { applicantMobile: mobile })),
    );
    const first = await inquire(mobile);
    expect([first.status, first.refused.error]).toEqual([400, 'VerificationCodeRequired']);
    const code = await codeSentTo(mobile);
    const { body } = await inquire(`+971 ${mobile.slice(1)}`, code);
    expect(body.items.map(({ requestNumber }) => requestNumber).sort()).toEqual(
      sent.map(({ requestNumber }) => requestNumber).sort(),
    );
    const second = await app.call(ask, {
      query: { SearchKeyword: mobile, VerificationCode: code, PageNumber: 2, Take: 2 },
    });
    expect(second.body).toMatchObject({ totalCount: 3, pageNumber: 2 });
    expect(second.body.items).toHaveLength(1);
  });

  it('sends the code in the caller’s language', async () => {
    const mobile = nextMobile();
    await stage.send('individual', undefined, { applicantMobile: mobile });
    await inquire(mobile, undefined, 'ur-PK');
    await codeSentTo(mobile);
    expect((await messagesTo(mobile))[0]?.body).toContain('تصدیقی کوڈ');
  });

  it('gives the same reply for an unknown number, and sends nothing', async () => {
    const mobile = nextMobile();
    expect((await inquire(mobile)).refused).toMatchObject({ error: 'VerificationCodeRequired' });
    expect((await inquire(mobile, '123456')).refused.error).toBe('VerificationCodeWrong');
    expect(await messagesTo(mobile)).toEqual([]);
    expect(
      await app.database
        .selectFrom('verification_codes')
        .selectAll()
        .where('address', '=', inE164(mobile))
        .execute(),
    ).toEqual([]);
  });

  it('sends one SMS a minute, also to concurrent inquiries', async () => {
    const mobile = nextMobile();
    await stage.send('individual', undefined, { applicantMobile: mobile });
    await Promise.all(Array.from({ length: 10 }, () => inquire(mobile)));
    const code = await codeSentTo(mobile);
    await inquire(mobile);
    await waitForLaterCode();
    expect(await messagesTo(mobile)).toHaveLength(1);
    expect((await inquire(mobile, code)).status).toBe(200);
    await app.database
      .updateTable('verification_codes')
      .set({ expires_at: new Date(Date.now() + 8.9 * 60_000) })
      .where('address', '=', inE164(mobile))
      .execute();
    await inquire(mobile);
    await expect.poll(async () => (await messagesTo(mobile)).length).toBe(2);
  });

  it('sends at most ten SMS a day, and more the next day', async () => {
    const mobile = nextMobile();
    await stage.send('individual', undefined, { applicantMobile: mobile });
    const row = () =>
      app.database.updateTable('verification_codes').where('address', '=', inE164(mobile));
    for (let index = 1; index <= 12; index += 1) {
      expect((await inquire(mobile)).refused.error).toBe('VerificationCodeRequired');
      if (index <= 10) await expect.poll(async () => (await messagesTo(mobile)).length).toBe(index);
      await row().set({ expires_at: new Date() }).execute();
    }
    await waitForLaterCode();
    expect(await messagesTo(mobile)).toHaveLength(10);
    await row()
      .set({ first_sent_at: new Date(Date.now() - 86_400_001) })
      .execute();
    await inquire(mobile);
    await expect.poll(async () => (await messagesTo(mobile)).length).toBe(11);
    expect(
      await app.database
        .selectFrom('verification_codes')
        .select('sent')
        .where('address', '=', inE164(mobile))
        .executeTakeFirst(),
    ).toEqual({ sent: 1 });
  });

  it('refuses wrong codes, and after five of them the correct code too', async () => {
    const mobile = nextMobile();
    await stage.send('individual', undefined, { applicantMobile: mobile });
    await inquire(mobile);
    const wrong = await wrongCode(mobile);
    const answers = await Promise.all(Array.from({ length: 5 }, () => inquire(mobile, wrong)));
    for (const { refused } of answers) expect(refused.error).toBe('VerificationCodeWrong');
    expect((await inquire(mobile, await codeSentTo(mobile))).refused.error).toBe(
      'VerificationCodeWrong',
    );
  });

  it('refuses expired codes and codes of other numbers, and stores no code as plain text', async () => {
    const [mobile, other] = [nextMobile(), nextMobile()];
    await stage.send('individual', undefined, { applicantMobile: mobile });
    await stage.send('individual', undefined, { applicantMobile: other });
    await Promise.all([inquire(mobile), inquire(other)]);
    const code = await codeSentTo(mobile);
    if ((await codeSentTo(other)) !== code)
      expect((await inquire(other, code)).refused.error).toBe('VerificationCodeWrong');
    const stored = await app.database
      .selectFrom('verification_codes')
      .selectAll()
      .where('address', '=', inE164(mobile))
      .executeTakeFirstOrThrow();
    expect(stored.code_hash).not.toContain(code);
    await app.database
      .updateTable('verification_codes')
      .set({ expires_at: new Date(Date.now() - 1) })
      .where('address', '=', inE164(mobile))
      .execute();
    expect((await inquire(mobile, code)).refused.error).toBe('VerificationCodeWrong');
  });
});

describe('an inquiry of a signed-in caller', () => {
  it('finds only what the caller may see, without a code', async () => {
    const mobile = nextMobile();
    const own = await stage.send('individual', undefined, { applicantMobile: mobile });
    const others = await stage.send('individual2', undefined, { applicantMobile: mobile });
    const numbers = async (username: string, SearchKeyword: string) => {
      const { body } = await app.callAs(username, ask, { query: { SearchKeyword } });
      return body.items.map(({ requestNumber }) => requestNumber).sort();
    };
    expect(await numbers('individual', mobile)).toEqual([own.requestNumber]);
    expect(await numbers('individual', others.requestNumber)).toEqual([]);
    expect(await numbers('company', mobile)).toEqual([]);
    expect(await numbers('employee', mobile)).toEqual(
      [own.requestNumber, others.requestNumber].sort(),
    );
    expect(await messagesTo(mobile)).toEqual([]);
  });
});

describe('too many inquiries', () => {
  it('are refused for a while', async () => {
    const strict = await openTestApp({ INQUIRIES_PER_MINUTE: '3' });
    const answers = [];
    for (let index = 0; index < 5; index += 1)
      answers.push(await strict.call(ask, { query: { SearchKeyword: 'DW26-00000-00000' } }));
    await strict.close();
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
    expect(answers[4]?.refused.error).toBe('TooManyRequests');
  });
});
