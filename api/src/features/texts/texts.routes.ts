import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import * as contract from '@diwan/contract/content/texts';
import { previewImport, previewReplacement, savePlaces } from './text-places.actions.ts';
import { exportOverriddenFiles, getTextEntry, listTexts, saveTextEntry } from './texts.actions.ts';

/** The texts of the product, and what an administrator overrides. */
export function serveTexts(context: AppContext): void {
  const { database } = context;
  serve(context, contract.getTexts, ({ query }) => listTexts(database, query));

  serve(context, contract.getText, ({ query }) => getTextEntry(database, query.Noun, query.Key));

  serve(context, contract.saveText, ({ caller, request, body }) =>
    saveTextEntry(database, { caller, address: request.ip }, body, new Date()),
  );

  serve(context, contract.previewTextReplacement, ({ query, language }) =>
    previewReplacement(database, query, language),
  );

  serve(context, contract.previewTextImport, ({ body, language }) =>
    previewImport(database, body, language),
  );

  serve(context, contract.saveTexts, ({ caller, request, body }) =>
    savePlaces(database, { caller, address: request.ip }, body, new Date()),
  );

  serve(context, contract.exportTexts, async ({ reply }) =>
    reply
      .type('application/zip')
      .header('content-disposition', 'attachment; filename="texts.zip"')
      .send(await exportOverriddenFiles(database)),
  );
}
