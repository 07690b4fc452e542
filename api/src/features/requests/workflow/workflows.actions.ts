import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Workflow } from '@diwan/contract/requests/workflow';
import { ConfigError, type Config } from '../../../config.ts';
import type { Database, Transaction } from '../../../platform/database/database.ts';
import { checkWorkflow, findClashes, WorkflowError } from './check-workflow.ts';
import { isEnd } from './workflow-reach.ts';
import * as store from './workflows.store.ts';

/** A document as it is kept. */
export interface KeptWorkflow {
  id: number;
  document: Workflow;
}

/** The maps that requests follow. A request keeps the one it began with. */
export interface Workflows {
  /**
   * The map for new requests of services that have none of their own, as this process heard last.
   */
  readonly current: KeptWorkflow;
  /** The deployment's own map, whatever an admin has chosen. */
  readonly deployment: KeptWorkflow;
  /**
   * The map that a new request for a service follows, asked of the database; in general when there
   * is no service.
   */
  forService(database: Database | Transaction, serviceId: number | null): Promise<KeptWorkflow>;
  /** The maps for new requests: in general first, then those that services have of their own. */
  inForce(): readonly Workflow[];
  /**
   * Asked within a transaction, it is read by that one's connection: one more for each of many at
   * once would leave none.
   */
  get(workflowId: number, transaction?: Transaction): Promise<Workflow>;
  /** Every map that requests may still follow. */
  known(): readonly Workflow[];
  /** In which statuses somebody still has something to do with a request. */
  openStatuses(): readonly number[];
  /** Reads what was chosen, here or by another process. */
  refresh(): Promise<void>;
}

const shipped = new URL('../../../../seed/workflow.json', import.meta.url);

export const hashOf = (document: Workflow): string =>
  createHash('sha256').update(JSON.stringify(document)).digest('hex');

async function readDocument(database: Database, file: string | undefined): Promise<Workflow> {
  try {
    const document = checkWorkflow(JSON.parse(await readFile(file ?? shipped, 'utf8')));
    const clashes = findClashes(document, await store.selectFollowed(database));
    if (clashes.length > 0) throw new WorkflowError(clashes);
    return document;
  } catch (error) {
    throw file === undefined
      ? error
      : new ConfigError(
          `Setting WORKFLOW_FILE cannot be used: ${(error as Error).message.split('\n')[0]}`,
        );
  }
}

class KeptWorkflows implements Workflows {
  readonly deployment: KeptWorkflow;
  #database: Database;
  #documents = new Map<number, Workflow>();
  #general: KeptWorkflow;
  #own: readonly number[] = [];

  constructor(database: Database, deployment: KeptWorkflow) {
    this.#database = database;
    this.deployment = deployment;
    this.#general = deployment;
  }

  get current(): KeptWorkflow {
    return this.#general;
  }

  async refresh(): Promise<void> {
    for (const { id, document } of await store.selectWorkflows(this.#database))
      this.#documents.set(id, document);
    const choices = await store.selectChoices(this.#database);
    const general = choices.find(({ service_id }) => service_id === null)?.workflow_id;
    this.#general =
      general === undefined ? this.deployment : { id: general, document: await this.get(general) };
    this.#own = choices
      .filter(({ service_id }) => service_id !== null)
      .map(({ workflow_id }) => workflow_id);
  }

  async forService(
    database: Database | Transaction,
    serviceId: number | null,
  ): Promise<KeptWorkflow> {
    const { own, general } = await store.findChoices(database, serviceId);
    const id = own ?? general ?? this.deployment.id;
    const document = this.#documents.get(id) ?? (await store.getWorkflow(database, id));
    this.#documents.set(id, document);
    return { id, document };
  }

  inForce(): readonly Workflow[] {
    const own = [...new Set(this.#own)]
      .filter((id) => id !== this.#general.id)
      .flatMap((id) => this.#documents.get(id) ?? []);
    return [this.#general.document, ...own];
  }

  async get(workflowId: number, transaction?: Transaction): Promise<Workflow> {
    const known =
      this.#documents.get(workflowId) ??
      (await store.getWorkflow(transaction ?? this.#database, workflowId));
    this.#documents.set(workflowId, known);
    return known;
  }

  known(): readonly Workflow[] {
    return [...this.#documents.values()];
  }

  openStatuses(): readonly number[] {
    return [
      ...new Set(
        this.known().flatMap(({ statuses }) =>
          statuses.filter((status) => !isEnd(status)).map(({ statusId }) => statusId),
        ),
      ),
    ];
  }
}

/**
 * Reads the workflow document of this deployment, checks it, and keeps it for the requests that
 * will follow it. Throws a `ConfigError` of one line.
 */
export async function openWorkflow(
  database: Database,
  config: Pick<Config, 'WORKFLOW_FILE'>,
): Promise<Workflows> {
  const document = await readDocument(database, config.WORKFLOW_FILE);
  const workflows = new KeptWorkflows(database, {
    id: await store.storeWorkflow(database, document, hashOf(document)),
    document,
  });
  await workflows.refresh();
  return workflows;
}
