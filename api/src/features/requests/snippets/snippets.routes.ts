import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import * as calls from '@diwan/contract/people/snippets';
import { deleteSnippet, listSnippets, saveSnippet } from './snippets.actions.ts';

/** The saved texts of staff for messages to applicants. Our own calls. */
export function serveSnippets(context: AppContext): void {
  const { database } = context;
  serve(context, calls.getSnippets, ({ caller, language }) =>
    listSnippets(database, caller, language),
  );

  serve(context, calls.saveSnippet, async ({ caller, body, language }) => {
    await saveSnippet(database, caller, body);
    return listSnippets(database, caller, language);
  });

  serve(context, calls.deleteSnippet, async ({ caller, body, language }) => {
    await deleteSnippet(database, caller, body.snippetId);
    return listSnippets(database, caller, language);
  });
}
