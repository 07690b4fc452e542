import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { directionOf, languages, type Language } from '@diwan/contract/languages';
import { loadFonts } from '../../lib/fonts.ts';
import { TextAreaField } from '../../ui/text-area-field.tsx';
import type { Messages } from './action-draft.ts';

const nameOf: Record<Language, keyof Messages> = { 'ar-EG': 'messageAr', 'en-US': 'messageEn', 'ur-PK': 'messageUr' };
const longest = 2000;

/** The error is in the reader's language and the box in its own, so the sentence is isolated. */
const isolate = (text: string) => `\u2068${text}\u2069`;

interface MessageFieldsProps {
  value: Messages;
  onChange: (value: Messages) => void;
  missing: readonly (keyof Messages)[];
  isOptional?: boolean;
}

/** One message in the three languages, each in its own direction and font. */
export function MessageFields({ value, onChange, missing, isOptional }: MessageFieldsProps) {
  const { t } = useTranslation('requests');
  useEffect(() => {
    for (const language of languages) void loadFonts(language);
  }, []);
  return (
    <fieldset className="flex flex-col gap-4">
      <legend className="font-semibold">{t('dialogs.message')}</legend>
      <p className="text-sm text-ink-500">{t(isOptional ? 'dialogs.messageOptional' : 'dialogs.messageHint')}</p>
      {languages.map((language) => {
        const name = nameOf[language];
        return (
          <div key={language} dir={directionOf(language)}>
            <TextAreaField
              name={name} label={t(`languages.${language}`, { ns: 'shell' })} lang={language} dir={directionOf(language)} rows={3} maxLength={longest} isOptional={isOptional}
              value={value[name]} onChange={(text) => onChange({ ...value, [name]: text })} error={missing.includes(name) && value[name].trim() === '' ? isolate(t('dialogs.messageMissing')) : undefined}
              focusIds={['MessageIncomplete']}
            />
          </div>
        );
      })}
    </fieldset>
  );
}
