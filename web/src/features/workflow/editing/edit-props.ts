import { useLanguage } from '#lib/i18n/language.ts';
import { languages, type Language, type LocalizedText } from '@diwan/contract/wire/languages';
import type { DraftEditor } from '../workflow-draft.data.ts';
import type { DraftStatus, Selection } from './edit-workflow.ts';

/** The longest text of a workflow document. */
export const maximumText = 400;

export interface EditProps {
  editor: DraftEditor;
  onSelect: (selection: Selection | undefined) => void;
}

/** What names a status, and by what problems refer to it. */
export type NamedStatus = Pick<DraftStatus, 'name' | 'staffName' | 'key' | 'statusId'>;

/** The name of a status as staff read it; its key where it has none yet. */
export const nameOfStatus = (
  { name, staffName, key }: Omit<NamedStatus, 'statusId'>,
  language: Language,
): string => (staffName?.[language] || name[language] || key).trim();

/** The language of the text that was typed in, so that typing in one field is one step of undo. */
export const typedIn = (before: LocalizedText, after: LocalizedText): string =>
  languages.find((language) => before[language] !== after[language]) ?? '';

/** The statuses of the draft as the choices of a list. */
export function useStatusChoices({ draft }: DraftEditor) {
  const { language } = useLanguage();
  return draft.statuses.map((status) => ({
    value: String(status.statusId),
    label: nameOfStatus(status, language),
  }));
}
