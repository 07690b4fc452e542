import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Caller } from '#platform/auth/caller.ts';
import { recordChange } from '#platform/auth/changes.ts';
import { Refusal } from '#platform/core/refusals.ts';
import { selectPaymentPage, withoutNulls } from '#platform/database/lists/payment-lists.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import * as calls from '@diwan/contract/payments/ledger';
import { getProviderChargeLines, type ChargeLine } from '@diwan/contract/payments/payment-lists';
import {
  decideWithdrawal as decideCall,
  getSettlementFiles,
  withdrawSettlement,
} from '@diwan/contract/payments/settlement-files';
import type { Language } from '@diwan/contract/wire/languages';
import { chargeLines, saveRate, selectRates } from './charges.store.ts';
import { confirmDifference, decideDifference, toDifference } from './differences.actions.ts';
import { differencesIn, findDifference, type DifferenceShown } from './differences.store.ts';
import { fetchFile, importFile, type SettlementContext } from './settlements.actions.ts';
import { decideWithdrawal, toFile, withdrawFile } from './withdrawals.actions.ts';
import { findFile, selectFiles } from './withdrawals.store.ts';

interface Reader {
  caller: Caller;
  language: Language;
}

async function readBody(body: Readable): Promise<Buffer> {
  let length = 0;
  body.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > calls.maximumSettlementBytes) body.destroy(new Refusal('SettlementFileTooLarge'));
  });
  return buffer(body);
}

/** Settlement files, what they differ in, and what providers charge. */
export function serveSettlement(context: AppContext, settlement: SettlementContext): void {
  const { database } = context;

  serve(
    context,
    calls.importSettlement,
    async ({ caller, query, request, reply, language }) => {
      const { Provider: provider, Day: day } = query;
      try {
        if (Number(request.headers['content-length']) > calls.maximumSettlementBytes)
          throw new Refusal('SettlementFileTooLarge');
        const content = await readBody(request.body as Readable);
        const author = { caller, address: request.ip };
        return await importFile(settlement, author, { provider, day }, { content, language });
      } catch (error) {
        // The rest of the file is not needed: send the reply, then close the connection.
        reply.header('connection', 'close');
        reply.raw.once('finish', () => request.raw.destroy());
        throw error;
      }
    },
    { waitsElsewhere: true },
  );

  serve(
    context,
    calls.fetchSettlement,
    ({ caller, body }) => fetchFile(settlement, body, caller.userId),
    { perMinute: 60, perPerson: true, waitsElsewhere: true },
  );

  serve(context, calls.getSettlementDifferences, async ({ caller, query, language }) => {
    const list = differencesIn(language, query.State);
    const page = await selectPaymentPage<DifferenceShown>(database, list, query);
    return { ...page, items: page.items.map((row) => toDifference(caller, row)) };
  });

  serve(context, getProviderChargeLines, async ({ query }) => {
    const page = await selectPaymentPage<ChargeLine>(database, chargeLines, query);
    return { ...page, items: page.items.map(withoutNulls) };
  });

  const readBack = async ({ caller, language }: Reader, id: number) => {
    const row = await findDifference(database, language, id);
    if (!row) throw new Refusal('DifferenceNotFound');
    return toDifference(caller, row);
  };
  serve(context, calls.decideSettlementDifference, async ({ caller, request, body, language }) => {
    await decideDifference(settlement, { caller, address: request.ip }, body);
    return readBack({ caller, language }, body.id);
  });
  serve(context, calls.confirmSettlementDifference, async ({ caller, request, body, language }) => {
    await confirmDifference(settlement, { caller, address: request.ip }, body);
    return readBack({ caller, language }, body.id);
  });

  serve(context, getSettlementFiles, async ({ caller, query, language }) => {
    const { items, totalCount } = await selectFiles(database, language, query);
    return {
      items: items.map((row) => toFile(caller, row)),
      pageNumber: query.PageNumber,
      totalCount,
    };
  });
  const readFile = async ({ caller, language }: Reader, id: number) => {
    const row = await findFile(database, language, id);
    if (!row) throw new Refusal('SettlementFileNotFound');
    return toFile(caller, row);
  };
  serve(context, withdrawSettlement, async ({ caller, request, body, language }) => {
    await withdrawFile(database, { caller, address: request.ip }, body);
    return readFile({ caller, language }, body.id);
  });
  serve(context, decideCall, async ({ caller, request, body, language }) => {
    await decideWithdrawal(database, { caller, address: request.ip }, body);
    return readFile({ caller, language }, body.id);
  });

  const describeRates = async () =>
    (await selectRates(database)).map((row) => ({
      ...row,
      isFetched: settlement.providers.get(row.provider)?.readSettlement !== undefined,
    }));
  serve(context, calls.getProviderCharges, describeRates);
  serve(context, calls.saveProviderCharge, async ({ caller, request, body }) => {
    const { version, ...row } = body;
    await inTransaction(database, async (transaction) => {
      const before = (await selectRates(database)).find(
        ({ provider }) => provider === row.provider,
      );
      if (!(await saveRate(transaction, row, version))) throw new Refusal('RecordHasChanged');
      await recordChange(
        transaction,
        { caller, address: request.ip },
        {
          entity: 'providerCharge',
          entityId: row.provider,
          action: 'changed',
          before: { rate: before?.rate, fixed: before?.fixed },
          after: { rate: row.rate, fixed: row.fixed },
        },
      );
    });
    return describeRates();
  });
}
