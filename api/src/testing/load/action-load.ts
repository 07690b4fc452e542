import type { Database } from '#platform/database/database.ts';
import { demoPassword } from '#seed/seed.ts';
import {
  getService,
  getServiceIdByServiceName,
  type Service,
} from '@diwan/contract/catalogue/services';
import { login } from '@diwan/contract/people/users';
import { createPayment, postPayProPaymentResult } from '@diwan/contract/requests/payments';
import * as calls from '@diwan/contract/requests/request-actions';
import type { RunningProgram } from '../programs/running-program.ts';
import { makeAnswers, uploadRequiredDocuments } from '../requests/demo-request.ts';
import { freeService, paidService, messageTexts } from '../requests/request-stage.ts';

type Tokens = Record<'individual' | 'employee' | 'supervisor' | 'supervisor2', string>;

/**
 * The last acknowledged state of a request: its version and its status; 0 while an action is
 * pending.
 */
interface AcknowledgedState {
  version: number;
  statusId: number;
}

/**
 * Performs all actions on requests over HTTP, several requests at a time, until the program is
 * killed, and records what was acknowledged.
 */
export class ActionLoad {
  readonly acknowledged = new Map<number, AcknowledgedState>();
  readonly actions = new Map<string, number>();
  readonly paid = new Set<string>();
  interrupted = 0;

  async run(program: RunningProgram, workers = 4): Promise<void> {
    try {
      const tokens = {} as Tokens;
      for (const username of ['individual', 'employee', 'supervisor', 'supervisor2'] as const)
        tokens[username] = (
          await program.call(login, { body: { username, password: demoPassword } })
        ).body.token;
      const services = await Promise.all(
        [freeService, paidService].map(async (serviceName) => {
          const { body } = await program.call(getServiceIdByServiceName, {
            query: { serviceName },
          });
          return (await program.call(getService, { query: { serviceId: body.serviceId } })).body;
        }),
      );
      await Promise.all(
        Array.from({ length: workers }, async (_, index) => {
          for (let count = index; ; count += 1)
            await this.#live(program, tokens, services[count % 2] as Service, count % 3);
        }),
      );
    } catch (error) {
      // The program was killed, so the connection is closed.
      if (!(error instanceof TypeError)) throw error;
      this.interrupted += 1;
    }
  }

  #keep(
    action: string,
    {
      status,
      body,
      refused,
    }: {
      status: number;
      body: { requestId: number; version?: number; statusId?: number };
      refused: object;
    },
  ): boolean {
    if (status !== 200)
      throw new Error(`${action}: ${status} ${JSON.stringify(refused).slice(0, 300)}`);
    this.actions.set(action, (this.actions.get(action) ?? 0) + 1);
    this.acknowledged.set(body.requestId, {
      version: body.version ?? 1,
      statusId: body.statusId ?? 0,
    });
    return true;
  }

  async #live(
    program: RunningProgram,
    tokens: Tokens,
    service: Service,
    way: number,
  ): Promise<void> {
    const { individual, employee } = tokens;
    const supervisor =
      service.replacedName === paidService ? tokens.supervisor : tokens.supervisor2;
    const [answers, attachmentIds] = [
      makeAnswers(service.form),
      await uploadRequiredDocuments(program, individual, service),
    ];
    const created = await program.call(calls.createRequest, {
      token: individual,
      body: { serviceId: service.id, answers, attachmentIds, agreeToTermsAndConditions: true },
    });
    this.#keep('create', created);
    const { requestId } = created.body;
    if (service.fees.total > 0) await this.#pay(program, individual, requestId);
    this.#keep(
      'receive',
      await program.call(calls.receiveRequest, { token: employee, params: { requestId } }),
    );
    if (way === 1) {
      this.#keep(
        'return',
        await program.call(calls.returnRequest, {
          token: employee,
          body: { requestId, requestHistoryRejectionReasonsList: [1], ...messageTexts },
        }),
      );
      this.#keep(
        'update',
        await program.call(calls.updateRequest, {
          token: individual,
          body: { requestId, answers, attachmentIds },
        }),
      );
      this.#keep(
        'receive',
        await program.call(calls.receiveRequest, { token: employee, params: { requestId } }),
      );
    }
    this.#keep(
      'approve',
      await program.call(calls.approveRequest, {
        token: employee,
        body: { requestId, ...(way === 2 ? { fines: 12_345, totalAdminstrativeFees: 1_000 } : {}) },
      }),
    );
    if (way === 2) await this.#pay(program, individual, requestId);
    this.#keep(
      'accept',
      await program.call(calls.acceptRequest, { token: supervisor, body: { requestId } }),
    );
    this.#keep(
      'submitted',
      await program.call(calls.submittedRequest, { token: supervisor, body: { requestId } }),
    );
  }

  async #pay(program: RunningProgram, token: string, requestId: number): Promise<void> {
    const { body } = await program.call(createPayment, { token, params: { requestId } });
    const response = await fetch(body.paymentUrl, {
      method: 'POST',
      body: new URLSearchParams({ decision: 'paid' }),
      redirect: 'manual',
    });
    const paymentSummary =
      new URL(response.headers.get('location') ?? '').searchParams.get('paymentSummary') ?? '';
    const back = await fetch(
      `http://127.0.0.1:${program.port}${postPayProPaymentResult.path}?${new URLSearchParams({ paymentSummary })}`,
      { redirect: 'manual' },
    );
    if (back.headers.get('location')?.includes('result=success'))
      this.paid.add(body.merchantReference);
    this.actions.set('pay', (this.actions.get('pay') ?? 0) + 1);
  }

  /** The number of acknowledged actions. */
  get steps(): number {
    return [...this.actions.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Acknowledged actions and payments that the database does not have. */
  async findLost(database: Database): Promise<string[]> {
    const rows = new Map(
      (await database.selectFrom('requests').select(['id', 'version', 'status_id']).execute()).map(
        (row) => [row.id, row],
      ),
    );
    const requests = [...this.acknowledged].flatMap(([id, { version, statusId }]) => {
      const row = rows.get(id);
      if (!row || row.version < version)
        return [
          `request ${id} was acknowledged in version ${version} and is in ${row?.version ?? 'none'}`,
        ];
      return statusId !== 0 && row.version === version && row.status_id !== statusId
        ? [`request ${id} was acknowledged in status ${statusId} and is in ${row.status_id}`]
        : [];
    });
    const booked = new Set(
      (
        await database
          .selectFrom('payments')
          .select('merchant_reference')
          .where('status', '=', 'paid')
          .execute()
      ).map((row) => row.merchant_reference),
    );
    return [
      ...requests,
      ...[...this.paid]
        .filter((reference) => !booked.has(reference))
        .map((reference) => `payment ${reference} was acknowledged as paid and is not booked`),
    ];
  }
}
