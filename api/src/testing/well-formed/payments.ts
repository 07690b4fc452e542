import { postEarlierMoney } from '#features/requests/record/postings.actions.ts';
import { writeSettlementFile } from '#platform/integrations/settlement-file.ts';
import { createPayment } from '@diwan/contract/requests/payments';
import { todayInDubai } from '@diwan/contract/wire/days';
import type { TestApp } from '../test-app.ts';
import type { WellFormed } from './call.ts';

const plain: WellFormed = { make: () => ({}) };
const period = { From: '2026-01-01', Until: '2026-01-31' };

/**
 * Calls about payment providers, cases and refunds. `send` sends a request of `individual` that waits
 * for its payment.
 */
export function wellFormedPayments(
  app: TestApp,
  send: () => Promise<{ requestId: number }>,
): Record<string, WellFormed> {
  const userId = (username: string) => app.idOf(username);
  let count = 0;
  /** A payment that was charged; the request can be refunded in part. */
  async function charged() {
    const { requestId } = await send();
    const { merchantReference } = (
      await app.callAs('individual', createPayment, { params: { requestId } })
    ).body;
    const payment = await app.database
      .updateTable('payments')
      .set({ status: 'paid' })
      .where('merchant_reference', '=', merchantReference)
      .returningAll()
      .executeTakeFirstOrThrow();
    await app.database
      .insertInto('payment_events')
      .values({
        id: `well-formed ${(count += 1)}`,
        payment_id: payment.id,
        kind: 'paid',
        amount: payment.amount,
        currency: 'AED',
        occurred_at: new Date(),
      })
      .execute();
    await app.database
      .updateTable('requests')
      .set({ refundable: payment.amount, holder_id: await userId('employee') })
      .where('id', '=', requestId)
      .execute();
    return payment;
  }
  /** An agency to which its fees are owed. */
  async function owedAgency() {
    await charged();
    await postEarlierMoney(app.serverDatabase, 0);
    const { agency_id: agencyId } = await app.database
      .selectFrom('ledger_lines')
      .select('agency_id')
      .where('account', '=', 'revenue')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    return agencyId ?? 0;
  }
  /** A settlement file of a day that is not closed. */
  async function settlementFile(day = '2026-01-05') {
    const { id } = await app.database
      .insertInto('settlement_files')
      .values({
        provider: 'paypro',
        day,
        digest: `well-formed ${(count += 1)}`,
        lines: 0,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }
  /** A difference of a settlement in a state. */
  async function difference(state: 'open' | 'waiting') {
    const file_id = await settlementFile();
    const { id } = await app.database
      .insertInto('settlement_differences')
      .values({
        kind: 'otherDay',
        provider: 'paypro',
        day: '2026-01-05',
        file_id,
        currency: 'AED',
        line_id: null,
        entry_id: null,
        state,
        ...(state === 'waiting'
          ? { decision: 'accept', proposed_by: await userId('employee') }
          : {}),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }
  return {
    // Without a signature it is refused to everybody.
    receivePaymentMessage: { make: () => ({ params: { provider: 'paypro' }, body: {} }) },
    getPaymentMethods: plain,
    getPaymentRouting: plain,
    savePaymentProvider: {
      make: async () => {
        const { version } = await app.database
          .selectFrom('payment_providers')
          .select('version')
          .where('name', '=', 'stripe')
          .executeTakeFirstOrThrow();
        return { body: { name: 'stripe', isEnabled: true, position: 4, version } };
      },
    },
    savePaymentRule: { make: () => ({ body: { minimum: 999_999_999, provider: 'paypro' } }) },
    getSellers: plain,
    saveSeller: {
      make: async () => {
        const { id: agencyId } = await app.database
          .selectFrom('agencies')
          .select('id')
          .orderBy('id')
          .executeTakeFirstOrThrow();
        await app.database.deleteFrom('sellers').where('agency_id', '=', agencyId).execute();
        const legalName = { 'ar-EG': 'هيئة', 'en-US': 'Authority', 'ur-PK': 'ادارہ' };
        const nowhere = { street: '', city: '', emirate: '' as const, trn: '' };
        const registration = { registrationNumber: '', registrationAuthority: '' };
        const kind = { registrationKind: '' as const, isOwnSeller: false, version: 0 };
        return { body: { agencyId, legalName, ...nowhere, ...registration, ...kind } };
      },
    },
    getReceiptRuns: plain,
    startReceiptRun: {
      make: async () => {
        // One runs at a time.
        await app.database
          .updateTable('receipt_runs')
          .set({ state: 'cancelled' })
          .where('state', '=', 'running')
          .execute();
        return { body: { from: '2025-01-01', until: '2030-12-31' } };
      },
    },
    // No run has this id.
    cancelReceiptRun: { make: () => ({ body: { runId: 2_000_000_000 } }) },
    getPayments: plain,
    exportPaymentList: { make: () => ({ query: { List: 'payments', Format: 'csv' } }) },
    getPaymentTimeline: {
      make: async () => ({ query: { MerchantReference: (await charged()).merchant_reference } }),
    },
    getPaymentCases: plain,
    decidePaymentCase: {
      make: async () => {
        const { id } = await app.database
          .insertInto('payment_cases')
          .values({
            kind: 'unknownReference',
            cause: `well-formed ${(count += 1)}`,
            provider: 'paypro',
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        return { body: { id, version: 1, decision: 'close', note: 'Settled by phone' } };
      },
    },
    getRefusedPaymentMessages: plain,
    getRefunds: plain,
    requestRefund: {
      make: async () => ({
        body: {
          requestId: (await charged()).request_id,
          amount: 100,
          refundedBefore: 0,
          note: 'Paid in error',
        },
      }),
    },
    decideRefund: {
      make: async () => {
        const payment = await charged();
        const { id, version } = await app.database
          .insertInto('refunds')
          .values({
            payment_id: payment.id,
            request_id: payment.request_id,
            amount: 100,
            currency: 'AED',
            reason: 'requested',
            state: 'waiting',
            idempotency_key: `well-formed ${(count += 1)}`,
            requested_by: await userId('employee'),
          })
          .returning(['id', 'version'])
          .executeTakeFirstOrThrow();
        return { body: { id, version, isConfirmed: false, note: '' } };
      },
    },
    importSettlement: {
      make: () => ({
        query: { Provider: 'paypro', Day: '2026-01-05' },
        body: Buffer.from(writeSettlementFile([])),
      }),
    },
    fetchSettlement: { make: () => ({ body: { provider: 'paypro', day: '2026-01-05' } }) },
    getSettlementDifferences: plain,
    getProviderChargeLines: plain,
    getSettlementFiles: plain,
    withdrawSettlement: {
      make: async () => ({ body: { id: await settlementFile(), reason: 'Of another day' } }),
    },
    decideWithdrawal: {
      make: async () => {
        const file_id = await settlementFile();
        await app.database
          .insertInto('settlement_withdrawals')
          .values({
            file_id,
            reason: 'Of another day',
            state: 'waiting',
            asked_by: await userId('employee'),
          })
          .execute();
        return { body: { id: file_id, isConfirmed: false } };
      },
    },
    decideSettlementDifference: {
      make: async () => ({
        body: { id: await difference('open'), version: 1, decision: 'accept', note: 'Explained' },
      }),
    },
    confirmSettlementDifference: {
      make: async () => ({
        body: { id: await difference('waiting'), version: 1, isConfirmed: false },
      }),
    },
    getLedgerBalances: plain,
    getLedgerDays: plain,
    getLedgerClosings: plain,
    previewLedgerClosing: { make: () => ({ query: { Until: '2026-01-05' } }) },
    // No closing has this id.
    decideLedgerClosing: { make: () => ({ body: { id: 2_000_000_000, isConfirmed: false } }) },
    getClosingStatement: { make: () => ({ query: { Id: 2_000_000_000 } }) },
    getVatReport: { make: () => ({ query: period }) },
    getVatReportLines: {
      make: () => ({ query: { ...period, Emirate: 'dubai', Category: 'standard' } }),
    },
    exportVatReport: { make: () => ({ query: period }) },
    getJournal: { make: () => ({ query: period }) },
    exportJournal: { make: () => ({ query: { ...period, Format: 'xlsx' } }) },
    getTrialBalance: { make: () => ({ query: period }) },
    exportTrialBalance: { make: () => ({ query: period }) },
    closeLedgerDay: {
      make: () => ({
        body: { day: new Date(Date.UTC(2001, 0, (count += 1))).toISOString().slice(0, 10) },
      }),
    },
    getPayees: plain,
    getPayouts: plain,
    requestPayout: {
      make: async () => ({
        body: {
          agencyId: await owedAgency(),
          amount: 1,
          currency: 'AED',
          reference: `well-formed ${(count += 1)}`,
          paidOn: todayInDubai(),
          note: '',
        },
      }),
    },
    decidePayout: {
      make: async () => {
        const { id, version } = await app.database
          .insertInto('payouts')
          .values({
            agency_id: await owedAgency(),
            provider: null,
            amount: 1,
            currency: 'AED',
            reference: `well-formed ${(count += 1)}`,
            paid_on: todayInDubai(),
            state: 'waiting',
            requested_by: await userId('employee'),
          })
          .returning(['id', 'version'])
          .executeTakeFirstOrThrow();
        return { body: { id, version, decision: 'refuse' } };
      },
    },
    getPayeeStatement: {
      make: async () => ({
        query: {
          AgencyId: await owedAgency(),
          From: '2026-01-01',
          Until: '2026-01-31',
          Format: 'xlsx',
        },
      }),
    },
    getProviderCharges: plain,
    saveProviderCharge: {
      make: async () => {
        await app.database.deleteFrom('provider_charge_rates').execute();
        return { body: { provider: 'stripe', rate: 290, fixed: 100, version: 0 } };
      },
    },
  };
}
