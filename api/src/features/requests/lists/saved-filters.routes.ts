import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import * as calls from '@diwan/contract/requests/saved-filters';
import { addFilter, changeFilter, deleteFilter, listFilters } from './saved-filters.actions.ts';

/** The saved filters of staff for their lists. Our own calls. */
export function serveSavedFilters(context: AppContext): void {
  const { database } = context;
  serve(context, calls.getSavedFilters, ({ caller }) => listFilters(database, caller));

  serve(context, calls.saveFilter, async ({ caller, body }) => {
    await addFilter(database, caller, body);
    return listFilters(database, caller);
  });

  serve(context, calls.changeSavedFilter, async ({ caller, body: { id, ...changed } }) => {
    await changeFilter(database, caller, id, changed);
    return listFilters(database, caller);
  });

  serve(context, calls.deleteSavedFilter, async ({ caller, body }) => {
    await deleteFilter(database, caller, body.id);
    return listFilters(database, caller);
  });
}
