import { cleanText } from '@diwan/contract/forms/answer-values';
import type { ValidationIssue } from '@diwan/contract/wire/errors';
import { languages, type LocalizedText } from '@diwan/contract/wire/languages';
import {
  nameFields,
  type ReasonChange,
  type ReasonRecord,
} from '@diwan/contract/requests/rejection-reasons';
import type { Database, Transaction } from '../../../platform/database/database.ts';
import { normalizeText } from '../../../platform/core/normalize-text.ts';
import { Refusal, ValidationRefusal } from '../../../platform/core/refusals.ts';
import {
  insertReason,
  lockReasons,
  selectReasons,
  updateReason,
  type ReasonRow,
} from '../model/rejection-reasons.store.ts';

/** The names of the active reasons, by id. */
export async function findActiveReasons(
  database: Database | Transaction,
): Promise<Map<number, LocalizedText>> {
  return new Map(
    (await selectReasons(database))
      .filter(({ retired_at: retired }) => retired === null)
      .map(({ id, name }) => [id, name]),
  );
}

function readName(change: ReasonChange, others: readonly ReasonRow[]): LocalizedText {
  const name = Object.fromEntries(
    languages.map((language) => [language, cleanText(change[nameFields[language]], false)]),
  ) as LocalizedText;
  const issues = languages.flatMap((language): ValidationIssue[] => {
    if (name[language] === '') return [{ field: nameFields[language], code: 'required' }];
    const isTaken = others.some(
      (other) =>
        other.retired_at === null &&
        normalizeText(other.name[language]) === normalizeText(name[language]),
    );
    return isTaken && !change.isRetired ? [{ field: nameFields[language], code: 'nameTaken' }] : [];
  });
  if (issues.length > 0) throw new ValidationRefusal(issues);
  return name;
}

/** Every reason, retired ones included. */
export async function listReasons(database: Database): Promise<ReasonRecord[]> {
  return (await selectReasons(database)).map(({ id, name, retired_at: retired, version }) => ({
    id,
    names: name,
    isRetired: retired !== null,
    version,
  }));
}

/**
 * Adds a reason, or renames, retires or restores one. The history keeps the former wording. Throws
 * RejectionReasonNotFound, ReasonHasChanged.
 */
export async function saveReason(
  database: Database,
  change: ReasonChange,
  at: Date,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const all = await lockReasons(transaction);
    const known = all.find(({ id }) => id === change.id);
    if (change.id !== undefined && !known) throw new Refusal('RejectionReasonNotFound');
    if (known && change.version !== undefined && change.version !== known.version)
      throw new Refusal('ReasonHasChanged');
    const name = readName(
      change,
      all.filter(({ id }) => id !== change.id),
    );
    if (!known) return insertReason(transaction, name);
    return updateReason(
      transaction,
      known.id,
      name,
      change.isRetired ? (known.retired_at ?? at) : null,
    );
  });
}
