import { administeredAgencies } from '#platform/auth/agencies/agency-administration.ts';
import type { AgencyScope, Caller } from '#platform/auth/caller.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { Database } from '#platform/database/database.ts';
import type { FileService } from '@diwan/contract/catalogue/catalogue-file';
import type { FeeChange, prepareBulkChange } from '@diwan/contract/catalogue/transfer';
import type { BodyOf } from '@diwan/contract/wire/call';
import { maximumCharge, vatTreatmentOf } from '@diwan/contract/wire/money';
import { roundedShare } from '@diwan/contract/wire/rounding';
import { selectGroups } from '../groups/groups.store.ts';
import { selectFeesOf, selectFeesWhere } from './export.store.ts';
import type { FileProblem } from './files/sheets.ts';
import { prepareJob, type FeeContext } from './jobs.actions.ts';

type BulkChange = BodyOf<typeof prepareBulkChange>;
type Fee = NonNullable<FileService['fees']>[number];

const findServices = (database: Database, { serviceIds, all }: BulkChange, scope: AgencyScope) =>
  serviceIds
    ? selectFeesOf(database, [...new Set(serviceIds)])
    : selectFeesWhere(database, all ?? {}, scope);

/** The amount of a fee after a change, in whole fils. */
function changedAmount(amount: number, { change, value }: FeeChange): number {
  switch (change) {
    case 'percent':
      return roundedShare(amount, Math.round((100 + value) * 100), 10_000);
    case 'set':
      return value;
    case 'add':
      return Math.max(0, amount + value);
    case 'round':
      return roundedShare(amount, 1, value) * value;
  }
}

function changedFee(fee: Fee, { fee: change, vatCategory }: BulkChange): Fee {
  const { vatRate, vatCategory: treatment, ...rest } = fee;
  const vat = vatCategory
    ? vatTreatmentOf(vatCategory)
    : { vatRate, ...(treatment ? { vatCategory: treatment } : {}) };
  // Of a percentage only the designer changes the limits and the rate; registers say what fines are.
  const isChanged =
    change !== undefined && fee.percentOf === undefined && fee.finesOf === undefined;
  return { ...rest, ...vat, amount: isChanged ? changedAmount(fee.amount, change) : fee.amount };
}

async function findCategorySlug(database: Database, id: number): Promise<string> {
  const group = (await selectGroups(database, 'categories')).find((row) => row.id === id);
  if (!group) throw new Refusal('NotFound');
  return group.slug;
}

/**
 * Prepares one change of many services as an import of these services with the new values. Returns
 * the id of the job. Throws NotFound, ServiceNotFound.
 */
export async function prepareBulk(
  context: FeeContext,
  caller: Caller,
  change: BulkChange,
): Promise<string> {
  const { database } = context;
  const rows = await findServices(database, change, administeredAgencies(caller));
  if (rows.length === 0) throw new Refusal('ServiceNotFound');
  const { workingDays, categoryId, partnerId, isRetired } = change;
  const shared: Partial<FileService> = {
    ...(workingDays === undefined ? {} : { workingDays }),
    ...(categoryId === undefined ? {} : { category: await findCategorySlug(database, categoryId) }),
    ...(partnerId === undefined ? {} : { partner: partnerId }),
    ...(isRetired === undefined ? {} : { isRetired }),
  };
  const changesFees = change.fee !== undefined || change.vatCategory !== undefined;
  const services = rows.map(({ replaced_name: replacedName, fees }): FileService => ({
    replacedName,
    ...shared,
    ...(changesFees ? { fees: fees.map((fee) => changedFee(fee, change)) } : {}),
  }));
  const problems = services.flatMap(({ replacedName, fees = [] }): FileProblem[] =>
    changesFees && fees.some(({ amount }) => amount > maximumCharge)
      ? [
          {
            list: 'services',
            row: 0,
            column: 'fees',
            code: 'feeTooLarge',
            params: { key: replacedName, maximum: (maximumCharge / 100).toFixed(2) },
          },
        ]
      : [],
  );
  const none = { accountTypes: [], agencies: [], categories: [], forms: [], synonyms: [] };
  return prepareJob(context, caller, {
    kind: 'bulk',
    plan: {
      file: { ...none, services },
      rows: { ...none, services: services.map(() => 0) },
      retiresMissing: false,
    },
    found: { problems: problems.slice(0, 100), problemsCount: problems.length },
  });
}
