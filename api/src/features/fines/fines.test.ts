import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentNotifier } from '#features/messages/notifications.actions.ts';
import { recordOverpayment } from '#features/requests/requests.actions.ts';
import { httpFinesRegister, type FinesRegister } from '#platform/integrations/fines-register.ts';
import { makeAnswers } from '#testing/requests/demo-request.ts';
import { openRequestStage } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import type { Service } from '@diwan/contract/catalogue/services';
import { withdrawRequest } from '@diwan/contract/processing/withdrawals';
import { createPayment } from '@diwan/contract/requests/payments';
import { returnRequest, updateRequest } from '@diwan/contract/requests/request-actions';
import { calculateCostForAnswers, findFines } from '@diwan/contract/requests/request-costs';
import { settlePaidFines, type SettlingContext } from './fines.actions.ts';
import { leaseNext } from './fines.store.ts';

const app = useTestApp();
const stage = openRequestStage(app);
const serviceName = 'pay-public-parking-fines';
let service: Service;
let plate = 4000;
beforeAll(async () => {
  service = await stage.findService(serviceName);
});

/** Another plate of the sandbox that owes so many fines. */
function plateWith(count: number): string {
  plate += 100;
  return String(plate + count);
}
const answersFor = (plateNumber: string, fines?: string[]) => ({
  ...makeAnswers(service.form),
  plateEmirate: 'dubai',
  plateCode: 'B',
  plateNumber,
  fines,
});
const find = (plateNumber: string, username = 'individual') =>
  app.callAs(username, findFines, {
    body: { serviceId: service.id, field: 'fines', answers: answersFor(plateNumber) },
  });
const send = (plateNumber: string, fines: string[], username = 'individual') =>
  stage.create(username, {
    serviceId: service.id,
    answers: answersFor(plateNumber, fines),
    attachmentIds: [],
    agreeToTermsAndConditions: true,
  });
const cost = async (plateNumber: string, fines: string[]) =>
  (
    await app.callAs('individual', calculateCostForAnswers, {
      body: { serviceId: service.id, answers: answersFor(plateNumber, fines) },
    })
  ).body;

/** A form of the page of the registers in the sandbox. */
const atSandbox = (path: string, fields: Record<string, string>) =>
  fetch(`${app.sandboxUrl}/registers/${path}`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
  });
const payElsewhere = (number: string) => atSandbox('elsewhere', { register: 'rtaParking', number });
const switchOff = (down: boolean) => atSandbox('state', { down: down ? 'yes' : '' });

const rowsOf = (requestId: number) =>
  app.database
    .selectFrom('request_fines')
    .selectAll()
    .where('request_id', '=', requestId)
    .orderBy('number')
    .execute();
const settledAtSandbox = async (number: string) =>
  app.database
    .selectFrom('sandbox.settled_fines')
    .selectAll()
    .where('number', '=', number)
    .execute();

/** What the job needs, with a register of the test. */
const contextOf = (register: FinesRegister): SettlingContext => ({
  database: app.serverDatabase,
  register,
  warn: () => undefined,
  recordSurplus: (transaction, requestId, amount) =>
    recordOverpayment({ notifier: silentNotifier }, transaction, requestId, amount),
  announce: () => undefined,
});

describe('the fines of a plate', () => {
  it('are listed with place, day and amount, in the language of the person, or there are none', async () => {
    expect((await find(plateWith(0))).body.fines).toEqual([]);
    const plateNumber = plateWith(3);
    const { fines } = (await find(plateNumber)).body;
    expect(fines).toHaveLength(3);
    expect(fines[0]).toEqual({
      number: expect.stringMatching(/^PF\d{9}$/),
      place: expect.stringMatching(/[A-Za-z]/),
      on: expect.stringMatching(/^2025-/),
      amount: expect.any(Number),
      isInRequest: false,
    });
    expect(fines.map(({ on }) => on)).toEqual(fines.map(({ on }) => on).toSorted());
    const arabic = await app.callAs('individual', findFines, {
      language: 'ar-EG',
      body: { serviceId: service.id, field: 'fines', answers: answersFor(plateNumber) },
    });
    expect(arabic.body.fines[0]?.place).toMatch(/[\u0621-\u064A]/);
    expect((await find(plateNumber, 'individual2')).body.fines).toEqual(fines);
  });

  it('are not looked up for a plate that is not valid; the answer is named', async () => {
    const { status, refused } = await find('12345678');
    expect(status).toBe(400);
    expect(Object.keys(refused.errors ?? {})).toEqual(['answers.plateNumber']);
  });

  it('of a field that the service does not have are refused', async () => {
    const { refused } = await app.callAs('individual', findFines, {
      body: { serviceId: service.id, field: 'payer', answers: {} },
    });
    expect(Object.keys(refused.errors ?? {})).toEqual(['field']);
  });
});

describe('a request', () => {
  it('costs exactly the chosen fines, by the register and not by the browser', async () => {
    const plateNumber = plateWith(3);
    const { fines } = (await find(plateNumber)).body;
    const chosen = [fines[0]!, fines[2]!];
    const quote = await cost(
      plateNumber,
      chosen.map(({ number }) => number),
    );
    const lines = quote.lines.filter(({ fine }) => fine);
    expect(lines.map(({ fine, amount, vat }) => [fine?.number, amount, vat])).toEqual(
      chosen.map(({ number, amount }) => [number, amount, 0]),
    );
    const { body } = await send(
      plateNumber,
      chosen.map(({ number }) => number),
    );
    const rows = await rowsOf(body.requestId);
    expect(rows.map(({ number, amount }) => [number, amount]).toSorted()).toEqual(
      chosen.map(({ number, amount }) => [number, amount]).toSorted(),
    );
  });

  it('with a fine of another plate, or one that was paid meanwhile, is refused beside the fines', async () => {
    const [own, other] = [plateWith(1), plateWith(1)];
    const foreign = (await find(other)).body.fines[0]!.number;
    expect((await send(own, [foreign])).refused.errors).toEqual({
      'answers.fines': [expect.stringContaining(foreign)],
    });
    const paid = (await find(own)).body.fines[0]!.number;
    await payElsewhere(paid);
    expect((await send(own, [paid])).refused.errors).toEqual({
      'answers.fines': [`Fine ${paid} is no longer due. Find the fines again.`],
    });
    // Fines that are not due cost nothing.
    expect((await cost(own, [paid])).lines.filter(({ fine }) => fine)).toEqual([]);
  });

  it('says that the register cannot be reached; the same answers can be sent afterwards', async () => {
    const plateNumber = plateWith(1);
    const { number } = (await find(plateNumber)).body.fines[0]!;
    await switchOff(true);
    for (const { status, refused } of [await find(plateNumber), await send(plateNumber, [number])])
      expect([status, refused.error]).toEqual([503, 'FinesRegisterUnreachable']);
    await switchOff(false);
    expect((await send(plateNumber, [number])).status).toBe(200);
  });

  it('has a fine that no other open request has, though twenty are sent at the same time', async () => {
    const plateNumber = plateWith(1);
    const { number } = (await find(plateNumber)).body.fines[0]!;
    const sent = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        send(plateNumber, [number], index % 2 ? 'individual' : 'individual2'),
      ),
    );
    expect(sent.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, refused } of sent.filter((each) => each.status !== 200)) {
      expect(status).toBe(400);
      expect(refused.errors?.['answers.fines']?.[0]).toContain('another open request');
    }
    expect((await find(plateNumber)).body.fines).toMatchObject([{ number, isInRequest: true }]);
  });

  it('that is withdrawn unpaid gives its fines free', async () => {
    const plateNumber = plateWith(1);
    const { number } = (await find(plateNumber)).body.fines[0]!;
    const { body } = await send(plateNumber, [number]);
    const withdrawn = await stage.performAction('individual', withdrawRequest, {
      requestId: body.requestId,
    });
    expect(withdrawn.status).toBe(200);
    expect((await send(plateNumber, [number], 'individual2')).status).toBe(200);
  });

  it('begins no payment once a fine of it was paid elsewhere', async () => {
    const plateNumber = plateWith(1);
    const { number } = (await find(plateNumber)).body.fines[0]!;
    const { requestId } = (await send(plateNumber, [number])).body;
    await payElsewhere(number);
    const pay = () => app.callAs('individual', createPayment, { params: { requestId } });
    const { refused } = await pay();
    expect(refused.error).toBe('FineHasChanged');
    expect(refused.message).toContain(number);
    await switchOff(true);
    expect((await pay()).refused.error).toBe('FinesRegisterUnreachable');
    await switchOff(false);
  });

  it('keeps its fines when it is corrected', async () => {
    const plateNumber = plateWith(2);
    const [first, second] = (await find(plateNumber)).body.fines;
    const { requestId } = (await send(plateNumber, [first!.number])).body;
    await stage.pay(requestId);
    await stage.receive('employee', requestId);
    await stage.performAction('employee', returnRequest, {
      requestId,
      requestHistoryRejectionReasonsList: [1],
      messageEn: 'Correct it',
    });
    const change = (fines: string[], payer: string) =>
      stage.performAction('individual', updateRequest, {
        requestId,
        answers: { ...answersFor(plateNumber, fines), payer },
        attachmentIds: [],
      });
    expect((await change([second!.number], 'owner')).refused.errors).toEqual({
      'answers.fines': ['The fines of a request that was sent do not change'],
    });
    expect((await change([first!.number], 'driver')).status).toBe(200);
  });
});

describe('fines that nobody chooses', () => {
  let renewal: Service;
  beforeAll(async () => {
    renewal = await stage.findService('renew-vehicle-ownership');
  });
  /** Another plate that owes so many traffic fines. */
  const renewedPlate = (count: number) => String(Number(plateWith(90)) + count);
  const answersOf = (plateNumber: string, dueFines?: unknown) => ({
    ...makeAnswers(renewal.form),
    plateEmirate: 'dubai',
    plateCode: 'B',
    plateNumber,
    dueFines,
  });
  const costOf = (plateNumber: string, dueFines?: unknown) =>
    app.callAs('individual', calculateCostForAnswers, {
      body: { serviceId: renewal.id, answers: answersOf(plateNumber, dueFines) },
    });
  const totalOf = async (plateNumber: string) => (await costOf(plateNumber)).body.total;
  const renew = (plateNumber: string, dueFines?: unknown) =>
    stage.send('individual', 'renew-vehicle-ownership', answersOf(plateNumber, dueFines) as never);
  const storedAnswers = async (requestId: number) =>
    (
      await app.database
        .selectFrom('requests')
        .select('answers')
        .where('id', '=', requestId)
        .executeTakeFirstOrThrow()
    ).answers;

  it('are all paid, whatever a browser sends, and are stored by the server', async () => {
    const [without, owing] = [renewedPlate(0), renewedPlate(3)];
    const found = await app.callAs('individual', findFines, {
      body: { serviceId: renewal.id, field: 'dueFines', answers: answersOf(owing) },
    });
    const due = found.body.fines;
    expect(due).toHaveLength(3);
    const sum = due.reduce((total, { amount }) => total + amount, 0);
    const base = await totalOf(without);
    for (const typed of [undefined, [], [due[0]!.number], ['PF-1']]) {
      const { body } = await costOf(owing, typed);
      expect([typed, body.total]).toEqual([typed, base + sum]);
    }
    const { requestId } = await renew(owing, [due[0]!.number]);
    const rows = await rowsOf(requestId);
    expect(rows.map(({ number }) => number).toSorted()).toEqual(
      due.map(({ number }) => number).toSorted(),
    );
    // The same plate or licence is another one at another agency.
    expect(rows[0]?.found_by).toEqual({
      agency: 'roads-and-transport-authority-dubai',
      plateEmirate: 'dubai',
      plateCode: 'B',
      plateNumber: owing,
    });
    expect((await storedAnswers(requestId)).dueFines).toEqual(due.map(({ number }) => number));
  });

  it('add nothing when nothing is due, also when a browser names a fine', async () => {
    const { requestId } = await renew(renewedPlate(0), ['PF-100000000']);
    expect(await rowsOf(requestId)).toEqual([]);
    expect(await storedAnswers(requestId)).not.toHaveProperty('dueFines');
  });

  it('are asked for again once the register answers', async () => {
    const plateNumber = renewedPlate(1);
    await switchOff(true);
    const { status, refused } = await costOf(plateNumber);
    await switchOff(false);
    expect([status, refused.error]).toEqual([503, 'FinesRegisterUnreachable']);
    expect((await costOf(plateNumber)).status).toBe(200);
  });

  it('do not appear or vanish by a correction', async () => {
    const card = (requestKind: string) => ({
      requestKind,
      cardNumber: '123456793',
      damageDescription: 'The chip is broken',
    });
    const { requestId, answers, attachmentIds } = await stage.send(
      'individual',
      'identity-card-renewal',
      card('damaged'),
    );
    await stage.pay(requestId);
    await stage.receive('employee', requestId);
    await stage.performAction('employee', returnRequest, {
      requestId,
      requestHistoryRejectionReasonsList: [1],
      messageEn: 'Correct it',
    });
    const { refused } = await stage.performAction('individual', updateRequest, {
      requestId,
      answers: { ...answers, ...card('renewal') },
      attachmentIds,
    });
    expect(refused.errors).toMatchObject({
      'answers.dueFines': ['The fines of a request that was sent do not change'],
    });
  });
});

describe('after the payment', () => {
  it('the register is notified once of each fine', async () => {
    const plateNumber = plateWith(2);
    const numbers = (await find(plateNumber)).body.fines.map(({ number }) => number);
    const { requestId, requestNumber } = (await send(plateNumber, numbers)).body;
    expect((await rowsOf(requestId)).map((row) => row.paid_at)).toEqual([null, null]);
    await stage.pay(requestId);
    await expect
      .poll(async () => (await rowsOf(requestId)).every((row) => row.settled_at !== null), {
        timeout: 10_000,
      })
      .toBe(true);
    for (const number of numbers)
      expect(await settledAtSandbox(number)).toMatchObject([{ key: `${requestNumber}:${number}` }]);
    expect((await find(plateNumber)).body.fines).toEqual([]);
  });

  it('a register that gave no answer is notified again with the same key, and money is counted once', async () => {
    const plateNumber = plateWith(1);
    const { number } = (await find(plateNumber)).body.fines[0]!;
    const { requestId } = (await send(plateNumber, [number])).body;
    // The job of the server gets no answer until the end of the test.
    await switchOff(true);
    await stage.pay(requestId);
    await expect
      .poll(async () => (await rowsOf(requestId))[0]?.tries, { timeout: 10_000 })
      .toBeGreaterThan(0);
    const keys: string[] = [];
    const counting: FinesRegister = {
      find: async () => [],
      async settle(_fine, key) {
        keys.push(key);
        return 'settled';
      },
    };
    const makeDue = () =>
      app.database
        .updateTable('request_fines')
        .set({ due_at: new Date(0) })
        .where('request_id', '=', requestId)
        .where('settled_at', 'is', null)
        .execute();
    // A process takes the fine and is killed: the next one has to wait until its time is over.
    await expect
      .poll(async () => {
        await makeDue();
        return (await leaseNext(app.serverDatabase, 60))?.number;
      })
      .toBe(number);
    await settlePaidFines(contextOf(counting));
    expect(keys).toEqual([]);
    await expect
      .poll(async () => {
        await makeDue();
        await settlePaidFines(contextOf(counting));
        return keys;
      })
      .toEqual([expect.stringMatching(new RegExp(`:${number}$`))]);
    await makeDue();
    await settlePaidFines(contextOf(counting));
    expect(keys).toHaveLength(1);
    await switchOff(false);
  });

  it('money for a fine that was paid elsewhere meanwhile goes back, once', async () => {
    const plateNumber = plateWith(1);
    const { number, amount } = (await find(plateNumber)).body.fines[0]!;
    const { requestId } = (await send(plateNumber, [number])).body;
    await payElsewhere(number);
    await stage.pay(requestId);
    const refundable = async () =>
      (
        await app.database
          .selectFrom('requests')
          .select('refundable')
          .where('id', '=', requestId)
          .executeTakeFirstOrThrow()
      ).refundable;
    await expect.poll(refundable, { timeout: 10_000 }).toBe(amount);
    expect((await rowsOf(requestId))[0]).toMatchObject({ settled_at: null });
    const never: FinesRegister = { find: async () => [], settle: async () => 'refused' };
    await settlePaidFines(contextOf(never));
    expect(await refundable()).toBe(amount);
  });
});

describe('the adapter', () => {
  let reply: { status: number; body: unknown } | 'silence' = { status: 200, body: {} };
  const seen: { path: string | undefined; key: string | undefined; body: string }[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      seen.push({
        path: request.url,
        key: request.headers.authorization,
        body: Buffer.concat(parts).toString(),
      });
      if (reply === 'silence') return;
      response.writeHead(reply.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(reply.body));
    });
  });
  let register: FinesRegister;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    register = httpFinesRegister(`http://127.0.0.1:${port}/api/`, 'a-key-of-the-register');
  });
  afterAll(() => server.closeAllConnections());

  const fine = {
    number: 'A-1',
    place: { ar: 'دبي', en: 'Dubai' },
    on: '2026-01-02',
    amount: 15_000,
  };

  it('sends its key and the answers, and reads fines', async () => {
    reply = { status: 200, body: { fines: [fine] } };
    expect(await register.find('rtaParking', { plateNumber: '1' })).toEqual([
      { ...fine, place: { 'ar-EG': 'دبي', 'en-US': 'Dubai', 'ur-PK': 'Dubai' } },
    ]);
    expect(seen.at(-1)).toEqual({
      path: '/api/registers/rtaParking/search',
      key: 'Bearer a-key-of-the-register',
      body: '{"foundBy":{"plateNumber":"1"}}',
    });
  });

  it.each([
    ['no list', {}],
    ['an amount below zero', { fines: [{ ...fine, amount: -1 }] }],
    ['an amount that is no whole number', { fines: [{ ...fine, amount: 0.5 }] }],
    ['a number twice', { fines: [fine, fine] }],
    ['a number with a tag', { fines: [{ ...fine, number: '<b>' }] }],
  ])('refuses an answer with %s', async (_, body) => {
    reply = { status: 200, body };
    await expect(register.find('rtaParking', {})).rejects.toThrow();
  });

  it('says that a fine was not due, and throws for every other error', async () => {
    const paid = {
      register: 'rtaParking',
      number: 'A-1',
      amount: 15_000,
      reference: 'DW-1',
      paidAt: new Date('2026-01-03T00:00:00Z'),
    };
    reply = { status: 409, body: {} };
    expect(await register.settle(paid, 'key')).toBe('refused');
    reply = { status: 500, body: {} };
    await expect(register.settle(paid, 'key')).rejects.toThrow('answered 500');
    reply = { status: 200, body: {} };
    expect(await register.settle(paid, 'key')).toBe('settled');
    expect(JSON.parse(seen.at(-1)!.body)).toEqual({
      number: 'A-1',
      amount: 15_000,
      reference: 'DW-1',
      paidAt: '2026-01-03T00:00:00.000Z',
    });
  });

  it('waits five seconds for an answer', async () => {
    reply = 'silence';
    await expect(register.find('rtaParking', {})).rejects.toThrow(/timeout/i);
  }, 8000);
});
