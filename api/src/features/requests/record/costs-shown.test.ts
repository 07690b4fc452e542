import fc from 'fast-check';
import { expect, it } from 'vitest';
import { makeAnswer, uploadRequiredDocuments } from '#testing/requests/demo-request.ts';
import { openRequestStage } from '#testing/requests/request-stage.ts';
import { useTestApp } from '#testing/test-app.ts';
import { quoteFees, type DueFine } from '@diwan/contract/catalogue/fees';
import { getServices, type Service } from '@diwan/contract/catalogue/services';
import { isFieldShown, readFormAnswers } from '@diwan/contract/forms/check-answers';
import type { Answers, FormField, ServiceForm } from '@diwan/contract/forms/forms';
import {
  calculateCostForAnswers,
  calculateDetailedCost,
  findFines,
} from '@diwan/contract/requests/request-costs';
import { dayAfter, todayInDubai } from '@diwan/contract/wire/days';

const app = useTestApp();
const stage = openRequestStage(app);

/** Chooses like fast-check, so that a seed gives the same answers again. */
type Choose = <Value>(values: readonly Value[]) => Value;

/** Numbers that owe in the sandbox, for the patterns of the fields that fines are found by. */
const owing = ['1293', '12393', '123456793', '101/2020/1234593', 'A-10093', 'AB1234593', '00093'];

const dayOf = (limit: string | undefined): string | undefined =>
  limit?.startsWith('today')
    ? dayAfter(todayInDubai(), Number(limit.slice('today'.length) || 0))
    : limit;

function amountsOf({ minimum = 0, maximum = minimum + 5_000_000 }: FormField): number[] {
  return [minimum, minimum + 1, Math.floor((minimum + maximum) / 2), maximum].filter(
    (value) => value >= minimum && value <= maximum,
  );
}

function daysOf({ formatMinimum, formatMaximum, ...field }: FormField): string[] {
  const [from, until] = [dayOf(formatMinimum), dayOf(formatMaximum)];
  const days = [-9000, -6800, -800, -200, -40, -2, 2, 40, 300].map((each) =>
    dayAfter(todayInDubai(), each),
  );
  const fitting = days.filter((day) => (!from || day >= from) && (!until || day <= until));
  return fitting.length > 0
    ? fitting
    : [String(makeAnswer({ ...field, formatMinimum, formatMaximum }))];
}

function randomAnswer(field: FormField, isKey: boolean, choose: Choose): Answers[string] {
  const options = (field.oneOf ?? []).map((option) => option.const);
  switch (field.kind) {
    case 'choice':
      return choose(options);
    case 'choices':
      return options.slice(0, choose(options.map((_, index) => index + 1)));
    case 'nationality':
      return choose(['AE', 'PK']);
    case 'yesNo':
      return choose([true, false]);
    case 'number':
    case 'money':
      return choose(amountsOf(field));
    case 'date':
      return choose(daysOf(field));
    case 'text': {
      const fitting = owing.filter(
        (text) =>
          new RegExp(field.pattern ?? '.', 'u').test(text) &&
          text.length <= (field.maxLength ?? Infinity) &&
          text.length >= (field.minLength ?? 0),
      );
      return isKey && fitting.length > 0 ? choose(fitting) : makeAnswer(field);
    }
    default:
      return makeAnswer(field);
  }
}

/** Random answers to all shown questions; the fines of a plate are chosen afterwards. */
function randomAnswers(form: ServiceForm, choose: Choose): Answers {
  const fields = form.steps.flatMap((step) => step.fields);
  const keys = new Set(fields.flatMap(({ findBy = [] }) => findBy));
  const answers: Answers = {};
  for (const field of fields)
    if (!['file', 'fines'].includes(field.kind) && isFieldShown(form, field, answers))
      answers[field.name] = randomAnswer(field, keys.has(field.name), choose);
  return answers;
}

/** Services send their rules only where the cost depends on the answers. */
const feesOf = ({ feeRules, fees }: Service) => feeRules ?? fees.lines;

/** The lines of a quote by the names of the fees that charge them; a fine is due in each shown field. */
function chargedFees(service: Service, answers: Answers): string[] {
  const { form, feeRules } = service;
  if (!feeRules) return feesOf(service).map(({ name }) => name);
  const read = readFormAnswers(form, answers, todayInDubai());
  const due: DueFine[] = [{ register: 'any', number: 'F1', amount: 100 }];
  const fines = new Map(
    form.steps
      .flatMap((step) => step.fields)
      .filter((field) => field.kind === 'fines' && read.isShown(field))
      .map(({ name }) => [name, due]),
  );
  return feeRules
    .filter((fee) => {
      const { lines, afterApproval } = quoteFees([fee], read, { account: 'individual', fines });
      return lines.length + (afterApproval?.lines.length ?? 0) > 0;
    })
    .map(({ name }) => name);
}

const samples = (form: ServiceForm, seed: number, count: number): Answers[] =>
  fc
    .sample(fc.infiniteStream(fc.nat()), { seed, numRuns: count })
    .map((stream) =>
      randomAnswers(form, (values) => values[Number(stream.next().value) % values.length]!),
    )
    .filter((answers) =>
      readFormAnswers(form, answers, todayInDubai())
        .check()
        .issues.every(({ field }) =>
          form.steps.some((step) =>
            step.fields.some(({ kind, name }) => kind === 'fines' && field === `answers.${name}`),
          ),
        ),
    );

/** Few answers that together charge every fee that random answers can reach, and the fees they miss. */
function coverFees(service: Service): { cover: Answers[]; missed: string[] } {
  const left = new Set(feesOf(service).map(({ name }) => name));
  const cover: Answers[] = [];
  for (let seed = 1; left.size > 0 && seed <= 10; seed += 1)
    for (const answers of samples(service.form, seed, 40)) {
      const charged = chargedFees(service, answers);
      if (cover.length > 0 && !charged.some((name) => left.has(name))) continue;
      cover.push(answers);
      for (const name of charged) left.delete(name);
    }
  return { cover, missed: [...left] };
}

/** The answers that charge the most fees together. */
const answersWithMostFees = (service: Service): Answers =>
  coverFees(service).cover.toSorted(
    (one, other) => chargedFees(service, other).length - chargedFees(service, one).length,
  )[0]!;

async function readServices(): Promise<Service[]> {
  const services: Service[] = [];
  for (let page = 1; ; page += 1) {
    const { body } = await app.call(getServices, { query: { PageNumber: page, PageSize: 100 } });
    for (const { replacedName } of body.items) services.push(await stage.findService(replacedName));
    if (services.length >= body.totalCount) return services;
  }
}

it('every fee of every service is charged for some answers', async () => {
  const services = (await readServices()).filter((service) => feesOf(service).length > 0);
  expect(services.length).toBeGreaterThan(150);
  const missed = services.flatMap((service) =>
    coverFees(service).missed.map((name) => `${service.replacedName}: ${name}`),
  );
  expect(missed).toEqual([]);
}, 120_000);

/** Chooses all fines that a register names, where the person chooses. */
async function chooseFines(username: string, service: Service, answers: Answers): Promise<Answers> {
  const chosen = { ...answers };
  for (const field of service.form.steps.flatMap((step) => step.fields))
    if (field.kind === 'fines' && field.payAll !== true) {
      const { body } = await app.callAs(username, findFines, {
        body: { serviceId: service.id, field: field.name, answers },
      });
      chosen[field.name] = body.fines.map(({ number }) => number);
    }
  return chosen;
}

async function countUnsettled(requestId: number): Promise<number> {
  const rows = await app.database
    .selectFrom('request_fines')
    .select('number')
    .where('request_id', '=', requestId)
    .where('settled_at', 'is', null)
    .execute();
  return rows.length;
}

const accounts = ['individual', 'company', 'individual2', 'company2'];

/** Shows the cost, sends, and pays; returns how the three differ, if they do. */
async function compareCosts(service: Service, given: Answers): Promise<string[]> {
  const refusals: string[] = [];
  for (const username of accounts) {
    const token = await app.signIn(username);
    const answers = await chooseFines(username, service, given);
    const shown = await app.call(calculateCostForAnswers, {
      token,
      body: { serviceId: service.id, answers },
    });
    const sent = await stage.create(username, {
      serviceId: service.id,
      answers,
      attachmentIds: await uploadRequiredDocuments(app, token, service, answers),
      agreeToTermsAndConditions: true,
      consentsToSpecialData: true,
    });
    if (sent.status !== 200) {
      refusals.push(`${username}: ${JSON.stringify(sent.refused)}`);
      continue;
    }
    const { requestId } = sent.body;
    const read = () => app.call(calculateDetailedCost, { token, query: { RequestId: requestId } });
    const charged = (await read()).body;
    await stage.pay(requestId);
    const payments = await app.database
      .selectFrom('payments')
      .select('amount')
      .where('request_id', '=', requestId)
      .execute();
    // Until the register is notified, it names a paid fine as due for the next service too.
    await expect.poll(() => countUnsettled(requestId), { timeout: 60_000, interval: 200 }).toBe(0);
    const linesOf = (lines: readonly { name: string; amount: number; vat: number }[]) =>
      lines.map(({ name, amount, vat }) => `${name} ${amount} ${vat}`).join(', ');
    const seen = {
      shown: `${shown.body.total} ${linesOf(shown.body.lines)}`,
      charged: `${charged.total} ${linesOf(charged.lines)}`,
      paid: payments.reduce((sum, { amount }) => sum + Number(amount), 0),
      due: (await read()).body.due,
    };
    const isSame = seen.shown === seen.charged && seen.paid === charged.total && seen.due === 0;
    return isSame ? [] : [`${service.replacedName} ${JSON.stringify(seen)}`];
  }
  return [`${service.replacedName} was never sent: ${refusals.join(' / ')}`];
}

it('what is shown before sending is what is charged and paid', async () => {
  const services = (await readServices()).filter(({ feeRules }) => feeRules !== undefined);
  // One service of each form with fees that follow the answers is sent.
  const distinct = new Map(
    services.map((service) => [JSON.stringify([service.form, feesOf(service)]), service]),
  );
  expect(distinct.size).toBeGreaterThan(30);
  // One after the other: a fine that another open request has is not charged again.
  const differences: string[] = [];
  for (const service of distinct.values())
    differences.push(...(await compareCosts(service, answersWithMostFees(service))));
  expect(differences).toEqual([]);
}, 600_000);
