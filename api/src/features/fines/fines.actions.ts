import { Refusal } from '#platform/core/refusals.ts';
import { DatabaseUnavailable } from '#platform/database/database-failures.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import type { Sql } from '#platform/database/sql.ts';
import { inTransaction, type Query } from '#platform/database/unit-of-work.ts';
import type {
  FineKeys,
  FinesRegister,
  RegisteredFine,
} from '#platform/integrations/fines-register.ts';
import type { DueFine, LocalizedQuote } from '@diwan/contract/catalogue/fees';
import { isFieldShown, type FormAnswers } from '@diwan/contract/forms/check-answers';
import type { Answers, FormField, ServiceForm } from '@diwan/contract/forms/forms';
import type { ValidationIssue } from '@diwan/contract/wire/errors';
import * as store from './fines.store.ts';

/** What looking up fines needs. */
export interface FinesContext {
  database: Database;
  /** Missing where the settings name none. */
  register: FinesRegister | undefined;
  warn: (message: string) => void;
}

/** What a register says for the answers to a form. */
export interface FoundFines {
  field: FormField;
  foundBy: FineKeys;
  /** The numbers that the applicant chose, or all that are due where nobody chooses. */
  chosen: readonly string[];
  due: readonly RegisteredFine[];
}

const finesFields = (form: ServiceForm): FormField[] =>
  form.steps.flatMap((step) => step.fields).filter(({ kind }) => kind === 'fines');

/** A form, and the agency of its service: the same number means another file at another agency. */
interface FormOfAgency {
  form: ServiceForm;
  agency: { slug: string };
}

/** What fines are found by; undefined while an answer is missing or not valid. */
function keysOf(
  { findBy = [] }: FormField,
  { slug }: FormOfAgency['agency'],
  answers: FormAnswers,
): FineKeys | undefined {
  const keys = findBy.map((name) => [name, answers.valueOf(name)] as const);
  if (keys.some(([, value]) => typeof value !== 'string' && typeof value !== 'number'))
    return undefined;
  return { agency: slug, ...(Object.fromEntries(keys) as FineKeys) };
}

/** Throws FinesRegisterUnreachable. */
async function ask(
  { register, warn }: FinesContext,
  name: string,
  foundBy: FineKeys,
): Promise<RegisteredFine[]> {
  if (!register) throw new Refusal('FinesRegisterUnreachable');
  try {
    const fines = await register.find(name, foundBy);
    return fines.toSorted((one, other) => one.on.localeCompare(other.on));
  } catch (error) {
    warn(`the register ${name} of fines gave no answer: ${(error as Error).message}`);
    throw new Refusal('FinesRegisterUnreachable');
  }
}

/**
 * The fines of a field that are due for the answers, oldest first, with those that another open request
 * pays. Undefined while an answer that they are found by is missing. Throws FinesRegisterUnreachable.
 */
export async function findDueFines(
  context: FinesContext,
  field: FormField,
  agency: FormOfAgency['agency'],
  answers: FormAnswers,
): Promise<(RegisteredFine & { isInRequest: boolean })[] | undefined> {
  const foundBy = keysOf(field, agency, answers);
  const { register = '' } = field;
  if (!foundBy) return undefined;
  const due = await ask(context, register, foundBy);
  const numbers = due.map(({ number }) => number);
  const taken = new Set(await store.selectTaken(context.database, register, numbers));
  return due.map((fine) => ({ ...fine, isInRequest: taken.has(fine.number) }));
}

/**
 * Asks the registers again for what is paid: neither the amounts nor the numbers of a browser are
 * used. Throws FinesRegisterUnreachable.
 */
export async function lookUpChosen(
  context: FinesContext,
  { form, agency }: FormOfAgency,
  answers: FormAnswers,
): Promise<FoundFines[]> {
  const found: FoundFines[] = [];
  for (const field of finesFields(form)) {
    const foundBy = keysOf(field, agency, answers);
    const chosen = answers.valueOf(field.name) as string[] | undefined;
    // guard: fines that nobody chooses (fines) => chosen !== undefined
    const isAsked = field.payAll === true ? answers.isShown(field) : chosen !== undefined;
    if (!foundBy || !isAsked) continue;
    const due = await ask(context, field.register ?? '', foundBy);
    const all = due.map(({ number }) => number);
    found.push({ field, foundBy, chosen: field.payAll === true ? all : (chosen ?? []), due });
  }
  return found;
}

/** The fines to pay as fees charge them, by the names of their fields. One that is not due is left out. */
export const dueFines = (found: readonly FoundFines[]): ReadonlyMap<string, readonly DueFine[]> =>
  new Map(
    found.map(({ field, chosen, due }) => [
      field.name,
      due
        .filter(({ number }) => chosen.includes(number))
        .map(({ number, amount }) => ({ register: field.register ?? '', number, amount })),
    ]),
  );

/** The answers with what is due in the fields where nobody chooses, whatever a browser sent there. */
export function withDueFines(answers: Answers, form: ServiceForm, found: readonly FoundFines[]) {
  const named = finesFields(form).filter(({ payAll }) => payAll === true);
  if (named.length === 0) return answers;
  const names = new Set(named.map(({ name }) => name));
  return Object.fromEntries([
    ...Object.entries(answers).filter(([name]) => !names.has(name)),
    ...found
      .filter(({ field, chosen }) => names.has(field.name) && chosen.length > 0)
      .map(({ field, chosen }) => [field.name, [...chosen]]),
  ]) as Answers;
}

/** The fines that a request cannot pay: they are not due, or another open request pays them. */
export async function listFineIssues(
  transaction: Transaction,
  found: readonly FoundFines[],
): Promise<ValidationIssue[]> {
  const issues: ValidationIssue[] = [];
  for (const { field, chosen, due } of found) {
    const taken = await store.selectTaken(transaction, field.register ?? '', chosen);
    const notDue = chosen.find((number) => !due.some((fine) => fine.number === number));
    const inOther = chosen.find((number) => taken.includes(number));
    const issueOf = (code: 'fineNotDue' | 'fineInOtherRequest', number: string) =>
      void issues.push({ field: `answers.${field.name}`, code, params: { number } });
    // guard: fines that are due (fines)
    if (notDue !== undefined) issueOf('fineNotDue', notDue);
    // guard: a fine in one open request (fines)
    if (inOther !== undefined && notDue === undefined) issueOf('fineInOtherRequest', inOther);
  }
  return issues;
}

/** The query that gives the fines of a quote to the request that was just inserted. */
export function claimFines(
  quote: LocalizedQuote,
  found: readonly FoundFines[],
  requestId: Sql<number>,
): { fines?: Query } {
  const fines = quote.lines.flatMap(({ fine, amount }) => {
    const { foundBy } = found.find(({ field }) => field.register === fine?.register) ?? {};
    return fine && foundBy ? [{ ...fine, foundBy, amount }] : [];
  });
  return fines.length === 0 ? {} : { fines: (part) => store.insertFines(part, requestId, fines) };
}

/** Whether a request was not inserted because another one has got one of its fines meanwhile. */
export const hasLostFine = (error: unknown): boolean => store.isFineTaken(error);

/**
 * The write by which a step of a request changes its fines: the register is notified of what is paid, and
 * what is not paid by the end can be paid by another request.
 */
export function finesAfter(
  { id, quote }: { id: number; quote: LocalizedQuote },
  { isPaid, hasEnded, at }: { isPaid: boolean; hasEnded: boolean; at: Date },
): { fines?: Sql } {
  if (!quote.lines.some(({ fine }) => fine !== undefined)) return {};
  if (isPaid) return { fines: store.markFinesPaid(id, at) };
  return hasEnded ? { fines: store.releaseFines(id) } : {};
}

/**
 * What a correction changes of the fines: a request pays those that it was sent with, and by the same
 * answers.
 */
export function listChangedFines(
  form: ServiceForm,
  before: Answers,
  after: Answers,
): ValidationIssue[] {
  return finesFields(form).flatMap((field) => {
    const { name, findBy = [] } = field;
    const isSame =
      [name, ...findBy].every(
        (each) => JSON.stringify(before[each]) === JSON.stringify(after[each]),
      ) && isFieldShown(form, field, before) === isFieldShown(form, field, after);
    // guard: fines of a request that was sent (fines) => []
    return isSame ? [] : [{ field: `answers.${name}`, code: 'finesFixed' as const }];
  });
}

/**
 * Refuses the payment of a request while one of its fines is no longer due as it was. Throws
 * FineHasChanged, which names it, and FinesRegisterUnreachable.
 */
export async function refuseChangedFines(context: FinesContext, requestId: number): Promise<void> {
  const known = new Map<string, Promise<RegisteredFine[]>>();
  for (const { register, number, foundBy, amount } of await store.selectUnpaid(
    context.database,
    requestId,
  )) {
    const key = JSON.stringify([register, foundBy]);
    const asked = known.get(key) ?? ask(context, register, foundBy);
    known.set(key, asked);
    const due = (await asked).find((fine) => fine.number === number);
    // guard: fines that are paid elsewhere before the payment begins (fines)
    if (due?.amount !== amount) throw new Refusal('FineHasChanged', { number });
  }
}

/** What notifying registers needs. */
export interface SettlingContext extends FinesContext {
  /**
   * Records that the money for a fine has to go back, because it was paid elsewhere; `amount` in fils.
   */
  recordSurplus(transaction: Transaction, requestId: number, amount: number): Promise<void>;
  /** Sends the stored messages; called after the commit. */
  announce(): void;
}

/** A process that was killed has so long to answer before another one notifies the register. */
const leaseSeconds = 60;
const firstRetrySeconds = 30;
const maximumRetrySeconds = 3600;

async function settleOne(
  context: SettlingContext,
  register: FinesRegister,
  fine: store.FineToSettle,
): Promise<void> {
  const { requestId, register: name, number, amount, reference, paidAt } = fine;
  const paid = { register: name, number, amount, reference, paidAt };
  const answer = await register.settle(paid, `${reference}:${number}`);
  await inTransaction(context.database, async (transaction) => {
    const isNew = await store.recordAnswer(transaction, fine, answer);
    // guard: money for a fine that was paid elsewhere goes back (fines)
    if (isNew && answer === 'refused') await context.recordSurplus(transaction, requestId, amount);
  });
  if (answer === 'refused') context.announce();
}

/**
 * Notifies the registers of the fines that were paid, until each has answered. The key of a fine is the same at
 * every attempt, so that one that was sent before the program was killed counts once.
 */
export async function settlePaidFines(context: SettlingContext): Promise<void> {
  const { database, register, warn } = context;
  if (!register) return;
  for (;;) {
    const fine = await store.leaseNext(database, leaseSeconds);
    if (!fine) return;
    try {
      await settleOne(context, register, fine);
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      warn(`fine ${fine.number} was not settled (try ${fine.tries}): ${(error as Error).message}`);
      const seconds = Math.min(firstRetrySeconds * 2 ** (fine.tries - 1), maximumRetrySeconds);
      await store.postpone(database, fine, seconds);
    }
  }
}
