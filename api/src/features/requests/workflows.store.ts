import type { Workflow } from '@diwan/contract/workflow';
import type { Database, Transaction } from '../../platform/database.ts';

/** Keeps a document once, whoever stores it first; the same document is the same row. */
export async function storeWorkflow(database: Database, document: Workflow, hash: string): Promise<number> {
  await database.insertInto('workflows').values({ document: JSON.stringify(document), hash }).onConflict((conflict) => conflict.column('hash').doNothing()).execute();
  return (await database.selectFrom('workflows').select('id').where('hash', '=', hash).executeTakeFirstOrThrow()).id;
}

export function selectWorkflows(database: Database): Promise<{ id: number; document: Workflow }[]> {
  return database.selectFrom('workflows').select(['id', 'document']).orderBy('id').execute();
}

export async function getWorkflow(database: Database | Transaction, id: number): Promise<Workflow> {
  return (await database.selectFrom('workflows').select('document').where('id', '=', id).executeTakeFirstOrThrow()).document;
}
