import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { languages, type LocalizedText } from '@diwan/contract/wire/languages';
import type { ConflictField } from './conflict-choice.tsx';

export type ConflictValue = LocalizedText | string | number | boolean | null | undefined;

/** The values that two people gave differently, in words; texts language by language. */
export function useConflictFields() {
  const { t } = useTranslation('changes');
  const format = useFormat();
  return <Values extends { [Field in keyof Values]: ConflictValue }>(
    mine: Values,
    theirs: Values,
    labels: Readonly<Record<keyof Values & string, string>>,
  ): ConflictField[] =>
    (Object.keys(labels) as (keyof Values & string)[]).flatMap((field): ConflictField[] => {
      const [own, saved]: ConflictValue[] = [mine[field], theirs[field]];
      const label = labels[field];
      if (own !== null && typeof own === 'object' && saved !== null && typeof saved === 'object')
        return languages
          .filter((language) => own[language] !== saved[language])
          .map((language) => ({
            label: `${label} (${format.language(language)})`,
            mine: own[language],
            theirs: saved[language],
          }));
      const inWords = (value: ConflictValue | undefined) =>
        typeof value === 'boolean' ? t(value ? 'yes' : 'no') : String(value ?? '');
      return own === saved ? [] : [{ label, mine: inWords(own), theirs: inWords(saved) }];
    });
}
