import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { ConfigError, type Config } from '#config.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import type { Sql } from '#platform/database/sql.ts';
import type { Workflow } from '@diwan/contract/requests/workflow';
import { parseWorkflow, findStatusConflicts, WorkflowError } from './validate-workflow.ts';
import { isEnd } from './workflow-rules.actions.ts';
import * as store from './workflows.store.ts';

/**
 * The query of the workflow that is chosen for a service, else for services in general; null where
 * there is no choice.
 */
export const chosenWorkflow = (serviceId: Sql<unknown>): Sql<number | null> =>
  store.chosenWorkflow(serviceId);

/** A stored document with its id. */
export interface StoredWorkflow {
  id: number;
  document: Workflow;
}

/** The workflows that requests follow. A request keeps the workflow that it began with. */
export interface Workflows {
  /**
   * The workflow for new requests of services that do not have their own, as of the last refresh.
   */
  readonly current: StoredWorkflow;
  /** The deployment's own workflow. */
  readonly deployment: StoredWorkflow;
  /**
   * The workflow for a new request for a service, read from the database; the general one when
   * `serviceId` is null.
   */
  forService(database: Database | Transaction, serviceId: number | null): Promise<StoredWorkflow>;
  /** The workflow that `chosenWorkflow` names; without a choice that of the deployment. */
  getChosen(database: Database | Transaction, chosen: number | null): Promise<StoredWorkflow>;
  /** The workflows for new requests: the general one first, then those of single services. */
  active(): readonly Workflow[];
  /** The workflow for a new request for a service, as of the last refresh. */
  activeFor(serviceId: number): Workflow;
  /** How often the workflows for new requests have changed in this process. */
  changes(): number;
  /**
   * The workflow with this id. Pass the current transaction, if there is one: many transactions
   * that each need a second connection would exhaust the pool.
   */
  get(workflowId: number, transaction?: Transaction): Promise<Workflow>;
  /** Every workflow that requests may follow. */
  known(): readonly Workflow[];
  /** The ids of the statuses that do not end a request. */
  openStatuses(): readonly number[];
  /** Reads the active workflows again; other processes may have changed them. */
  refresh(): Promise<void>;
}

const shipped = new URL('../../../seed/workflow.json', import.meta.url);

export const hashWorkflow = (document: Workflow): string =>
  createHash('sha256').update(JSON.stringify(document)).digest('hex');

async function readDocument(database: Database, file: string | undefined): Promise<Workflow> {
  try {
    const document = parseWorkflow(JSON.parse(await readFile(file ?? shipped, 'utf8')));
    const conflicts = findStatusConflicts(document, await store.selectUsedWorkflows(database));
    if (conflicts.length > 0) throw new WorkflowError(conflicts);
    return document;
  } catch (error) {
    throw file === undefined
      ? error
      : new ConfigError(
          `Setting WORKFLOW_FILE cannot be used: ${(error as Error).message.split('\n')[0]}`,
        );
  }
}

class DatabaseWorkflows implements Workflows {
  readonly deployment: StoredWorkflow;
  #database: Database;
  #documents = new Map<number, Workflow>();
  #general: StoredWorkflow;
  #own: ReadonlyMap<number, number> = new Map();
  #changes = 0;

  constructor(database: Database, deployment: StoredWorkflow) {
    this.#database = database;
    this.deployment = deployment;
    this.#general = deployment;
  }

  get current(): StoredWorkflow {
    return this.#general;
  }

  async refresh(): Promise<void> {
    for (const { id, document } of await store.selectWorkflows(this.#database))
      this.#documents.set(id, document);
    const choices = await store.selectChoices(this.#database);
    const generalBefore = this.#general.id;
    const general = choices.find(({ service_id }) => service_id === null)?.workflow_id;
    this.#general =
      general === undefined ? this.deployment : { id: general, document: await this.get(general) };
    const before = this.#own;
    this.#own = new Map(
      choices.flatMap(({ service_id: id, workflow_id: chosen }) =>
        id === null ? [] : [[id, chosen] as const],
      ),
    );
    const isSame =
      generalBefore === this.#general.id &&
      JSON.stringify([...before]) === JSON.stringify([...this.#own]);
    if (!isSame) this.#changes += 1;
  }

  async forService(
    database: Database | Transaction,
    serviceId: number | null,
  ): Promise<StoredWorkflow> {
    return this.getChosen(database, await store.findChosen(database, serviceId));
  }

  async getChosen(
    database: Database | Transaction,
    chosen: number | null,
  ): Promise<StoredWorkflow> {
    const id = chosen ?? this.deployment.id;
    const document = this.#documents.get(id) ?? (await store.getWorkflow(database, id));
    this.#documents.set(id, document);
    return { id, document };
  }

  active(): readonly Workflow[] {
    const own = [...new Set(this.#own.values())]
      .filter((id) => id !== this.#general.id)
      .flatMap((id) => this.#documents.get(id) ?? []);
    return [this.#general.document, ...own];
  }

  activeFor(serviceId: number): Workflow {
    const chosen = this.#own.get(serviceId);
    return (
      (chosen === undefined ? undefined : this.#documents.get(chosen)) ?? this.#general.document
    );
  }

  changes(): number {
    return this.#changes;
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
 * Reads the workflow document of this deployment, validates it, and stores it for the requests that
 * will follow it. Throws a `ConfigError` with a message of one line.
 */
export async function openWorkflows(
  database: Database,
  config: Pick<Config, 'WORKFLOW_FILE'>,
): Promise<Workflows> {
  const document = await readDocument(database, config.WORKFLOW_FILE);
  const workflows = new DatabaseWorkflows(database, {
    id: await store.storeWorkflow(database, document, hashWorkflow(document)),
    document,
  });
  await workflows.refresh();
  return workflows;
}
