import type { Caller } from '#platform/auth/caller.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { Database } from '#platform/database/database.ts';
import type { FileService } from '@diwan/contract/catalogue/catalogue-file';
import type { prepareBulkChange } from '@diwan/contract/catalogue/transfer';
import type { BodyOf } from '@diwan/contract/wire/call';
import type { Language } from '@diwan/contract/wire/languages';
import { selectGroups } from '../groups/groups.store.ts';
import type { Catalogue } from '../services.actions.ts';
import { selectFeesOf } from './export.store.ts';
import { prepareJob, type JobContext } from './jobs.actions.ts';

type BulkChange = BodyOf<typeof prepareBulkChange>;

function findServiceIds(
  catalogue: Catalogue,
  { serviceIds, all }: BulkChange,
  language: Language,
): number[] {
  if (serviceIds) return [...new Set(serviceIds)];
  const filter = { agencyId: all?.agencyId };
  const found = catalogue.search(all?.searchKeyword, language, filter);
  return found.take(0, found.count).map(({ id }) => id);
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
  context: Pick<JobContext, 'database' | 'catalogue'>,
  caller: Caller,
  change: BulkChange,
  language: Language,
): Promise<string> {
  const { database, catalogue } = context;
  const rows = await selectFeesOf(database, findServiceIds(catalogue, change, language));
  if (rows.length === 0) throw new Refusal('ServiceNotFound');
  const { workingDays, categoryId, partnerId, feePercent, isRetired } = change;
  const shared: Partial<FileService> = {
    ...(workingDays === undefined ? {} : { workingDays }),
    ...(categoryId === undefined ? {} : { category: await findCategorySlug(database, categoryId) }),
    ...(partnerId === undefined ? {} : { partner: partnerId }),
    ...(isRetired === undefined ? {} : { isRetired }),
  };
  const share = 1 + (feePercent ?? 0) / 100;
  const services = rows.map(({ replaced_name: replacedName, fees }): FileService => ({
    replacedName,
    ...shared,
    ...(feePercent === undefined
      ? {}
      : { fees: fees.map((fee) => ({ ...fee, amount: Math.round(fee.amount * share) })) }),
  }));
  const none = { accountTypes: [], agencies: [], categories: [], forms: [], synonyms: [] };
  return prepareJob(context, caller, {
    kind: 'bulk',
    plan: {
      file: { ...none, services },
      rows: { ...none, services: services.map(() => 0) },
      retiresMissing: false,
    },
  });
}
