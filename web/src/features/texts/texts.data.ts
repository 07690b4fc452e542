import { useQueryClient } from '@tanstack/react-query';
import type { ApiError } from '#lib/api/api-error.ts';
import { sendForFile } from '#lib/api/send.ts';
import { useAction } from '#lib/api/use-call.ts';
import { saveContent } from '#lib/browser/save-file.ts';
import { refreshTexts } from '#lib/i18n/refresh-texts.ts';
import {
  exportTexts,
  getText,
  getTexts,
  saveText,
  type TextEntry,
} from '@diwan/contract/content/texts';
import { getChanges } from '@diwan/contract/people/changes';
import { noTextsVersion } from '@diwan/contract/wire/call';

/** Saves a text; `onSaved` is called when this page shows it. */
export function useSaveText(options: {
  onSaved: (entry: TextEntry) => void;
  onError: (error: ApiError) => void;
}) {
  const client = useQueryClient();
  return useAction(saveText, {
    skipErrorHandling: true,
    onSuccess: async ({ entry, textsVersion }) => {
      await refreshTexts(textsVersion || noTextsVersion);
      for (const call of [getTexts, getText, getChanges])
        void client.invalidateQueries({ queryKey: [call.name] });
      options.onSaved(entry);
    },
    onError: options.onError,
  });
}

/** Saves the archive of the files that differ from the repository. */
export async function downloadChangedFiles(): Promise<void> {
  saveContent(await sendForFile(exportTexts, {}), 'texts.zip');
}

const places = import.meta.env['VITE_TEXT_PLACES'] as Record<string, readonly string[]>;

/** The paths of the pages that show a text; `*` stands for every page, none for no page. */
export const placesOf = ({ noun, key }: Pick<TextEntry, 'noun' | 'key'>): readonly string[] =>
  places[`${noun}:${key.split('.')[0]}`] ?? [];

/** The address of an entry on the page of texts. */
export const textLink = ({ noun, key }: Pick<TextEntry, 'noun' | 'key'>): string =>
  `/dashboard/texts?text=${encodeURIComponent(`${noun}:${key}`)}`;
