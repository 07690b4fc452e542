import { createHash } from 'node:crypto';
import { findStep } from '#features/workflow/workflow-rules.actions.ts';
import { getActor, isStaff, type Caller } from '#platform/auth/caller.ts';
import { createTranslator } from '#platform/core/locale-texts.ts';
import { localizePersonName } from '#platform/core/localize.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { Transaction } from '#platform/database/database.ts';
import type { RequestAction } from '@diwan/contract/requests/actions';
import type { HistoryAction, Workflow } from '@diwan/contract/requests/workflow';
import { todayInDubai } from '@diwan/contract/wire/days';
import type { Language, LocalizedText } from '@diwan/contract/wire/languages';
import type { PendingAction } from '../model/pending-actions.store.ts';
import type { RequestRow } from '../model/requests.store.ts';
import { findLatestStep, type LatestStep } from '../record/request-history.store.ts';

const t = createTranslator('request-history');

// Applicants see the office, not the name of an employee. Isolates keep the direction of the name
// within the sentence.
type StepActor = Pick<LatestStep, 'actor_id' | 'actor_kind' | 'actor_name' | 'full_name_ar'>;

function nameOf(step: StepActor, caller: Caller, language: Language): string {
  if (step.actor_id === getActor(caller).userId) return t('actors.you', language);
  return step.actor_name !== '' && (isStaff(caller) || step.actor_kind === 'applicant')
    ? `\u2068${localizePersonName({ ...step, full_name: step.actor_name }, language)}\u2069`
    : t(`actors.${step.actor_kind}`, language);
}

// Days and hours are those of Asia/Dubai with Latin digits: decision 0007.
function describeStepIn(language: Language, step: LatestStep, caller: Caller): string {
  const time = new Intl.DateTimeFormat(language === 'en-US' ? 'en-GB' : language, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'Asia/Dubai',
    numberingSystem: 'latn',
  }).format(step.at);
  return t(`steps.${step.action}`, language, { name: nameOf(step, caller, language), time });
}

/** A step as a sentence in each language, without names that the caller may not see. */
const describeStep = (step: LatestStep, caller: Caller): LocalizedText => ({
  'ar-EG': describeStepIn('ar-EG', step, caller),
  'en-US': describeStepIn('en-US', step, caller),
  'ur-PK': describeStepIn('ur-PK', step, caller),
});

/**
 * Identifies a call: the caller, the version, the action and everything that was sent. `null` for a
 * call without a version, which is optional.
 */
export function hashAction(
  caller: Caller,
  version: number | undefined,
  action: HistoryAction,
  sent: unknown,
): string | null {
  if (version === undefined) return null;
  const parts = [caller.userId, caller.actor?.userId ?? null, version, action, sent ?? null];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Whether the newest step of a request came from a call with this hash. */
export async function isRepeated(
  transaction: Transaction,
  row: RequestRow,
  hash: string | null,
): Promise<boolean> {
  return hash !== null && (await findLatestStep(transaction, row.id))?.sent_hash === hash;
}

/** The refusal VersionHasChanged; its detail says who changed the request, and when. */
export async function versionConflict(
  transaction: Transaction,
  row: RequestRow,
  caller: Caller,
): Promise<Refusal> {
  const latest = await findLatestStep(transaction, row.id);
  return new Refusal('VersionHasChanged', latest ? { detail: describeStep(latest, caller) } : {});
}

/** The refusal ActionHeld; its detail says who acts, and when the action takes effect. */
export function pendingConflict(pending: PendingAction, caller: Caller): Refusal {
  const actor: StepActor = {
    actor_id: pending.userId,
    actor_kind: 'employee',
    actor_name: pending.userName,
    full_name_ar: pending.userNameAr,
  };
  const seconds = Math.max(1, Math.ceil(pending.actsInMs / 1000));
  const describe = (language: Language) =>
    t(`held.${pending.action}`, language, { name: nameOf(actor, caller, language), seconds });
  return new Refusal('ActionHeld', {
    detail: { 'ar-EG': describe('ar-EG'), 'en-US': describe('en-US'), 'ur-PK': describe('ur-PK') },
  });
}

interface RefusedAction {
  workflow: Workflow;
  action: RequestAction;
}

// The step that made the action impossible: the one by which the current holder has it, or the newest step when
// the action was possible before it.
async function findCause(
  transaction: Transaction,
  caller: Caller,
  row: RequestRow,
  { workflow, action }: RefusedAction,
): Promise<LatestStep | undefined> {
  const asHolder = { ...row, holder_id: caller.userId };
  const latest = await findLatestStep(transaction, row.id);
  const belongsToAnother = row.holder_id !== null && row.holder_id !== caller.userId;
  if (belongsToAnother && findStep(workflow, action, caller, asHolder))
    return latest?.action === 'reassign' ? latest : findLatestStep(transaction, row.id, 'receive');
  if (!latest || latest.from_status_id === null || latest.from_status_id === row.status_id)
    return undefined;
  const before = { ...asHolder, status_id: latest.from_status_id };
  return findStep(workflow, action, caller, before) ? latest : undefined;
}

/**
 * The refusal ActionNotAllowed, with the step that made the action impossible; AnotherApproverNeeded
 * where it would be possible for somebody else, and ObjectionTooLate after the last day of an objection.
 */
export async function actionConflict(
  transaction: Transaction,
  caller: Caller,
  row: RequestRow,
  refused: RefusedAction,
): Promise<Refusal> {
  const { workflow, action } = refused;
  if (findStep(workflow, action, caller, { ...row, approver_id: null }))
    return new Refusal('AnotherApproverNeeded');
  const wasLate = row.objection_until !== null && row.objection_until < todayInDubai();
  if (wasLate && findStep(workflow, action, caller, { ...row, objection_until: todayInDubai() }))
    return new Refusal('ObjectionTooLate');
  const cause = await findCause(transaction, caller, row, refused);
  return new Refusal('ActionNotAllowed', cause ? { detail: describeStep(cause, caller) } : {});
}
