import type { AppContext, Feature } from '#platform/http/context.ts';
import { refreshTexts } from './texts.actions.ts';
import { serveTexts } from './texts.routes.ts';

/** The texts of the product with their overrides, which every process keeps in memory. */
export async function registerTexts(context: AppContext): Promise<Feature> {
  const refresh = () => refreshTexts(context.database);
  await refresh();
  serveTexts(context);
  return { jobs: [{ everySeconds: 15, channel: 'diwan_texts', run: refresh }] };
}
