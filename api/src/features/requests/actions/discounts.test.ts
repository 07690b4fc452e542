import { describe, expect, it } from 'vitest';
import { makeAnswers, smallPdf, uploadRequiredDocuments } from '#testing/requests/demo-request.ts';
import { openRequestStage } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import { getAgencyRecords, saveAgency } from '@diwan/contract/catalogue/agencies';
import { evidenceName } from '@diwan/contract/catalogue/fees';
import type { Service } from '@diwan/contract/catalogue/services';
import { getChanges } from '@diwan/contract/people/changes';
import { createAttachment, uploadAttachment } from '@diwan/contract/requests/attachments';
import * as calls from '@diwan/contract/requests/request-actions';
import {
  calculateCostForAnswers,
  calculateDetailedCost,
  calculatePendingPaymentRequestCost,
} from '@diwan/contract/requests/request-costs';
import { languages } from '@diwan/contract/wire/languages';

const app = useTestApp();
const stage = openRequestStage(app);

/** A service of an agency whose discounts are those of the demo. */
const licence = 'renew-driving-licence-federal';
const card = evidenceName({ name: 'peopleOfDetermination' });

async function uploadCard(username: string, { id: serviceId }: Service): Promise<string> {
  const file = { fileName: 'card.pdf', mediaType: 'application/pdf', size: smallPdf.length };
  const { body } = await app.callAs(username, createAttachment, {
    body: { serviceId, name: card, ...file },
  });
  const { attachmentId } = body;
  await app.callAs(username, uploadAttachment, { params: { attachmentId }, body: smallPdf });
  return attachmentId;
}

const quoteFor = (username: string, { id: serviceId, form }: Service, documents: string[] = []) =>
  app.callAs(username, calculateCostForAnswers, {
    body: { serviceId, answers: makeAnswers(form), documents },
  });

/** A request with the card that claims the exemption; `employee` has received it. */
async function sendWithCard() {
  const service = await stage.findService(licence);
  const token = await app.signIn('individual');
  const attachmentIds = await uploadRequiredDocuments(app, token, service);
  attachmentIds.push(await uploadCard('individual', service));
  const { body: quote } = await quoteFor('individual', service, [card]);
  const sent = await stage.create('individual', {
    serviceId: service.id,
    answers: makeAnswers(service.form),
    attachmentIds,
    agreeToTermsAndConditions: true,
    consentsToSpecialData: true,
    expectedTotal: quote.total,
  });
  expect(sent.refused.message).toBeUndefined();
  const { requestId } = sent.body;
  if (quote.total > 0) await stage.pay(requestId);
  await stage.receive('employee', requestId);
  return { requestId, quote, service };
}

const approve = (requestId: number, more: object = {}) =>
  stage.performAction('employee', calls.approveRequest, { requestId, ...more });
const rule = 'peopleOfDetermination';

describe('a discount that a document claims', () => {
  it('is a line of the quote in three languages, and waits for a clerk who confirms it', async () => {
    const { requestId, quote, service } = await sendWithCard();
    // The digital service fee of 10 dirhams with 5 % VAT has no discount.
    expect(quote.total).toBe(1050);
    const titles = await Promise.all(
      languages.map(async (language) => {
        const { body } = await app.callAs('individual', calculateCostForAnswers, {
          body: { serviceId: service.id, answers: makeAnswers(service.form), documents: [card] },
          language,
        });
        return body.lines.filter(({ discount }) => discount).map(({ title }) => title);
      }),
    );
    expect(titles.every((each) => each.length === 2)).toBe(true);
    expect(new Set(titles.flat()).size).toBe(6);
    expect(titles[1]?.[0]).toMatch(/^People of determination discount 100%: /);

    const { body: seen } = await stage.read('employee', requestId);
    expect(seen.discounts).toMatchObject([{ rule, state: 'claimed', attachmentName: card }]);
    expect((await stage.read('individual', requestId)).body.discounts).toBeUndefined();
    expect((await approve(requestId)).refused.error).toBe('DiscountUndecided');
    const complete = await stage.performAction('employee', calls.submittedRequest, { requestId });
    expect(complete.refused.error).toBe('DiscountUndecided');

    const { body: approved } = await approve(requestId, {
      discounts: [{ rule, isGranted: true }],
    });
    expect(approved).toMatchObject({ statusId: 6, due: 0, total: 1050 });
    expect(approved.discounts).toMatchObject([
      { state: 'granted', decidedBy: 'Mariam Al Demo', decidedAt: expect.any(String) as string },
    ]);
  });

  it('is charged when the clerk refuses it, and who refused it stays on record', async () => {
    const { requestId, quote } = await sendWithCard();
    const taken = -quote.lines
      .filter(({ discount }) => discount)
      .reduce((sum, { amount, vat }) => sum + amount + vat, 0);
    const { body: refused } = await approve(requestId, {
      discounts: [{ rule, isGranted: false }],
    });
    expect(refused).toMatchObject({ statusId: 8, due: taken, total: quote.total + taken });
    expect(refused.discounts).toMatchObject([{ state: 'refused', decidedBy: 'Mariam Al Demo' }]);
    const { body: pending } = await app.callAs('individual', calculatePendingPaymentRequestCost, {
      query: { RequestId: requestId },
    });
    expect(pending.lines.reduce((sum, { due }) => sum + due, 0)).toBe(taken);
    expect(pending.lines[0]?.title).toMatch(/^Discount not granted: People of determination/);
    const { body: cost } = await app.callAs('individual', calculateDetailedCost, {
      query: { RequestId: requestId },
    });
    expect(cost.lines.reduce((sum, { paid }) => sum + paid, 0)).toBe(quote.total);
    await stage.pay(requestId);
    expect((await stage.read('employee', requestId)).body.due).toBe(0);
  });

  it('is not for companies, and a card without a rule is refused', async () => {
    const service = await stage.findService(licence);
    const { body } = await quoteFor('company', service, [card]);
    expect(body.lines.every(({ discount }) => discount === undefined)).toBe(true);
    const other = await stage.findService('renew-vehicle-ownership');
    const { refused } = await app.callAs('individual', createAttachment, {
      body: {
        serviceId: other.id,
        name: card,
        fileName: 'card.pdf',
        mediaType: 'application/pdf',
        size: smallPdf.length,
      },
    });
    expect(refused.error).toBe('AttachmentNotFound');
  });
});

describe('a discount that facts prove', () => {
  it('is granted to a citizen of the age on record, without a clerk', async () => {
    const service = await stage.findService(licence);
    expect(service.discounts).toMatchObject([{ rate: 10_000 }, { rate: 5000, fromAge: 60 }]);
    expect((await quoteFor('individual2', service)).body.total).toBe(service.fees.total);
    const users = app.database.updateTable('users').where('username', '=', 'individual2');
    await users.set({ nationality: 'AE' }).execute();
    const { body: quote } = await quoteFor('individual2', service);
    expect(quote.total).toBe((service.fees.total - 1050) / 2 + 1050);
    expect(quote.lines.flatMap(({ discount }) => discount?.state ?? [])).toEqual([
      'granted',
      'granted',
    ]);
  });
});

describe('fees after approval', () => {
  it('are frozen with the request, charged by the approval, and before a completion', async () => {
    const service = await stage.findService('trademark-registration');
    expect(service.fees.afterApproval).toMatchObject({ total: 500_000 });
    const { requestId } = await stage.send('company', service.replacedName);
    const { body: sent } = await stage.read('company', requestId);
    expect(sent.due).toBe(service.fees.total);
    await stage.pay(requestId);
    await stage.receive('employee', requestId);
    // Without a document as its result.
    await app.database.updateTable('services').set({ issues_document: false }).execute();
    const early = await stage.performAction('employee', calls.submittedRequest, { requestId });
    expect(early.refused.error).toBe('IssueFeeDue');
    const { body: approved } = await approve(requestId);
    expect(approved).toMatchObject({ statusId: 8, due: 500_000 });
    expect(approved.fees.lines.at(-1)).toMatchObject({ name: 'registrationFee' });
    expect(approved.fees.afterApproval).toBeUndefined();
    await stage.pay(requestId);
    expect((await stage.read('employee', requestId)).body).toMatchObject({ due: 0 });
  });
});

describe('the total of the review page', () => {
  it('is compared, and the refusal names both totals and the difference', async () => {
    const service = await stage.findService(licence);
    const token = await app.signIn('individual');
    const body = {
      serviceId: service.id,
      answers: makeAnswers(service.form),
      attachmentIds: await uploadRequiredDocuments(app, token, service),
      agreeToTermsAndConditions: true,
      consentsToSpecialData: true,
      expectedTotal: service.fees.total - 12_345,
    };
    const { status, refused } = await stage.create('individual', body);
    expect([status, refused.error]).toEqual([400, 'TotalHasChanged']);
    for (const amount of [service.fees.total, body.expectedTotal, 12_345])
      expect(refused.message).toContain((amount / 100).toFixed(2));
  });
});

describe('the discounts of an agency', () => {
  it('are edited by an admin, with a version and a change log', async () => {
    const { body: agencies } = await app.callAs('admin', getAgencyRecords, {});
    const agency = agencies.find(({ slug }) => slug === 'dubai-police');
    if (!agency) throw new Error('The demo has this agency');
    const { id, version, name } = agency;
    expect(agency.discounts).toEqual([]);
    const title = { 'ar-EG': 'خصم', 'en-US': 'Veterans', 'ur-PK': 'رعایت' };
    const discounts = [
      { name: 'veterans', title, rate: 2500, evidence: { kind: 'document' as const, title } },
    ];
    const save = (more: object) =>
      app.callAs('admin', saveAgency, { body: { id, version, name, discounts, ...more } });
    const wrong = await save({ discounts: [{ ...discounts[0], rate: -1 }] });
    expect(wrong.status).toBe(400);
    const { body: saved } = await save({});
    expect(saved.find((each) => each.id === id)?.discounts).toEqual(discounts);
    expect((await save({})).refused.error).toBe('RecordHasChanged');
    // A save without discounts keeps them.
    const kept = await save({ version: version + 1, discounts: undefined });
    expect(kept.body.find((each) => each.id === id)?.discounts).toEqual(discounts);
    const { body: changes } = await app.callAs('admin', getChanges, {
      query: { Entity: 'agency', EntityId: String(id), PageNumber: 1, Take: 10 },
    });
    expect(JSON.stringify(changes.items)).toContain('Veterans 25%');
  });
});
