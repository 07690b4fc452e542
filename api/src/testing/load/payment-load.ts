import { setTimeout as sleep } from 'node:timers/promises';
import { sumOverpaid } from '#features/requests/model/requests.store.ts';
import { lockDueAmount } from '#features/requests/requests.actions.ts';
import type { Database } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { signMessage } from '#platform/integrations/signed-message.ts';
import type { SandboxPayment } from '#sandbox/payments/payment-journal.ts';
import { demoPassword } from '#seed/seed.ts';
import { getService, getServices, type Service } from '@diwan/contract/catalogue/services';
import { requestRefund } from '@diwan/contract/payments/events';
import { login } from '@diwan/contract/people/users';
import {
  createPayment,
  postPayProPaymentResult,
  type PaymentMethod,
} from '@diwan/contract/requests/payments';
import { createRequest } from '@diwan/contract/requests/request-actions';
import type { RunningProgram } from '../programs/running-program.ts';
import { makeAnswers, uploadRequiredDocuments } from '../requests/demo-request.ts';
import type { Answer, TestApp } from '../test-app.ts';
import type { PaymentPlan } from './payment-plans.ts';

/** The provider of a run, which may be killed too. */
export interface ProviderOfRun {
  url: string;
  key: string;
  messageSecret: string;
}

interface LoadOptions {
  /** The program, once it runs. */
  program: () => Promise<RunningProgram>;
  database: Database;
  provider: ProviderOfRun;
  users: readonly string[];
}

const longestMilliseconds = 180_000;

const accounts = [
  ['paypro', ''],
  ['reserve', '/reserve'],
] as const;

/** All payments of an account, as the provider's books have them. */
export async function readBooks({ url, key }: ProviderOfRun): Promise<SandboxPayment[]> {
  const books = accounts.map(async ([, path]) => {
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(`${url}${path}/payments`, { headers });
    return (await response.json()) as SandboxPayment[];
  });
  return (await Promise.all(books)).flat();
}

/**
 * Persons who pay as planned, over HTTP, while the parts of the product are killed. Each of them
 * tries again what had no answer.
 */
export class PaymentLoad {
  readonly #options: LoadOptions;
  readonly #tokens = new Map<string, Promise<string>>();
  #service: Promise<Service> | undefined;
  /** Everything that was done, also what had no answer. */
  steps = 0;
  readonly done = {
    payments: 0,
    /** Payments by a chosen method. */
    chosen: 0,
    forged: 0,
    believed: 0,
    refunds: 0,
    unanswered: 0,
    signedOut: 0,
  };

  constructor(options: LoadOptions) {
    this.#options = options;
  }

  async live(plan: PaymentPlan): Promise<void> {
    const { users } = this.#options;
    const username = users[plan.user] ?? '';
    const requestId = await this.#createRequest(username);
    for (const attempt of plan.attempts) {
      const tabs = attempt.methods.map((method) => this.#openPage(username, requestId, method));
      await Promise.all(
        (await Promise.all(tabs)).map((page) => (page ? this.#decide(page, attempt) : undefined)),
      );
      const references = await this.#referencesOf(requestId);
      const last = references.at(-1) ?? '';
      await this.#inTabs(attempt.returns, () => this.#return(last));
      if (plan.forges) await this.#forge(last);
      if (plan.repeats > 0) await this.#repeat(last, plan.repeats);
    }
    if (plan.refunds.length === 0) return;
    const paid = await this.#insist(() => this.#reject(requestId));
    if (paid === 0) return;
    await Promise.all(
      plan.refunds.map((share) =>
        this.#refund(requestId, Math.max(1, Math.floor((paid * share) / 100))),
      ),
    );
  }

  /** Makes what was paid refundable, as a rejection does, beside what was paid twice. */
  #reject(requestId: number): Promise<number> {
    return inTransaction(this.#options.database, async (transaction) => {
      // A surplus that is recorded at the same time counts too.
      await lockDueAmount(transaction, requestId);
      const overpaid = await sumOverpaid(transaction, requestId);
      const { rows } = await sql<{ paid: number }>`
        update requests
        set refundable = greatest(refundable, ${overpaid} + paid.amount)
        from (
          select coalesce(sum(amount), 0)::bigint as amount
          from payments
          where request_id = ${requestId}
            and status = 'paid'
        ) as paid
        where id = ${requestId}
        returning paid.amount as paid`.execute(transaction);
      return rows[0]?.paid ?? 0;
    });
  }

  #inTabs<Result>(count: number, act: () => Promise<Result>): Promise<Result[]> {
    return Promise.all(Array.from({ length: count }, act));
  }

  /** Does something until it is answered. Throws after some minutes without an answer. */
  async #insist<Result>(act: () => Promise<Result | undefined>): Promise<Result> {
    const until = Date.now() + longestMilliseconds;
    while (Date.now() < until) {
      this.steps += 1;
      try {
        const result = await act();
        if (result !== undefined) return result;
      } catch {
        // The program, the provider or PostgreSQL was killed.
        this.done.unanswered += 1;
      }
      await sleep(50);
    }
    throw new Error('a step was not answered for three minutes');
  }

  #call: TestApp['call'] = (call, parts) =>
    this.#insist(async () => {
      const answer = await (await this.#options.program()).call(call, parts);
      return answer.status >= 500 || answer.status === 429
        ? undefined
        : (answer as Answer<typeof call>);
    });

  #signIn(username: string): Promise<string> {
    const known = this.#tokens.get(username);
    if (known) return known;
    const token = this.#call(login, { body: { username, password: demoPassword } }).then(
      ({ body }) => body.token,
    );
    this.#tokens.set(username, token);
    return token;
  }

  /** Calls as a user; a token that has ended is replaced. */
  async #callAs(
    username: string,
    call: Parameters<TestApp['call']>[0],
    parts: object,
  ): Promise<Answer<Parameters<TestApp['call']>[0]>> {
    const token = await this.#signIn(username);
    const answer = await this.#call(call, { ...parts, token });
    if (answer.status !== 401) return answer;
    this.done.signedOut += 1;
    this.#tokens.delete(username);
    return this.#call(call, { ...parts, token: await this.#signIn(username) });
  }

  async #findService(): Promise<Service> {
    const { body } = await this.#call(getServices, { query: { PageSize: 100 } });
    const paid = body.items.filter(({ total }) => total > 0).slice(0, 20);
    const services = await Promise.all(
      paid.map(async ({ id }) => (await this.#call(getService, { query: { serviceId: id } })).body),
    );
    const documents = ({ attachments }: Service) =>
      attachments.filter(({ required }) => required).length;
    const [fewest] = services.toSorted((one, other) => documents(one) - documents(other));
    if (!fewest) throw new Error('no service has a fee');
    return fewest;
  }

  async #createRequest(username: string): Promise<number> {
    const service = await (this.#service ??= this.#findService());
    // A token that has ended is replaced at the next try.
    const call: TestApp['call'] = async (each, parts) => {
      const answer = await this.#call(each, parts);
      if (answer.status === 401) {
        this.done.signedOut += 1;
        this.#tokens.delete(username);
      }
      return answer;
    };
    return this.#insist(async () => {
      const token = await this.#signIn(username);
      const attachmentIds = await uploadRequiredDocuments({ call }, token, service);
      const { status, body, refused } = await call(createRequest, {
        token,
        body: {
          serviceId: service.id,
          answers: makeAnswers(service.form),
          attachmentIds,
          agreeToTermsAndConditions: true,
        },
      });
      if (status === 400) throw new Error(JSON.stringify(refused));
      return status === 200 ? body.requestId : undefined;
    });
  }

  /** The address of the page; `undefined` where nothing is due any more, or an admin decides. */
  async #openPage(
    username: string,
    requestId: number,
    method: PaymentMethod | undefined,
  ): Promise<string | undefined> {
    const { status, body } = await this.#callAs(username, createPayment, {
      params: { requestId },
      query: method ? { Method: method } : {},
    });
    if (status !== 200) return undefined;
    this.done.payments += 1;
    if (method) this.done.chosen += 1;
    const { paymentUrl } = body as { paymentUrl: string };
    return `${this.#options.provider.url}${new URL(paymentUrl).pathname}`;
  }

  async #decide(page: string, attempt: PaymentPlan['attempts'][number]): Promise<void> {
    const press = (form: Record<string, string>) =>
      this.#insist(() =>
        fetch(page, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' }),
      );
    const { decision, fault, bank } = attempt;
    if (decision === 'leave') return;
    await press({ decision, fault });
    if (decision === 'paid' && fault === 'threeDSecure' && bank !== 'leave')
      await press({ decision: bank });
  }

  async #referencesOf(requestId: number): Promise<string[]> {
    const rows = await this.#insist(() =>
      this.#options.database
        .selectFrom('payments')
        .select('merchant_reference')
        .where('request_id', '=', requestId)
        .orderBy('id')
        .execute(),
    );
    return rows.map((row) => row.merchant_reference);
  }

  /** Every visitor has their own address. */
  async #return(merchantReference: string): Promise<void> {
    const summary = Buffer.from(JSON.stringify({ merchantReference })).toString('base64url');
    const from = [10, 1, 2, 3].map((part) => (part + this.steps * (part + 7)) % 250);
    await this.#insist(async () => {
      const { port } = await this.#options.program();
      const response = await fetch(
        `http://127.0.0.1:${port}${postPayProPaymentResult.path}?paymentSummary=${summary}`,
        { redirect: 'manual', headers: { 'x-forwarded-for': from.join('.') } },
      );
      return response.status < 500 && response.status !== 429 ? true : undefined;
    });
  }

  async #post(body: string, signature: string): Promise<number> {
    return this.#insist(async () => {
      const { port } = await this.#options.program();
      const { status } = await fetch(
        `http://127.0.0.1:${port}/api/Payment/ReceivePaymentMessage/paypro`,
        {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'diwan-signature': signature },
          body,
        },
      );
      return status < 500 && status !== 429 ? status : undefined;
    });
  }

  /** Says that somebody paid, without the secret, with an old time, and with a changed amount. */
  async #forge(merchantReference: string): Promise<void> {
    const { messageSecret } = this.#options.provider;
    const event = {
      id: `forged-${merchantReference}-${this.steps}`,
      kind: 'paid',
      amount: 100,
      currency: 'AED',
      occurredAt: new Date().toISOString(),
    };
    const body = JSON.stringify({ merchantReference, events: [event] });
    const old = new Date(Date.now() - 600_000);
    const forged = [
      this.#post(body, ''),
      this.#post(body, signMessage('a guessed secret of a provider', body)),
      this.#post(body, signMessage(messageSecret, body, old)),
      this.#post(body.replace('"amount":100', '"amount":999'), signMessage(messageSecret, body)),
      this.#post(body.slice(0, -9), signMessage(messageSecret, body.slice(0, -9))),
    ];
    const statuses = await Promise.all(forged);
    this.done.forged += statuses.length;
    this.done.believed += statuses.filter((status) => status < 400).length;
  }

  /** Sends the newest events of the provider again, signed, several times at the same time. */
  async #repeat(merchantReference: string, times: number): Promise<void> {
    const { provider } = this.#options;
    const events = await this.#insist(async () => {
      const response = await fetch(`${provider.url}/payments/${merchantReference}/events`, {
        headers: { authorization: `Bearer ${provider.key}` },
      });
      return response.ok ? ((await response.json()) as object[]) : [];
    });
    if (events.length === 0) return;
    const body = JSON.stringify({ merchantReference, events });
    await this.#inTabs(times, () => this.#post(body, signMessage(provider.messageSecret, body)));
  }

  async #refund(requestId: number, amount: number): Promise<void> {
    const { status } = await this.#callAs('admin', requestRefund, {
      body: { requestId, amount, refundedBefore: 0, note: 'Rejected' },
    });
    if (status === 200) this.done.refunds += 1;
  }
}
