/**
 * The types of columns that PostgreSQL does not know: the values of jsonb columns, and the text
 * columns that hold one of a few words. `schema.generated.ts` refers to them by `table.column`. Each
 * `*.store.ts` adds those of its tables:
 *
 *     declare module '#platform/database/columns.ts' {
 *       interface ColumnTypes {
 *         'partners.name': LocalizedText;
 *       }
 *     }
 *
 * After a change of the names run `npm run database:types`.
 */
export interface ColumnTypes {
  'settings.value': unknown;
}
