import type { CatalogueJob } from '@diwan/contract/catalogue/transfer';
import type { LocalizedText } from '@diwan/contract/wire/languages';

/** A value of a change of the catalogue; texts are in every language until somebody reads them. */
export type ShownValue = LocalizedText | string | number | boolean | null | undefined;

/** `code` is ours or of a validation. */
interface StoredProblem {
  list: string;
  row: number;
  column: string;
  code: string;
  params?: Record<string, string | number>;
}

/** What a job of the catalogue found or did, for its admin. */
export type StoredSummary = Pick<
  CatalogueJob,
  'counts' | 'changesCount' | 'problemsCount' | 'warningsCount'
> & {
  changes: (Omit<CatalogueJob['changes'][number], 'name' | 'fields'> & {
    name: LocalizedText | string;
    fields: { field: string; before?: ShownValue; after?: ShownValue }[];
  })[];
  problems: StoredProblem[];
  warnings: StoredProblem[];
};
