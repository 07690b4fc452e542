import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Language } from '@diwan/contract/languages';
import type { Workflow } from '@diwan/contract/workflow';
import { ConfigError, type Config } from '../../config.ts';
import type { Database, Transaction } from '../../platform/database.ts';
import { localize } from '../../platform/localize.ts';
import { Refusal } from '../../platform/refusals.ts';
import type { Caller } from '../../platform/session.ts';
import type { SignedReferences } from '../../platform/signed-references.ts';
import type { Catalogue } from '../services/services.actions.ts';
import { checkWorkflow } from './check-workflow.ts';
import { moveRequest } from './move-request.ts';
import { readRequestNumber } from './request-number.ts';
import * as store from './requests.store.ts';
import { visibleTo, visibleToAnybody } from './visibility.store.ts';
import { allowedActions, findPaidStatus, providerStatuses } from './workflow.ts';
import { getWorkflow, selectWorkflows, storeWorkflow } from './workflows.store.ts';

/** The maps that requests follow. A request keeps the one it began with. */
export interface Workflows {
  /** The map for new requests. */
  current: { id: number; document: Workflow };
  get(workflowId: number): Promise<Workflow>;
  /** Every map that requests may still follow. */
  known(): readonly Workflow[];
  /** In which statuses a request concerns its service provider. */
  providerStatuses(): readonly number[];
  /** In which statuses somebody still has something to do with a request. */
  openStatuses(): readonly number[];
}

/** What the actions on requests stand on. `now` is the clock that they write into the request's history. */
export interface RequestsHouse {
  database: Database;
  catalogue: Catalogue;
  workflow: Workflows;
  references: SignedReferences;
  now(): Date;
  /** Tells the hubs what a transaction wrote down for them; after its commit. */
  announce(): void;
}

const shipped = new URL('../../../seed/workflow.json', import.meta.url);

async function readDocument(file: string | undefined): Promise<Workflow> {
  try {
    return checkWorkflow(JSON.parse(await readFile(file ?? shipped, 'utf8')));
  } catch (error) {
    throw file === undefined ? error : new ConfigError(`Setting WORKFLOW_FILE cannot be used: ${(error as Error).message.split('\n')[0]}`);
  }
}

/** Reads the workflow document of this deployment, checks it, and keeps it for the requests that will follow it. Throws a `ConfigError` of one line. */
export async function openWorkflow(database: Database, config: Pick<Config, 'WORKFLOW_FILE'>): Promise<Workflows> {
  const document = await readDocument(config.WORKFLOW_FILE);
  const id = await storeWorkflow(database, document, createHash('sha256').update(JSON.stringify(document)).digest('hex'));
  const documents = new Map((await selectWorkflows(database)).map((stored) => [stored.id, stored.document]));
  return {
    current: { id, document },
    known: () => [...documents.values()],
    providerStatuses: () => [...new Set([...documents.values()].flatMap(providerStatuses))],
    openStatuses: () => [...new Set([...documents.values()].flatMap(({ statuses }) => statuses.filter(({ tone }) => tone === 'waiting' || tone === 'progress').map(({ statusId }) => statusId)))],
    async get(workflowId) {
      const known = documents.get(workflowId) ?? (await getWorkflow(database, workflowId));
      documents.set(workflowId, known);
      return known;
    },
  };
}

/** The condition that a request must meet for this caller to know that it exists. */
export function visibleToCaller(house: Pick<RequestsHouse, 'workflow'>, caller: Caller) {
  return visibleTo(caller, house.workflow.providerStatuses());
}

/** Whether a caller may see a request now. */
export async function mayView(house: Pick<RequestsHouse, 'database' | 'workflow'>, caller: Caller, requestId: number): Promise<boolean> {
  return (await store.findVisible(house.database, requestId, visibleToCaller(house, caller))) !== undefined;
}

/** A request as its owner pays for it. `total` in fils. */
export interface RequestToPay {
  id: number;
  number: string;
  total: number;
  serviceName: string;
  isPayable: boolean;
}

/** An own request and whether it waits for money now. Throws RequestNotFound for anybody else's. */
export async function findRequestToPay(database: Database, caller: Caller, requestId: number, language: Language): Promise<RequestToPay> {
  const row = await store.findVisible(database, requestId, visibleTo(caller, []));
  if (!row) throw new Refusal('RequestNotFound');
  const isPayable = allowedActions(await getWorkflow(database, row.workflow_id), row.status_id, caller, row).includes('pay');
  return { id: row.id, number: row.number, total: row.total, serviceName: localize(row.service_name, language), isPayable };
}

/** Takes a paid request on, in the transaction that books the payment. False when the request does not wait for money any more. */
export async function markPaid(transaction: Transaction, requestId: number, at = new Date()): Promise<boolean> {
  const row = await store.lockVisible(transaction, requestId, visibleToAnybody);
  const workflow = row && (await getWorkflow(transaction, row.workflow_id));
  const to = row && workflow && findPaidStatus(workflow, row.status_id);
  if (!row || !workflow || to === undefined) return false;
  await moveRequest(transaction, workflow, row, { action: 'pay', to, actor: { kind: 'payment', id: null, name: '' }, at });
  return true;
}

export async function findRequestNumber(database: Database, requestId: number): Promise<string> {
  const row = await store.findVisible(database, requestId, visibleToAnybody);
  if (!row) throw new Refusal('RequestNotFound');
  return row.number;
}

/** The request that a number means, however it is written, whoever asks. Throws RequestNotFound. */
export async function findRequestIdByNumber(database: Database, text: string): Promise<number> {
  const number = readRequestNumber(text);
  const id = number === undefined ? undefined : await store.findIdByNumber(database, number, visibleToAnybody);
  if (id === undefined) throw new Refusal('RequestNotFound');
  return id;
}
