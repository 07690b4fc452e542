import { coversAgency } from '#platform/auth/caller.ts';
import type { ChangeEntry } from '#platform/auth/changes.ts';
import { accountTypeIds } from '@diwan/contract/catalogue/account-types';
import type { CatalogueFile, FileService } from '@diwan/contract/catalogue/catalogue-file';
import type { FeeRule } from '@diwan/contract/catalogue/fees';
import { languages, type LocalizedText } from '@diwan/contract/wire/languages';
import { vatCategoryOf } from '@diwan/contract/wire/money';
import { findFeeChanges } from '../fee-changes.actions.ts';
import { vatWord } from './files/sheets.ts';
import {
  actionOf,
  addChange,
  addProblem,
  addWarning,
  isTransaction,
  record,
  refusesShared,
  type Import,
} from './import-context.ts';
import type { Groups } from './import-groups.actions.ts';
import {
  compareServices,
  insertServices,
  replaceAccountTypes,
  updateServices,
  type ComparedService,
  type ServiceInput,
  type ShownFields,
} from './import.store.ts';
import type { StoredSummary } from './stored-summary.ts';

/** The services of one statement. */
const batchSize = 100;

/** What services of a file may name. */
export interface References {
  agencies: Groups;
  categories: Groups;
  partners: Set<number>;
}

const neededOfNew = [
  'name',
  'description',
  'agency',
  'category',
  'accountTypes',
  'form',
  'workingDays',
  'terms',
  'steps',
  'result',
] as const;

const withoutCase = (text: string) => text.normalize('NFC').trim().toLowerCase();

/** The agency or category with a key, else with a name in any language. */
function findGroup(groups: Groups, named: string) {
  const wished = withoutCase(named);
  return (
    groups.get(named) ??
    [...groups.values()].find(({ name }) =>
      Object.values(name).some((text) => withoutCase(text) === wished),
    )
  );
}

function toInput(
  service: FileService,
  index: number,
  { agencies, categories }: References,
): ServiceInput {
  return {
    index,
    replaced_name: service.replacedName,
    name: service.name,
    description: service.description,
    agency_id: service.agency === undefined ? undefined : findGroup(agencies, service.agency)?.id,
    category_id:
      service.category === undefined ? undefined : findGroup(categories, service.category)?.id,
    account_types: service.accountTypes
      ?.map((type) => accountTypeIds[type])
      .sort((one, other) => one - other),
    form_key: service.form,
    fees: service.fees,
    working_days: service.workingDays,
    terms: service.terms,
    steps: service.steps,
    result: service.result,
    issues_document: service.issuesDocument,
    withdrawal: service.withdrawal,
    objection_days: service.objectionDays,
    popular_rank: service.popularRank,
    has_popular_rank: service.popularRank !== undefined,
    eligibility: service.eligibility,
    partner_id: service.partner,
    has_partner: service.partner !== undefined,
    is_retired: service.isRetired,
  };
}

/** A new service needs what the others have. */
function requireFields(imported: Import, service: FileService, row: number): void {
  for (const column of neededOfNew.filter((field) => service[field] === undefined))
    addProblem(imported, { list: 'services', row, column, code: 'required' });
}

function checkReferences(
  imported: Import,
  service: FileService,
  row: number,
  { agencies, categories, partners }: References,
): void {
  const place = { list: 'services', row };
  for (const [column, groups] of [
    ['agency', agencies],
    ['category', categories],
  ] as const) {
    const key = service[column];
    if (key === undefined) continue;
    const group = findGroup(groups, key);
    if (!group)
      addProblem(imported, { ...place, column, code: 'unknownReference', params: { key } });
    else if (group.isRetired && service.isRetired !== true)
      addProblem(imported, { ...place, column, code: 'retiredReference', params: { key } });
  }
  if (service.partner && !partners.has(service.partner))
    addProblem(imported, {
      ...place,
      column: 'partner',
      code: 'unknownReference',
      params: { key: service.partner },
    });
}

type ShownFee = ShownFields['fees'][number];
type FieldChange = StoredSummary['changes'][number]['fields'][number];

/** A fee in words: its name, its amount without VAT, and how it is treated for VAT. */
function describeFee(fee: ShownFee): LocalizedText {
  const dirhams = (fils: number) => `${(fils / 100).toFixed(2)} AED`;
  const least = dirhams(fee.amount);
  const most = fee.maximum === undefined ? '' : `\u2013${dirhams(fee.maximum)}`;
  const amount = fee.rate === undefined ? least : `${fee.rate / 100}% (${least}${most})`;
  const vat = vatCategoryOf(fee);
  return Object.fromEntries(
    languages.map((language) => [
      language,
      `\u2068${fee.title[language]}\u2069: ${amount}, ${vatWord(vat, language)}`,
    ]),
  ) as unknown as LocalizedText;
}

const isSamePrice = (one: ShownFee, other: ShownFee) =>
  one.amount === other.amount &&
  one.rate === other.rate &&
  one.maximum === other.maximum &&
  vatCategoryOf(one) === vatCategoryOf(other);

/** Each fee that is added, removed or has another price; one entry without values where none has. */
function compareFees(before: readonly ShownFee[], after: readonly ShownFee[]): FieldChange[] {
  const named = (fees: readonly ShownFee[], name: string) => fees.find((fee) => fee.name === name);
  const names = new Set([...before, ...after].map(({ name }) => name));
  const changes = [...names].flatMap((name): FieldChange[] => {
    const [was, is] = [named(before, name), named(after, name)];
    if (was && is && isSamePrice(was, is)) return [];
    return [{ field: 'fees', before: was && describeFee(was), after: is && describeFee(is) }];
  });
  return changes.length > 0 || names.size === 0 ? changes : [{ field: 'fees' }];
}

/** How many times as large, or as small, a fee becomes before somebody is warned. */
const warnedFactor = 10;

function warnOfFees(
  imported: Import,
  { replacedName, fees = [] }: FileService,
  { id, before }: ComparedService,
  row: number,
): void {
  if (id === null) return;
  for (const { name, amount } of fees) {
    const was = before.fees.find((fee) => fee.name === name)?.amount ?? 0;
    if (was === 0 || amount === 0) continue;
    if (amount <= was * warnedFactor && amount * warnedFactor >= was) continue;
    addWarning(imported, {
      list: 'services',
      row,
      column: 'fees',
      code: 'tenfold',
      params: {
        key: `${replacedName} · ${name}`,
        before: (was / 100).toFixed(2),
        after: (amount / 100).toFixed(2),
      },
    });
  }
}

/**
 * Refuses a service of another agency, one that would come to another agency, and values that the portal
 * gives. Returns whether the row has such a thing: the rest of it is not described then.
 */
function refuseOthers(
  { imported, references: { agencies } }: { imported: Import; references: References },
  { replacedName, agency }: FileService,
  { id, fields, before }: ComparedService,
  row: number,
): boolean {
  const { scope } = imported;
  const place = { list: 'services', row };
  // guard: services of other agencies in a file (transfer)
  if (id !== null && !coversAgency({ scope }, before.agency)) {
    const params = { key: replacedName };
    addProblem(imported, { ...place, column: 'replacedName', code: 'otherAgency', params });
    return true;
  }
  const group = agency === undefined ? undefined : findGroup(agencies, agency);
  // guard: services that a file moves to another agency (transfer)
  if (agency !== undefined && group && !coversAgency({ scope }, group.id)) {
    addProblem(imported, {
      ...place,
      column: 'agency',
      code: 'otherAgency',
      params: { key: agency },
    });
    return true;
  }
  return (['partner', 'popularRank'] as const).some(
    (column) => fields.includes(column) && refusesShared(imported, { ...place, column }),
  );
}

/** The fees of stored services from which their changes are counted. */
async function readCountedFees(
  { transaction, feeApprovalAbove, countedFees }: Import,
  services: readonly ComparedService[],
): Promise<CountedFees> {
  if (feeApprovalAbove === undefined || !countedFees) return new Map();
  return countedFees(
    transaction,
    new Map(services.flatMap(({ id, before }) => (id === null ? [] : [[id, before.fees]]))),
  );
}

/** A file asks nobody else, so that it changes no fees that need a second person. */
function refuseLargeChanges(
  { imported, counted }: { imported: Import; counted: CountedFees },
  { replacedName, fees }: FileService,
  { id }: ComparedService,
  row: number,
): void {
  const { feeApprovalAbove } = imported;
  if (feeApprovalAbove === undefined || !fees) return;
  // guard: fees of a file that need a second person (fee-approval)
  if (findFeeChanges(counted.get(id ?? 0) ?? [], fees).sum > feeApprovalAbove)
    addProblem(imported, {
      list: 'services',
      row,
      column: 'fees',
      code: 'feesNeedSecondPerson',
      params: { key: replacedName, limit: (feeApprovalAbove / 100).toFixed(2) },
    });
}

// The values that people compare; forms, terms and such only say that they differ.
function shownAfter(service: FileService): Record<string, unknown> {
  return {
    name: service.name,
    workingDays: service.workingDays,
    popularRank: service.popularRank,
    partner: service.partner,
    isRetired: service.isRetired,
  };
}

function describeFields(
  service: FileService,
  { id, fields, before }: ComparedService,
  { agencies, categories }: References,
): FieldChange[] {
  if (id === null) return compareFees([], service.fees ?? []);
  const nameOf = (groups: Groups, id: number) =>
    [...groups.values()].find((group) => group.id === id)?.name;
  const was: Record<string, unknown> = {
    ...before,
    agency: nameOf(agencies, before.agency),
    category: nameOf(categories, before.category),
    accountTypes: undefined,
  };
  const is: Record<string, unknown> = {
    ...shownAfter(service),
    agency: service.agency === undefined ? undefined : findGroup(agencies, service.agency)?.name,
    category:
      service.category === undefined ? undefined : findGroup(categories, service.category)?.name,
  };
  return fields.flatMap((field): FieldChange[] =>
    field === 'fees'
      ? compareFees(before.fees, service.fees ?? [])
      : [{ field, before: was[field] as never, after: is[field] as never }],
  );
}

// The fields of an input that are shown before and after, without those that stay.
function shownInput(input: ServiceInput, isRetired: boolean | undefined): Partial<ShownFields> {
  const shown = {
    name: input.name,
    agency: input.agency_id,
    category: input.category_id,
    accountTypes: input.account_types,
    fees: input.fees as ShownFields['fees'] | undefined,
    workingDays: input.working_days,
    popularRank: input.popular_rank,
    partner: input.partner_id,
    isRetired,
  };
  return Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== undefined));
}

function toEntry(
  service: FileService,
  compared: ComparedService,
  id: number,
  input: ServiceInput,
): ChangeEntry {
  const action = actionOf(compared.id, compared.was_retired, service.isRetired);
  const before = compared.id === null ? undefined : compared.before;
  // What is too long for the log is only named there.
  const others = compared.fields.filter((field) => !(field in compared.before)).join(', ');
  return {
    entity: 'service',
    entityId: id,
    name: service.name ?? compared.before.name,
    action,
    before: before && { ...before, others: '' },
    after: { ...before, ...shownInput(input, service.isRetired), others },
  };
}

type CountedFees = ReadonlyMap<number, readonly FeeRule[]>;

interface ChangedService {
  input: ServiceInput;
  compared: ComparedService;
}

async function storeServices(
  { transaction }: Import,
  changed: readonly ChangedService[],
  forms: ReadonlyMap<string, CatalogueFile['forms'][number]>,
): Promise<Map<number, number>> {
  if (!isTransaction(transaction)) throw new Error('A dry run stores nothing');
  const fresh = changed.filter(({ compared }) => compared.id === null);
  const stored = changed.filter(({ compared }) => compared.id !== null);
  const ids = new Map(stored.map(({ input, compared }) => [input.index, compared.id ?? 0]));
  if (fresh.length > 0) {
    const inputs = fresh.map(({ input }) => input);
    for (const [index, id] of await insertServices(transaction, inputs, forms)) ids.set(index, id);
  }
  if (stored.length > 0)
    await updateServices(
      transaction,
      stored.map(({ input }) => input),
      forms,
    );
  await replaceAccountTypes(
    transaction,
    changed.flatMap(({ input: { index, account_types: types } }) =>
      types ? [{ id: ids.get(index) ?? 0, types }] : [],
    ),
  );
  return ids;
}

async function storeChanges(
  imported: Import,
  changed: readonly ChangedService[],
  forms: ReadonlyMap<string, CatalogueFile['forms'][number]>,
): Promise<void> {
  const { onChange, plan } = imported;
  const stored = changed.flatMap(({ compared: { id } }) => (id === null ? [] : [id]));
  await onChange?.('before', stored);
  const ids = await storeServices(imported, changed, forms);
  await onChange?.('after', stored);
  await record(
    imported,
    changed.flatMap(({ input, compared }) => {
      const service = plan.file.services[input.index];
      return service ? [toEntry(service, compared, ids.get(input.index) ?? 0, input)] : [];
    }),
  );
}

/** What somebody reads of a changed service before it is stored: the fees to look at, and the change. */
function noteChange(
  {
    imported,
    references,
    counted,
  }: { imported: Import; references: References; counted: CountedFees },
  service: FileService,
  compared: ComparedService,
  row: number,
): void {
  warnOfFees(imported, service, compared, row);
  refuseLargeChanges({ imported, counted }, service, compared, row);
  addChange(imported, {
    list: 'services',
    key: service.replacedName,
    name: service.name ?? compared.before.name ?? service.replacedName,
    action: actionOf(compared.id, compared.was_retired, service.isRetired),
    fields: describeFields(service, compared, references),
  });
}

/** Compares the services of a file with the stored ones, and stores them batch by batch. */
export async function importServices(imported: Import, references: References): Promise<void> {
  const { plan, transaction, isDryRun, leftOut, onProgress } = imported;
  const { services } = plan.file;
  const forms = new Map(plan.file.forms.map((form) => [form.key, form]));
  for (let first = 0; first < services.length; first += batchSize) {
    const batch = services.slice(first, first + batchSize);
    const inputs = batch.map((service, index) => toInput(service, first + index, references));
    const changed: ChangedService[] = [];
    const allCompared = await compareServices(transaction, inputs, forms);
    const counted = await readCountedFees(imported, allCompared);
    for (const compared of allCompared) {
      const service = services[compared.index];
      const input = inputs[compared.index - first];
      if (!service || !input || leftOut?.has(service.replacedName)) continue;
      const row = plan.rows.services[compared.index] ?? 0;
      if (refuseOthers({ imported, references }, service, compared, row)) continue;
      checkReferences(imported, service, row, references);
      if (compared.id === null) requireFields(imported, service, row);
      else if (compared.fields.length === 0) {
        addChange(imported, { list: 'services', action: 'unchanged' });
        continue;
      }
      changed.push({ input, compared });
      noteChange({ imported, references, counted }, service, compared, row);
    }
    if (!isDryRun && changed.length > 0) await storeChanges(imported, changed, forms);
    await onProgress?.(first + batch.length);
  }
}
