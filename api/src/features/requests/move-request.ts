import type { Role } from '@diwan/contract/call';
import type { LocalizedText } from '@diwan/contract/languages';
import type { RequestAction, Workflow } from '@diwan/contract/workflow';
import type { Transaction } from '../../platform/database.ts';
import type { Caller } from '../../platform/session.ts';
import { moveCount } from './request-counts.store.ts';
import { writeMoveNews } from './request-hubs.ts';
import { appendHistory, updateRequest, type RequestChanges, type RequestRow } from './requests.store.ts';

/** Who did something, as the history keeps it. */
export interface Actor {
  kind: 'applicant' | 'employee' | 'serviceProvider' | 'payment';
  id: string | null;
  name: string;
}

/** One step of a request that the workflow has granted. */
export interface Step {
  action: RequestAction;
  to: number;
  actor: Actor;
  at: Date;
  reasons?: readonly number[];
  message?: LocalizedText | null;
  changes?: RequestChanges;
}

const kinds: Record<Role, Actor['kind']> = { Client: 'applicant', CompanyUser: 'applicant', ServiceProvider: 'serviceProvider', Employee: 'employee', Admin: 'employee' };

/** A caller in the role in which they act. */
export function actorOf(caller: Caller, role: Role): Actor {
  return { kind: kinds[role], id: caller.userId, name: caller.fullName };
}

/** Writes a step whole: the request with its version, the line of its history, the counts, what the hubs will tell. The row must be locked by this transaction. */
export async function moveRequest(transaction: Transaction, workflow: Workflow, row: Pick<RequestRow, 'id' | 'status_id' | 'version' | 'partner_id'>, step: Step): Promise<void> {
  const { action, to, actor, at, reasons = [], message = null, changes = {} } = step;
  await updateRequest(transaction, row.id, { ...changes, status_id: to, version: row.version + 1, updated_at: at });
  await appendHistory(transaction, {
    request_id: row.id, action, from_status_id: row.status_id, to_status_id: to, actor_kind: actor.kind, actor_id: actor.id, actor_name: actor.name,
    reasons: JSON.stringify(reasons), message: message && JSON.stringify(message), at,
  });
  await moveCount(transaction, row.partner_id, row.status_id, to);
  await writeMoveNews(transaction, workflow, { partnerId: row.partner_id, from: row.status_id, to });
}
