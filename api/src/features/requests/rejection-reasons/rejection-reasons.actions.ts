import { z } from 'zod';
import {
  administeredAgencies,
  agencyOfNew,
} from '#platform/auth/agencies/agency-administration.ts';
import type { Caller } from '#platform/auth/caller.ts';
import { recordChange, type ChangeAuthor } from '#platform/auth/changes.ts';
import { localize } from '#platform/core/localize.ts';
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
  reasonSubjects,
  type getUsualReasons,
  type ReasonChange,
  type ReasonKind,
  type ReasonRecord,
  type ReasonSubject,
} from '@diwan/contract/requests/rejection-reasons';
import type { ReplyOf } from '@diwan/contract/wire/call';
import type { ValidationIssue } from '@diwan/contract/wire/errors';
import {
  languages,
  localizedText,
  type Language,
  type LocalizedText,
} from '@diwan/contract/wire/languages';
import type { ChargeReasons, Charges } from '../actions/charges.ts';
import {
  findAgencyOfRequests,
  insertReason,
  lockReasons,
  selectManagedReasons,
  selectOfferedReasons,
  selectReasons,
  updateReason,
  type ReasonRow,
} from '../model/rejection-reasons.store.ts';
import { visibleTo } from '../model/visibility.actions.ts';

/**
 * The active reasons of these kinds that a caller may choose for requests: those for all agencies, and
 * those of the agency that all the requests have.
 */
export async function listOfferedReasons(
  database: Database,
  caller: Caller,
  kinds: readonly ReasonKind[],
  requestIds: readonly number[],
): Promise<ReasonRow[]> {
  const agencyId = await findAgencyOfRequests(database, requestIds, visibleTo(caller));
  return selectOfferedReasons(database, kinds, agencyId);
}

/** The names of the active reasons to return or reject a request of an agency, by id. */
export async function findActiveReasons(
  database: Database | Transaction,
  agencyId: number,
): Promise<Map<number, LocalizedText>> {
  const active = await selectOfferedReasons(database, ['correction'], agencyId);
  return new Map(active.map(({ id, name }) => [id, name]));
}

/**
 * The chosen reasons of fines and fees: at most one for each amount. Without an amount they are
 * ignored. Throws RejectionReasonNotFound for another reason or one of another agency, a second one, and
 * a reason of the amount that is missing.
 */
export async function readChargeReasons(
  transaction: Transaction,
  { fines = 0, fees = 0, reasons = [] }: Charges,
  agencyId: number,
): Promise<ChargeReasons> {
  const chosen: ChargeReasons = {};
  if (reasons.length === 0 || fines + fees === 0) return chosen;
  const active = await selectOfferedReasons(transaction, ['fine', 'fee'], agencyId);
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

/** What a reason is about; nothing of a request is marked for a fine or a fee. */
const readSubject = (kind: ReasonKind, { about }: ReasonChange): ReasonSubject | null =>
  kind === 'correction' ? (about ?? null) : null;

/** The other reasons that are offered for the same requests: a name is there once among them. */
const offeredWith = (
  all: readonly ReasonRow[],
  change: ReasonChange,
  agencyId: number | null,
): ReasonRow[] =>
  all.filter(
    ({ id, agency_id: other }) =>
      id !== change.id && (other === null || agencyId === null || other === agencyId),
  );

const actionOf = (wasRetired: boolean, isRetired: boolean): ChangeAction => {
  if (wasRetired === isRetired) return 'changed';
  return isRetired ? 'retired' : 'restored';
};

/** The reasons that a caller manages, retired ones included. */
export async function listReasons(
  database: Database,
  { caller, language }: { caller: Caller; language: Language },
): Promise<ReasonRecord[]> {
  const rows = await selectManagedReasons(database, administeredAgencies(caller));
  return rows.map(
    ({ id, kind, name, about, retired_at: retired, version, agency_id: agencyId, agencyName }) => ({
      id,
      kind,
      names: name,
      ...(about ? { about } : {}),
      ...(agencyId !== null && agencyName
        ? { agency: { id: agencyId, name: localize(agencyName, language) } }
        : {}),
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

/** The agency of a reason, which keeps it; null for all agencies. Throws NotFound, ValidationFailed. */
const agencyOfReason = async (
  transaction: Transaction,
  caller: Caller,
  change: ReasonChange,
  known: ReasonRow | undefined,
): Promise<number | null> =>
  known ? known.agency_id : ((await agencyOfNew(transaction, caller, change.agencyId)) ?? null);

/**
 * Adds a reason, or renames, retires or restores one. The history keeps the former wording. Throws
 * RejectionReasonNotFound, RecordHasChanged, ValidationFailed; NotFound for an agency that is not there.
 */
export async function saveReason(
  database: Database,
  author: ChangeAuthor & { caller: Caller },
  change: ReasonChange,
  at: Date,
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const all = await lockReasons(transaction);
    const known = findReason(all, change);
    const agencyId = await agencyOfReason(transaction, author.caller, change, known);
    const kind = known?.kind ?? change.kind ?? 'correction';
    const name = readName(change, kind, offeredWith(all, change, agencyId));
    const isRetired = change.isRetired === true;
    const retiredAt = isRetired ? (known?.retired_at ?? at) : null;
    const about = readSubject(kind, change);
    const entityId =
      known?.id ??
      (await insertReason(transaction, { kind, name, about, agencyId: agencyId ?? undefined }));
    if (known) await updateReason(transaction, known.id, { name, about, retiredAt });
    const wasRetired = Boolean(known?.retired_at);
    await recordChange(transaction, author, {
      entity: 'rejectionReason',
      entityId,
      name,
      action: known ? actionOf(wasRetired, isRetired) : 'created',
      before: known && { name: known.name, about: known.about, isRetired: wasRetired },
      after: { name, about, isRetired },
    });
  });
}

const usualReasons = () =>
  readStarterSet(
    'rejection-reasons.json',
    z.object({
      kind: z.enum(reasonKinds).default('correction'),
      about: z.enum(reasonSubjects).optional(),
      name: localizedText,
    }),
  );

// The usual reasons are for all agencies.
const namesOf = (rows: readonly ReasonRow[], kind: ReasonKind) =>
  rows.flatMap((row) => (row.kind === kind && row.agency_id === null ? [row.name] : []));

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
    for (const { kind, name, about = null } of chosenOf(usualReasons(), keys)) {
      if (isAmong(name, namesOf(all, kind))) continue;
      await recordChange(transaction, author, {
        entity: 'rejectionReason',
        entityId: await insertReason(transaction, { kind, name, about }),
        name,
        action: 'created',
        after: { name, isRetired: false },
      });
    }
  });
}
