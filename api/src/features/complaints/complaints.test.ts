import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { openRequestStage, paidService } from '#testing/requests/request-stage.ts';
import { listMessagesTo } from '#testing/sent-messages.ts';
import { useTestApp } from '#testing/test-app.ts';
import { complainant, complaintOf } from '#testing/well-formed/complaints.ts';
import {
  answerComplaint,
  findComplaint,
  getComplaints,
  getMyComplaints,
  sendComplaint,
  type ComplaintSubject,
} from '@diwan/contract/content/complaints';
import { todayInDubai } from '@diwan/contract/wire/days';
import { deleteClosed } from './complaints.store.ts';

// `paidService` is of the agency of `agency-rta`.
const app = useTestApp();
const stage = openRequestStage(app);

const send = async (subject: ComplaintSubject, serviceId?: number, username?: string) =>
  app.call(sendComplaint, {
    body: complaintOf(subject, serviceId),
    ...(username ? { token: await app.signIn(username) } : {}),
  });
const sendOfAgency = async () => send('service', (await stage.findService(paidService)).id);
const find = (reference: string, email = complainant.email) =>
  app.call(findComplaint, { body: { reference, email } });
const listOf = async (username: string) =>
  (await app.callAs(username, getComplaints, { query: { Take: 100 } })).body.items;
const seen = async (username: string, reference: string) =>
  (await listOf(username)).find((each) => each.reference === reference);
const answer = async (username: string, reference: string, isClosed: boolean, version?: number) => {
  const found = (await seen('admin', reference))!;
  return app.callAs(username, answerComplaint, {
    body: {
      complaintId: found.complaintId,
      version: version ?? found.version,
      answer: 'The hours on the page have been corrected.',
      isClosed,
    },
  });
};
const mailsAbout = async (reference: string) =>
  (await listMessagesTo(app, complainant.email)).filter(({ subject }) =>
    subject.includes(reference),
  );

describe('a complaint', () => {
  it('goes to the agency of its service with a promised day, and is answered by mail', async () => {
    const { status, body } = await sendOfAgency();
    expect(status).toBe(200);
    expect(body.reference).toMatch(/^CP-[A-Z2-9]{10}$/);
    expect(body.answerBy > todayInDubai()).toBe(true);
    await expect.poll(async () => (await mailsAbout(body.reference)).length).toBe(1);
    expect(await seen('agency-rta', body.reference)).toMatchObject({
      ...complainant,
      state: 'received',
      answerBy: body.answerBy,
      answers: [],
    });
    expect(await seen('agency-moi', body.reference)).toBeUndefined();
    expect((await answer('agency-moi', body.reference, true)).refused.error).toBe(
      'ComplaintNotFound',
    );
    expect((await answer('agency-rta', body.reference, false)).status).toBe(200);
    await expect.poll(async () => (await mailsAbout(body.reference)).length).toBe(2);
    expect((await mailsAbout(body.reference)).at(-1)?.body).toContain('have been corrected');
    expect((await answer('admin', body.reference, true, 1)).refused.error).toBe('RecordHasChanged');
    expect((await answer('admin', body.reference, true)).status).toBe(200);
    expect((await answer('admin', body.reference, true)).refused.error).toBe('RecordHasChanged');
    const { body: shown } = await find(body.reference);
    expect([shown.state, shown.answers.length]).toEqual(['closed', 2]);
  });

  it('about something else goes to the portal alone', async () => {
    const { body } = await send('staff');
    expect(await seen('admin', body.reference)).toMatchObject({ subject: 'staff' });
    expect(await seen('auditor', body.reference)).not.toHaveProperty('agencyName');
    for (const username of ['agency-rta', 'agency-moi'])
      expect(await seen(username, body.reference)).toBeUndefined();
  });

  it('is found by its reference and its address together only', async () => {
    const { body } = await send('privacy');
    const other = await send('privacy');
    expect((await find(body.reference.toLowerCase(), ' SALEM@example.ae ')).status).toBe(200);
    for (const [reference, email] of [
      [body.reference, 'other@example.ae'],
      ['CP-AAAAAAAAAA', complainant.email],
      [`${other.body.reference}A`, complainant.email],
    ] as const) {
      const { status, refused } = await find(reference, email);
      expect([status, refused.error]).toEqual([404, 'ComplaintNotFound']);
    }
    expect((await find(body.reference)).body).not.toHaveProperty('email');
  });

  it('is in the list of who sent it while signed in, and of nobody else', async () => {
    const { body } = await send('payment', undefined, 'individual');
    const references = async (username: string) =>
      (await app.callAs(username, getMyComplaints, { query: { Take: 100 } })).body.items.map(
        ({ reference }) => reference,
      );
    expect(await references('individual')).toContain(body.reference);
    expect(await references('individual2')).not.toContain(body.reference);
  });

  it('comes page by page, in the list of its sender and in that of administrators', async () => {
    const sent = [];
    for (let count = 0; count < 3; count += 1)
      sent.push((await send('privacy', undefined, 'individual2')).body.reference);
    const pages = async (Take: number, PageNumber: number) =>
      (await app.callAs('individual2', getMyComplaints, { query: { Take, PageNumber } })).body;
    const first = await pages(2, 1);
    expect(first.totalCount).toBe(3);
    const all = [...first.items, ...(await pages(2, 2)).items].map(({ reference }) => reference);
    expect(all).toEqual(sent.toReversed());
    const { body } = await app.callAs('admin', getComplaints, {
      query: { Take: 2, PageNumber: 2 },
    });
    const { body: whole } = await app.callAs('admin', getComplaints, { query: { Take: 100 } });
    expect(body.items).toEqual(whole.items.slice(2, 4));
  });

  it('is refused with an error beside each field that is wrong', async () => {
    const wrong = { ...complaintOf('service'), email: 'salem', fullName: 'www.example.ae' };
    const { status, refused } = await app.call(sendComplaint, { body: wrong });
    expect(status).toBe(400);
    expect(Object.keys(refused.errors ?? {}).toSorted()).toEqual([
      'email',
      'fullName',
      'serviceId',
    ]);
    const short = { ...complaintOf('other'), text: 'too short' };
    expect(
      Object.keys((await app.call(sendComplaint, { body: short })).refused.errors ?? {}),
    ).toEqual(['text']);
    expect((await send('service', 2_000_000_000)).refused.error).toBe('ServiceNotFound');
  });

  it('is deleted so many days after it was closed', async () => {
    const { body: open } = await send('other');
    const { body: closed } = await send('other');
    await answer('admin', open.reference, false);
    await answer('admin', closed.reference, true);
    const age = (days: number) =>
      sql`
      update complaints
      set closed_at = now() - make_interval(days => ${days})
      where reference = ${closed.reference}`.execute(app.database);
    await age(9);
    await deleteClosed(app.database, 10);
    expect((await find(closed.reference)).status).toBe(200);
    await age(11);
    await deleteClosed(app.database, 10);
    expect((await find(closed.reference)).status).toBe(404);
    expect((await find(open.reference)).status).toBe(200);
  });
});
