import { beforeEach, describe, expect, it } from 'vitest';
import { findLedgerProblems } from '#commands/find-integrity-problems.store.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { demoPassword } from '#seed/seed.ts';
import { insertDemoRequest } from '#testing/requests/demo-request.ts';
import { openRequestStage } from '#testing/requests/request-stage.ts';
import { waitForMessageTo } from '#testing/sent-messages.ts';
import { useTestApp } from '#testing/test-app.ts';
import { insertSpareUser } from '#testing/well-formed/accounts.ts';
import { decideRefund, getRefunds, requestRefund } from '@diwan/contract/payments/events';
import { login } from '@diwan/contract/people/users';
import { createPayment } from '@diwan/contract/requests/payments';
import { recordRefund } from '@diwan/contract/requests/request-costs';
import { changeRoleConfirmation, decideRoleChange } from '@diwan/contract/staff/role-changes';
import { inviteStaff, joinStaff } from '@diwan/contract/staff/staff-invitations';
import { changeUserRoles, getUserById } from '@diwan/contract/staff/user-administration';
import type { governmentRoles } from '@diwan/contract/wire/call';
import { postMoney } from '../requests/record/postings.actions.ts';

const limit = 10_000;
const app = useTestApp({ PAYMENT_CHECK_SECONDS: '86400', REFUND_APPROVAL_ABOVE: String(limit) });
const day = 86_400_000;
let requestId = 0;

const idOf = (username: string) => app.idOf(username);

let made = 0;

type GovernmentRole = (typeof governmentRoles)[number];

/** An account with a role that the database gave it. */
async function insertStaff(role: GovernmentRole) {
  const username = `second${(made += 1)}`;
  const id = await insertSpareUser(app, username);
  await app.database
    .updateTable('users')
    .set({ roles: [role], all_agencies: true })
    .where('id', '=', id)
    .execute();
  const { body } = await app.call(login, { body: { username, password: demoPassword } });
  return { id, token: body.token };
}

/** An administrator whom `admin` invited. */
async function invite() {
  const [username, email] = [`second${(made += 1)}`, `second${made}@invited.example`];
  await app.callAs('admin', inviteStaff, {
    body: { email, fullName: 'Salma Al Demo', roles: ['Admin'] },
  });
  const token = /#([\w-]{40,})/.exec((await waitForMessageTo(app, email)).body)?.[1] ?? '';
  const password = 'Quiet-Lanterns-7042!';
  const { body } = await app.call(joinStaff, {
    body: {
      token,
      username,
      fullName: 'Salma Al Demo',
      phoneNumber: '050 123 4567',
      password,
      confirmPassword: password,
    },
  });
  return { id: await idOf(username), token: body.token };
}

/** A paid request of which everything can be refunded. */
beforeEach(async () => {
  ({ requestId } = await insertDemoRequest(app, 'individual'));
  const token = await app.signIn('individual');
  const { body } = await app.call(createPayment, { token, params: { requestId } });
  const { id, amount } = await app.database
    .updateTable('payments')
    .set({ status: 'paid', payment_url: null })
    .where('merchant_reference', '=', body.merchantReference)
    .returning(['id', 'amount'])
    .executeTakeFirstOrThrow();
  await app.database
    .insertInto('payment_events')
    .values({
      id: `charge of ${requestId}`,
      payment_id: id,
      kind: 'paid',
      amount,
      currency: 'AED',
      occurred_at: new Date(),
    })
    .execute();
  await inTransaction(app.serverDatabase, (transaction) => postMoney(transaction, requestId));
  const row = { refundable: amount, holder_id: await idOf('employee') };
  await app.database.updateTable('requests').set(row).where('id', '=', requestId).execute();
});

const ask = async (amount: number, refundedBefore = 0, username = 'admin') =>
  (
    await app.callAs(username, requestRefund, {
      body: { requestId, amount, refundedBefore, note: 'Rejected' },
    })
  ).body[0];
const decide = (token: string, { id = 0, version = 0 } = {}, isConfirmed = true) =>
  app.call(decideRefund, { token, body: { id, version, isConfirmed, note: '' } });
const setAge = (id: number | undefined, age: number) =>
  app.database
    .updateTable('refunds')
    .set({ created_at: new Date(Date.now() - age) })
    .where('id', '=', id ?? 0)
    .execute();

describe('the amount above which a refund waits', () => {
  it('is for all that one person refunds to a request in a day', async () => {
    const whole = await ask(limit + 1);
    expect(whole?.state).toBe('waiting');
    await decide(await app.signIn('admin'), whole, false);
    const first = await ask(limit);
    expect(first?.state).toBe('ready');
    const second = await ask(1, limit);
    expect(second?.state).toBe('waiting');
    // What waits or was withdrawn has not moved.
    await decide(await app.signIn('admin'), second, false);
    await setAge(first?.id, day - 60_000);
    expect((await ask(1, limit))?.state).toBe('waiting');
    await setAge(first?.id, day + 60_000);
    expect((await ask(limit, limit + 1))?.state).toBe('ready');
  });

  it('does not count what a second person confirmed', async () => {
    const first = await ask(limit + 1);
    await app.database
      .updateTable('refunds')
      .set({ state: 'ready', decided_by: await idOf('employee') })
      .where('id', '=', first?.id ?? 0)
      .execute();
    expect((await ask(limit, limit + 1))?.state).toBe('ready');
  });
});

it('staff see which part of a refund waits; the applicant sees it as under way', async () => {
  await ask(limit);
  await ask(2, limit);
  const refundFor = async (username: string) =>
    (await openRequestStage(app).read(username, requestId)).body.refund;
  for (const username of ['admin', 'employee'])
    expect(await refundFor(username)).toMatchObject({ underway: limit + 2, waiting: 2 });
  const shown = await refundFor('individual');
  expect(shown).toMatchObject({ underway: limit + 2 });
  expect(shown).not.toHaveProperty('waiting');
});

describe('a refund that was paid back outside of the portal', () => {
  const recordOutside = async (amount: number, reference: string) =>
    app.callAs('admin', recordRefund, { body: { requestId, amount, reference } });
  const waiting = async () => {
    const { body } = await app.callAs('admin', getRefunds, { query: { State: 'waiting' } });
    return body.items.find((each) => each.requestId === requestId);
  };

  it('waits above the limit, and is recorded once when a second person confirms it', async () => {
    const { body } = await recordOutside(limit + 1, 'BANK-1');
    expect(body).toMatchObject({
      refunded: 0,
      underway: limit + 1,
      waiting: limit + 1,
      refunds: [],
    });
    // Sent again, with another amount, and more than is left beside it.
    expect((await recordOutside(limit + 1, 'BANK-1')).body.waiting).toBe(limit + 1);
    expect((await recordOutside(1, 'BANK-1')).refused.error).toBe('RefundReferenceTaken');
    expect((await recordOutside(body.refundable - limit, 'BANK-2')).refused.error).toBe(
      'RefundTooLarge',
    );
    const refund = await waiting();
    expect(refund).toMatchObject({
      reason: 'recorded',
      outsideReference: 'BANK-1',
      merchantReference: '',
      isOwn: true,
    });
    expect((await decide(await app.signIn('admin'), refund)).refused.error).toBe(
      'RefundNeedsSecondPerson',
    );
    const { token } = await insertStaff('Admin');
    const both = await Promise.all([decide(token, refund), decide(token, refund)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    const shown = (await openRequestStage(app).read('admin', requestId)).body.refund;
    expect(shown).toMatchObject({
      refunded: limit + 1,
      underway: 0,
      refunds: [{ amount: limit + 1, reference: 'BANK-1', recordedBy: 'Aisha Al Demo' }],
    });
    // Two persons moved it, so the limit of one is untouched.
    expect((await recordOutside(limit, 'BANK-3')).body.refunded).toBe(2 * limit + 1);
    expect(await findLedgerProblems(app.database)).toEqual([]);
  });

  it('counts together with refunds to the card, and is not recorded when it is withdrawn', async () => {
    expect((await recordOutside(limit, 'BANK-1')).body.refunded).toBe(limit);
    expect((await ask(1, limit))?.state).toBe('waiting');
    await decide(await app.signIn('admin'), await waiting(), false);
    expect((await recordOutside(1, 'BANK-2')).body).toMatchObject({ refunded: limit, waiting: 1 });
    const withdrawn = await decide(await app.signIn('admin'), await waiting(), false);
    expect(withdrawn.body.state).toBe('withdrawn');
    const { refunds } = (await recordOutside(1, 'BANK-2')).body;
    expect(refunds).toHaveLength(1);
  });
});

describe('a second person', () => {
  const setOrigin = (userId: string, by: string, age: number) =>
    app.database
      .updateTable('users')
      .set({ admin_by: by, admin_since: new Date(Date.now() - age) })
      .where('id', '=', userId)
      .execute();
  const refusalTo = async (token: string) => {
    const { body } = await app.callAs('admin', getRefunds, { query: { State: 'waiting' } });
    const refund = body.items.find((each) => each.requestId === requestId);
    return (await decide(token, refund)).refused?.error;
  };

  it('is not whom the asker made an administrator, by new roles or an invitation', async () => {
    await ask(limit + 1);
    const [admin, employee] = [await idOf('admin'), await idOf('employee')];
    const promoted = await insertStaff('Employee');
    const { version } = (await app.callAs('admin', getUserById, { query: { UserId: promoted.id } }))
      .body;
    await app.callAs('admin', changeUserRoles, {
      body: { userId: promoted.id, version, roles: ['Admin'] },
    });
    const invited = await invite();
    for (const { id, token } of [promoted, invited]) {
      const { admin_by } = await app.database
        .selectFrom('users')
        .select('admin_by')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      expect(admin_by).toBe(admin);
      await setOrigin(id, admin, 8 * day);
      expect(await refusalTo(token)).toBe('SecondPersonNotIndependent');
    }
    await setOrigin(invited.id, employee, 8 * day);
    expect(await refusalTo(invited.token)).toBeUndefined();
  });

  it('has been an administrator for seven days', async () => {
    await ask(limit + 1);
    const { id, token } = await insertStaff('Admin');
    const employee = await idOf('employee');
    await setOrigin(id, employee, 7 * day - 60_000);
    expect(await refusalTo(token)).toBe('SecondPersonNotIndependent');
    await setOrigin(id, employee, 7 * day + 60_000);
    expect(await refusalTo(token)).toBeUndefined();
  });

  it('may be a finance officer, who is held to the same rules', async () => {
    const [one, two] = [await insertStaff('Finance'), await insertStaff('Finance')];
    const refund = await ask(limit + 1);
    await setOrigin(one.id, await idOf('admin'), 8 * day);
    expect(await refusalTo(one.token)).toBe('SecondPersonNotIndependent');
    await setOrigin(one.id, await idOf('employee'), 7 * day - 60_000);
    expect(await refusalTo(one.token)).toBe('SecondPersonNotIndependent');
    await setOrigin(one.id, await idOf('employee'), 7 * day + 60_000);
    expect((await decide(one.token, refund)).body.state).toBe('ready');

    // What a finance officer asks for waits for another one, too.
    const { body } = await app.call(requestRefund, {
      token: one.token,
      body: { requestId, amount: limit + 1, refundedBefore: limit + 1, note: 'Rejected' },
    });
    expect(body[0]?.state).toBe('waiting');
    expect((await decide(one.token, body[0])).refused.error).toBe('RefundNeedsSecondPerson');
    expect((await decide(two.token, body[0])).body.state).toBe('ready');
  });

  it.each(['Employee', 'Content', 'Auditor'] as const)('is nobody of the role %s', async (role) => {
    const refund = await ask(limit + 1);
    const { token } = await insertStaff(role);
    for (const isConfirmed of [true, false])
      expect((await decide(token, refund, isConfirmed)).status).toBe(403);
  });

  it('of changes of roles is no finance officer, who gives no roles either', async () => {
    const { id, token } = await insertStaff('Finance');
    const { version } = (await app.callAs('admin', getUserById, { query: { UserId: id } })).body;
    const changeId = '00000000-0000-4000-8000-000000000000';
    const refused = [
      await app.call(changeUserRoles, { token, body: { userId: id, version, roles: ['Admin'] } }),
      await app.call(decideRoleChange, { token, body: { changeId, decision: 'confirm' } }),
      await app.call(changeRoleConfirmation, { token, body: { isRequired: false } }),
      await app.call(inviteStaff, {
        token,
        body: { email: 'x@invited.example', fullName: 'Salma Al Demo', roles: ['Finance'] },
      }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  });

  it('may withdraw, also as an administrator whom the asker made', async () => {
    const refund = await ask(limit + 1);
    const { id, token } = await insertStaff('Admin');
    await setOrigin(id, await idOf('admin'), 0);
    expect((await decide(token, refund, false)).body.state).toBe('withdrawn');
  });
});
