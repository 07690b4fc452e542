import { useState } from 'react';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { useAllFonts } from '#lib/i18n/use-all-fonts.ts';
import { directionOf, languages, type LocalizedText } from '@diwan/contract/wire/languages';
import { ConfirmDialog } from '../feedback/confirm-dialog.tsx';
import { SkeletonRows } from '../feedback/skeleton.tsx';
import { CheckboxGroup } from '../forms/checkbox.tsx';

interface UsualItem {
  key: number;
  name: LocalizedText;
  isThere: boolean;
}

/** Items that many portals use, in three languages: those that are not there yet can be chosen. */
export function UsualItemsDialog({
  title,
  items,
  noteOf,
  isPending,
  onAdd,
  onClose,
}: {
  title: string;
  /** Undefined while they are loaded. */
  items: readonly UsualItem[] | undefined;
  /** What is said of an item beside its names. */
  noteOf?: (key: number) => string;
  isPending: boolean;
  onAdd: (keys: number[]) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation('changes');
  const { language } = useLanguage();
  useAllFonts();
  const offered = items?.filter(({ isThere }) => !isThere);
  const [unchecked, setUnchecked] = useState<readonly string[]>([]);
  const all = (offered ?? []).map(({ key }) => String(key));
  const chosen = all.filter((key) => !unchecked.includes(key));
  return (
    <ConfirmDialog
      title={title}
      kind="wide"
      confirmLabel={t('usual.add', { count: chosen.length })}
      cancelLabel={t('usual.cancel')}
      isPending={isPending}
      isDisabled={chosen.length === 0}
      onConfirm={() => onAdd(chosen.map(Number))}
      onClose={onClose}
    >
      {!offered ? (
        <SkeletonRows count={4} />
      ) : offered.length === 0 ? (
        <p>{t('usual.none')}</p>
      ) : (
        <CheckboxGroup
          label={t('usual.choose')}
          value={chosen}
          onChange={(keys) => setUnchecked(all.filter((key) => !keys.includes(key)))}
          choices={offered.map(({ key, name }) => ({
            value: String(key),
            label: name[language],
            hint: (
              <span className="flex flex-col">
                {noteOf ? <span>{noteOf(key)}</span> : null}
                {languages
                  .filter((each) => each !== language)
                  .map((each) => (
                    <span key={each} lang={each} dir={directionOf(each)}>
                      {name[each]}
                    </span>
                  ))}
              </span>
            ),
          }))}
        />
      )}
    </ConfirmDialog>
  );
}
