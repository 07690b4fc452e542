import type { Role } from '@diwan/contract/wire/call';
import type { LocalizedText } from '@diwan/contract/wire/languages';
import type { RequestAction, Workflow } from '@diwan/contract/requests/workflow';
import type { Transaction } from '../../../platform/database/database.ts';
import type {
  KeptActedFor,
  KeptMark,
  KeptMended,
} from '../../../platform/database/database-types.ts';
import { personAt, type Caller } from '../../../platform/auth/session.ts';
import { endMends } from '../../drafts/drafts.actions.ts';
import type { Notices } from '../../messages/notices.actions.ts';
import { moveCount } from '../model/request-counts.store.ts';
import { writeMoveNews } from './request-hubs.ts';
import { withMarks } from './return-marks.ts';
import { refundableAfter } from '../record/refunds.ts';
import {
  appendHistory,
  updateRequest,
  type RequestChanges,
  type RequestRow,
} from '../model/requests.store.ts';
import { providerStatuses } from '../workflow/workflow.ts';

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
  details?: StepDetails;
}

/**
 * What the line of the history holds besides: fils that were charged, marks of a return and what
 * became of them, the reasons as they were worded, and what tells the same thing sent twice.
 */
export interface StepDetails {
  charged?: number;
  marks?: readonly KeptMark[];
  mended?: KeptMended;
  reasonTexts?: readonly LocalizedText[];
  sentHash?: string | null;
}

const kinds: Record<Role, Actor['kind']> = {
  Client: 'applicant',
  CompanyUser: 'applicant',
  ServiceProvider: 'serviceProvider',
  Employee: 'employee',
  Admin: 'employee',
};

/** For whom a caller acts: a person at a counter, else their company. */
function actedForOf(caller: Caller, isForCompany: boolean): KeptActedFor | undefined {
  if (caller.actor)
    return {
      by: 'counter',
      name: { 'ar-EG': caller.fullName, 'en-US': caller.fullName, 'ur-PK': caller.fullName },
    };
  return isForCompany && caller.companyName
    ? { by: 'company', name: caller.companyName }
    : undefined;
}

/** A caller in the role in which they act. */
export function actorOf(caller: Caller, role: Role): Actor {
  const isForCompany =
    kinds[role] === 'applicant' && caller.companyId !== null && role === 'CompanyUser';
  const { userId: id, fullName: name } = personAt(caller);
  return { kind: kinds[role], id, name, actedFor: actedForOf(caller, isForCompany) };
}

/**
 * Writes what every step writes beside the request's row: the line of its history, what the
 * applicant is told, the counts, what the hubs will tell. `status_id` is null for a request that
 * begins.
 */
export async function recordStep(
  notices: Notices,
  transaction: Transaction,
  workflow: Workflow,
  row: { id: number; partner_id: number | null; status_id: number | null },
  step: Step,
): Promise<void> {
  const {
    action,
    to,
    actor,
    at,
    reasons = [],
    message = null,
    details: { charged, marks = [], mended, reasonTexts = [], sentHash } = {},
  } = step;
  const { id: requestId, partner_id: partnerId, status_id: from } = row;
  const told = {
    requestId,
    workflow,
    action,
    from,
    to,
    at,
    reasons: reasonTexts,
    message: withMarks(message, marks),
    isSwitchedOff: step.isSilent,
  };
  await notices.tell(transaction, told, (notice) =>
    appendHistory(transaction, {
      request_id: requestId,
      action,
      from_status_id: from,
      to_status_id: to,
      actor_kind: actor.kind,
      actor_id: actor.id,
      actor_name: actor.name,
      acted_for: actor.actedFor && JSON.stringify(actor.actedFor),
      at,
      notice,
      reasons: JSON.stringify(reasons),
      reason_texts: JSON.stringify(reasonTexts),
      message: message && JSON.stringify(message),
      marks: JSON.stringify(marks),
      mended: mended && JSON.stringify(mended),
      sent_hash: sentHash,
      charged,
    }),
  );
  await moveCount(transaction, partnerId, from, to);
  await writeMoveNews(transaction, workflow, { partnerId, from, to });
}

/**
 * Takes a step whole: the request with its version, the end of what was being mended of it, and
 * what `recordStep` writes. The row must be locked by this transaction.
 */
export async function moveRequest(
  notices: Notices,
  transaction: Transaction,
  workflow: Workflow,
  row: Pick<RequestRow, 'id' | 'status_id' | 'version' | 'partner_id' | 'quote' | 'refundable'>,
  step: Step,
): Promise<void> {
  const { to, at, changes = {} } = step;
  const comesToProvider = providerStatuses(workflow).includes(to) ? { came_to_provider: true } : {};
  await updateRequest(transaction, row.id, {
    ...changes,
    ...comesToProvider,
    ...(await refundableAfter(transaction, workflow, row, to)),
    status_id: to,
    version: row.version + 1,
    updated_at: at,
  });
  await endMends(transaction, row.id);
  await recordStep(notices, transaction, workflow, row, step);
}
