import type { Language } from '@diwan/contract/wire/languages';
import type { Database, Transaction } from '../../platform/database/database.ts';
import { localize, localizeQuote } from '../../platform/core/localize.ts';
import { Refusal } from '../../platform/core/refusals.ts';
import type { Caller } from '../../platform/auth/session.ts';
import type { SignedReferences } from '../../platform/auth/signed-references.ts';
import type { Notices } from '../messages/notices.actions.ts';
import type { Catalogue } from '../services/services.actions.ts';
import type { ChargeRates } from './actions/charge-request.ts';
import { moveRequest } from './actions/move-request.ts';
import { dueLines, paidLines } from './actions/paid-lines.ts';
import type { FourEyes } from './model/four-eyes.ts';
import { readRequestNumber } from './model/request-number.ts';
import * as store from './model/requests.store.ts';
import { visibleTo, visibleToAnybody } from './model/visibility.store.ts';
import { allowedActions, findPaidStatus, getStatus } from './workflow/workflow.ts';
import type { Workflows } from './workflow/workflows.actions.ts';
import { getWorkflow } from './workflow/workflows.store.ts';

/**
 * What the actions on requests stand on. `now` is the clock that they write into the request's
 * history.
 */
export interface RequestsContext extends FourEyes {
  database: Database;
  catalogue: Catalogue;
  workflow: Workflows;
  rates: ChargeRates;
  /** How many files one request may have: the setting DOCUMENTS_PER_REQUEST. */
  mostFiles: number;
  /** How many requests one person may send within 24 hours: the setting REQUESTS_PER_DAY. */
  mostInDay: number;
  references: SignedReferences;
  notices: Notices;
  now(): Date;
  /** Tells the hubs what a transaction wrote down for them; after its commit. */
  announce(): void;
}

export { ownOf, visibleTo } from './model/visibility.store.ts';

/** Whether a caller may see a request now. */
export async function mayView(
  context: Pick<RequestsContext, 'database'>,
  caller: Caller,
  requestId: number,
): Promise<boolean> {
  return (await store.findVisible(context.database, requestId, visibleTo(caller))) !== undefined;
}

/**
 * A request that the caller may see. Throws RequestNotFound, also for one that exists and is not
 * theirs to see.
 */
export async function getVisible(
  database: Database,
  caller: Caller,
  requestId: number,
): Promise<store.VisibleRequest> {
  const row = await store.findVisible(database, requestId, visibleTo(caller));
  if (!row) throw new Refusal('RequestNotFound');
  return row;
}

/** A request as its owner pays for it. `due` in fils; a new round begins with each charge. */
export interface RequestToPay {
  id: number;
  number: string;
  due: number;
  round: number;
  serviceName: string;
  /**
   * In a further round what is still to be paid, by its lines: the fines and fees that were added.
   * Empty in the first.
   */
  addedTitles: string[];
  isPayable: boolean;
}

/** An own request and whether it waits for money now. Throws RequestNotFound for anybody else's. */
export async function findRequestToPay(
  database: Database,
  caller: Caller,
  requestId: number,
  language: Language,
): Promise<RequestToPay> {
  const row = await getVisible(database, caller, requestId);
  const isPayable = allowedActions(
    await getWorkflow(database, row.workflow_id),
    row.status_id,
    caller,
    row,
  ).includes('pay');
  const paid = await store.sumPaid(database, row.id);
  const added =
    row.payment_round === 1 ? [] : dueLines(paidLines(localizeQuote(row.quote, language), paid));
  return {
    id: row.id,
    number: row.number,
    due: row.total - paid,
    round: row.payment_round,
    serviceName: localize(row.service_name, language),
    addedTitles: added.map(({ title }) => title),
    isPayable,
  };
}

/**
 * Locks a request for whoever books or begins a payment, and says what of it is due, in fils, and
 * in which round.
 */
export async function lockDue(
  transaction: Transaction,
  requestId: number,
): Promise<{ due: number; round: number }> {
  const row = await store.lockVisible(transaction, requestId, visibleToAnybody);
  if (!row) throw new Refusal('RequestNotFound');
  return {
    due: row.total - (await store.sumPaid(transaction, requestId)),
    round: row.payment_round,
  };
}

/**
 * Money that came for nothing, in fils: it is to be given back whole, and its payer is told. In the
 * transaction that books it, once.
 */
export async function keepToGiveBack(
  { notices }: Pick<RequestsContext, 'notices'>,
  transaction: Transaction,
  requestId: number,
  amount: number,
): Promise<void> {
  const row = await store.lockVisible(transaction, requestId, visibleToAnybody);
  if (!row) return;
  await store.updateRequest(transaction, requestId, { refundable: row.refundable + amount });
  await notices.tellNews(transaction, { requestId, news: 'surplus', amount });
}

/**
 * Takes a request on of which nothing is due any more, in the transaction that books the payment of
 * `amount`. False when it does not wait for money.
 */
export async function markPaid(
  { notices }: Pick<RequestsContext, 'notices'>,
  transaction: Transaction,
  requestId: number,
  at = new Date(),
  amount = 0,
): Promise<boolean> {
  const row = await store.lockVisible(transaction, requestId, visibleToAnybody);
  const workflow = row && (await getWorkflow(transaction, row.workflow_id));
  const to = row && workflow && findPaidStatus(workflow, row.status_id);
  // Who pays for what was refused meanwhile has all of it given back: nothing was done for it.
  if (row && workflow && to === undefined && getStatus(workflow, row.status_id).tone === 'refused')
    await keepToGiveBack({ notices }, transaction, requestId, amount);
  if (
    !row ||
    !workflow ||
    to === undefined ||
    row.total > (await store.sumPaid(transaction, requestId))
  )
    return false;
  await moveRequest(notices, transaction, workflow, row, {
    action: 'pay',
    to,
    actor: { kind: 'payment', id: null, name: '' },
    at,
  });
  return true;
}

/** Whether something was paid for a request and nothing is due. */
export async function isPaid(database: Database, requestId: number): Promise<boolean> {
  const row = await store.findVisible(database, requestId, visibleToAnybody);
  const paid = await store.sumPaid(database, requestId);
  return row !== undefined && paid > 0 && paid >= row.total;
}

export async function findRequestNumber(database: Database, requestId: number): Promise<string> {
  const row = await store.findVisible(database, requestId, visibleToAnybody);
  if (!row) throw new Refusal('RequestNotFound');
  return row.number;
}

/** The request that a number means, however it is written, whoever asks. Throws RequestNotFound. */
export async function findRequestIdByNumber(database: Database, text: string): Promise<number> {
  const number = readRequestNumber(text);
  const id =
    number === undefined
      ? undefined
      : await store.findIdByNumber(database, number, visibleToAnybody);
  if (id === undefined) throw new Refusal('RequestNotFound');
  return id;
}
