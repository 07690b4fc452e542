import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { directionOf, languages, type Language } from '@diwan/contract/wire/languages';
import { loadFonts } from '../../../lib/i18n/fonts.ts';
import { TextAreaField } from '../../../ui/forms/text-area-field.tsx';
import type { Messages } from '../staff/action-draft.ts';

const nameOf: Record<Language, keyof Messages> = {
  'ar-EG': 'messageAr',
  'en-US': 'messageEn',
  'ur-PK': 'messageUr',
};
const longest = 2000;

/** The error is in the reader's language and the box in its own, so the sentence is isolated. */
const isolate = (text: string) => `\u2068${text}\u2069`;

interface MessageFieldsProps {
  value: Messages;
  onChange: (value: Messages) => void;
  missing: readonly (keyof Messages)[];
  isOptional?: boolean;
  /** Before the names of the boxes, where a page has several messages. */
  prefix?: string;
  legend?: string;
  hint?: string;
  rows?: number;
  maxLength?: number;
}

/** One message in the three languages, each in its own direction and font. */
export function MessageFields({
  value,
  onChange,
  missing,
  isOptional,
  prefix = '',
  legend,
  hint,
  rows = 3,
  maxLength = longest,
}: MessageFieldsProps) {
  const { t } = useTranslation('requests');
  useEffect(() => {
    for (const language of languages) void loadFonts(language);
  }, []);
  return (
    <fieldset className="flex flex-col gap-4">
      <legend className="font-semibold">{legend ?? t('dialogs.message')}</legend>
      <p className="text-sm text-ink-500">
        {hint ?? t(isOptional ? 'dialogs.messageOptional' : 'dialogs.messageHint')}
      </p>
      <div className="@container">
        <div className="grid gap-4 @2xl:grid-cols-3">
          {languages.map((language) => {
            const name = nameOf[language];
            return (
              <div key={language} dir={directionOf(language)}>
                <TextAreaField
                  name={`${prefix}${name}`}
                  label={t(`languages.${language}`, { ns: 'shell' })}
                  lang={language}
                  dir={directionOf(language)}
                  rows={rows}
                  maxLength={maxLength}
                  isOptional={isOptional}
                  value={value[name]}
                  onChange={(text) => onChange({ ...value, [name]: text })}
                  error={
                    missing.includes(name) && value[name].trim() === ''
                      ? isolate(t('dialogs.messageMissing'))
                      : undefined
                  }
                  focusIds={prefix === '' ? ['MessageIncomplete'] : undefined}
                />
              </div>
            );
          })}
        </div>
      </div>
    </fieldset>
  );
}
