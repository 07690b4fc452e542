import type { Role } from '@diwan/contract/call';
import type { LocalizedText } from '@diwan/contract/languages';
import type { RequestAction, Workflow } from '@diwan/contract/workflow';
import type { Transaction } from '../../platform/database.ts';
import type { KeptActedFor, KeptMark } from '../../platform/database-types.ts';
import type { Caller } from '../../platform/session.ts';
import type { Notices } from '../messages/notices.actions.ts';
import { moveCount } from './request-counts.store.ts';
import { writeMoveNews } from './request-hubs.ts';
import { withMarks } from './return-marks.ts';
import { refundableAfter } from './refunds.ts';
import { appendHistory, updateRequest, type NewHistory, type RequestChanges, type RequestRow } from './requests.store.ts';
import { providerStatuses } from './workflow.ts';

/** Who did something, as the history keeps it. */
export interface Actor {
  kind: 'applicant' | 'employee' | 'serviceProvider' | 'payment';
  id: string | null;
  name: string;
  /** For whom, where not for oneself. */
  actedFor?: KeptActedFor | undefined;
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
  /** The applicant is not to be told of it. */
  isSilent?: boolean;
  /** What the line of the history holds besides. */
  details?: Pick<NewHistory, 'charged' | 'marks' | 'mended' | 'reason_texts' | 'sent_hash'>;
}

const kinds: Record<Role, Actor['kind']> = { Client: 'applicant', CompanyUser: 'applicant', ServiceProvider: 'serviceProvider', Employee: 'employee', Admin: 'employee' };

/** For whom a caller acts: a person at a counter, else their company. */
function actedForOf(caller: Caller, isForCompany: boolean): KeptActedFor | undefined {
  if (caller.actor) return { by: 'counter', name: { 'ar-EG': caller.fullName, 'en-US': caller.fullName, 'ur-PK': caller.fullName } };
  return isForCompany && caller.companyName ? { by: 'company', name: caller.companyName } : undefined;
}

/** A caller in the role in which they act. */
export function actorOf(caller: Caller, role: Role): Actor {
  const isForCompany = kinds[role] === 'applicant' && caller.companyId !== null && role === 'CompanyUser';
  return { kind: kinds[role], id: caller.actor?.userId ?? caller.userId, name: caller.actor?.fullName ?? caller.fullName, actedFor: actedForOf(caller, isForCompany) };
}

/** Writes a step whole: the request with its version, the line of its history, the counts, what the hubs will tell, what the applicant is told. The row must be locked by this transaction. */
export async function moveRequest(notices: Notices, transaction: Transaction, workflow: Workflow, row: Pick<RequestRow, 'id' | 'status_id' | 'version' | 'partner_id' | 'quote' | 'refundable'>, step: Step): Promise<void> {
  const { action, to, actor, at, reasons = [], message = null, changes = {}, details = {} } = step;
  const comesToProvider = providerStatuses(workflow).includes(to) ? { came_to_provider: true } : {};
  await updateRequest(transaction, row.id, { ...changes, ...comesToProvider, ...(await refundableAfter(transaction, workflow, row, to)), status_id: to, version: row.version + 1, updated_at: at });
  const reasonTexts = typeof details.reason_texts === 'string' ? (JSON.parse(details.reason_texts) as LocalizedText[]) : [];
  await notices.tell(transaction, { requestId: row.id, workflow, action, from: row.status_id, to, at, reasons: reasonTexts, message: withMarks(message, typeof details.marks === 'string' ? (JSON.parse(details.marks) as KeptMark[]) : []), isSwitchedOff: step.isSilent }, (notice) => appendHistory(transaction, {
    request_id: row.id, action, from_status_id: row.status_id, to_status_id: to, actor_kind: actor.kind, actor_id: actor.id, actor_name: actor.name, acted_for: actor.actedFor ? JSON.stringify(actor.actedFor) : null,
    reasons: JSON.stringify(reasons), message: message && JSON.stringify(message), at, notice, ...details,
  }));
  await moveCount(transaction, row.partner_id, row.status_id, to);
  await writeMoveNews(transaction, workflow, { partnerId: row.partner_id, from: row.status_id, to });
}
