import { z } from 'zod';
import { recordChange, type ChangeAuthor } from '#platform/auth/changes.ts';
import { normalizeText } from '#platform/core/normalize-text.ts';
import { Refusal, ValidationRefusal } from '#platform/core/refusals.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { inTransaction } from '#platform/database/unit-of-work.ts';
import { chosenOf, isAmong, readStarterSet } from '#platform/portal/starter-sets.ts';
import { cleanText } from '@diwan/contract/forms/answer-values';
import type { ChangeAction } from '@diwan/contract/people/changes';
import {
  nameFields,
  reasonKinds,
  type getUsualReasons,
  type ReasonChange,
  type ReasonKind,
  type ReasonRecord,
} from '@diwan/contract/requests/rejection-reasons';
import type { ReplyOf } from '@diwan/contract/wire/call';
import type { ValidationIssue } from '@diwan/contract/wire/errors';
import { languages, localizedText, type LocalizedText } from '@diwan/contract/wire/languages';
import type { ChargeReasons, Charges } from '../actions/charges.ts';
import {
  insertReason,
  lockReasons,
  selectReasons,
  updateReason,
  type ReasonRow,
} from '../model/rejection-reasons.store.ts';

/** The active reasons of these kinds, in the order of their ids. */
export async function selectActiveReasons(
  database: Database | Transaction,
  kinds: readonly ReasonKind[],
): Promise<ReasonRow[]> {
  return (await selectReasons(database)).filter(
    ({ retired_at: retired, kind }) => retired === null && kinds.includes(kind),
  );
}

/** The names of the active reasons to return or reject a request, by id. */
export async function findActiveReasons(
  database: Database | Transaction,
): Promise<Map<number, LocalizedText>> {
  const active = await selectActiveReasons(database, ['correction']);
  return new Map(active.map(({ id, name }) => [id, name]));
}

/**
 * The chosen reasons of fines and fees: at most one for each amount. Without an amount they are
 * ignored. Throws RejectionReasonNotFound for another reason, a second one, and a reason of the
 * amount that is missing.
 */
export async function readChargeReasons(
  transaction: Transaction,
  { fines = 0, fees = 0, reasons = [] }: Charges,
): Promise<ChargeReasons> {
  const chosen: ChargeReasons = {};
  if (reasons.length === 0 || fines + fees === 0) return chosen;
  // guard: reason of a charge (charges) => await selectReasons(transaction)
  const active = await selectActiveReasons(transaction, ['fine', 'fee']);
  for (const id of new Set(reasons)) {
    const reason = active.find((each) => each.id === id);
    const kind = reason?.kind === 'fine' ? 'fine' : 'fee';
    const amount = kind === 'fine' ? fines : fees;
    if (!reason || amount === 0 || chosen[kind]) throw new Refusal('RejectionReasonNotFound');
    chosen[kind] = reason.name;
  }
  return chosen;
}

function readName(
  change: ReasonChange,
  kind: ReasonKind,
  others: readonly ReasonRow[],
): LocalizedText {
  const name = Object.fromEntries(
    languages.map((language) => [language, cleanText(change[nameFields[language]], false)]),
  ) as LocalizedText;
  const issues = languages.flatMap((language): ValidationIssue[] => {
    if (name[language] === '') return [{ field: nameFields[language], code: 'required' }];
    const isTaken = others.some(
      (other) =>
        other.retired_at === null &&
        other.kind === kind &&
        normalizeText(other.name[language]) === normalizeText(name[language]),
    );
    return isTaken && !change.isRetired ? [{ field: nameFields[language], code: 'nameTaken' }] : [];
  });
  if (issues.length > 0) throw new ValidationRefusal(issues);
  return name;
}

const actionOf = (wasRetired: boolean, isRetired: boolean): ChangeAction => {
  if (wasRetired === isRetired) return 'changed';
  return isRetired ? 'retired' : 'restored';
};

/** Every reason, retired ones included. */
export async function listReasons(database: Database): Promise<ReasonRecord[]> {
  return (await selectReasons(database)).map(
    ({ id, kind, name, retired_at: retired, version }) => ({
      id,
      kind,
      names: name,
      isRetired: retired !== null,
      version,
    }),
  );
}

/** The reason that a change is about; undefined for a new one. */
function findReason(
  all: readonly ReasonRow[],
  { id, version }: ReasonChange,
): ReasonRow | undefined {
  if (id === undefined) return undefined;
  const known = all.find((reason) => reason.id === id);
  if (!known) throw new Refusal('RejectionReasonNotFound');
  if (version !== undefined && version !== known.version) throw new Refusal('RecordHasChanged');
  return known;
}

/**
 * Adds a reason, or renames, retires or restores one. The history keeps the former wording. Throws
 * RejectionReasonNotFound, RecordHasChanged.
 */
export async function saveReason(
  database: Database,
  author: ChangeAuthor,
  change: ReasonChange,
  at: Date,
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const all = await lockReasons(transaction);
    const known = findReason(all, change);
    const kind = known?.kind ?? change.kind ?? 'correction';
    const name = readName(
      change,
      kind,
      all.filter(({ id }) => id !== change.id),
    );
    const isRetired = change.isRetired === true;
    const retiredAt = isRetired ? (known?.retired_at ?? at) : null;
    const entityId = known?.id ?? (await insertReason(transaction, kind, name));
    if (known) await updateReason(transaction, known.id, name, retiredAt);
    const wasRetired = Boolean(known?.retired_at);
    await recordChange(transaction, author, {
      entity: 'rejectionReason',
      entityId,
      name,
      action: known ? actionOf(wasRetired, isRetired) : 'created',
      before: known && { name: known.name, isRetired: wasRetired },
      after: { name, isRetired },
    });
  });
}

const usualReasons = () =>
  readStarterSet(
    'rejection-reasons.json',
    z.object({ kind: z.enum(reasonKinds).default('correction'), name: localizedText }),
  );

const namesOf = (rows: readonly ReasonRow[], kind: ReasonKind) =>
  rows.filter((row) => row.kind === kind).map(({ name }) => name);

/** The reasons that many portals use, and which of them are here. */
export async function listUsualReasons(
  database: Database,
): Promise<ReplyOf<typeof getUsualReasons>> {
  const rows = await selectReasons(database);
  return usualReasons().map(({ kind, name }, key) => ({
    key,
    kind,
    name,
    isThere: isAmong(name, namesOf(rows, kind)),
  }));
}

/** Adds chosen usual reasons, each once. */
export async function addReasons(
  database: Database,
  author: ChangeAuthor,
  keys: readonly number[],
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const all = await lockReasons(transaction);
    for (const { kind, name } of chosenOf(usualReasons(), keys)) {
      if (isAmong(name, namesOf(all, kind))) continue;
      await recordChange(transaction, author, {
        entity: 'rejectionReason',
        entityId: await insertReason(transaction, kind, name),
        name,
        action: 'created',
        after: { name, isRetired: false },
      });
    }
  });
}
