import { useEffect } from 'react';
import { useTranslation } from '../../lib/i18n/translate.ts';
import {
  directionOf,
  languages,
  type Language,
  type LocalizedText,
} from '@diwan/contract/wire/languages';
import { loadFonts } from '../../lib/i18n/fonts.ts';
import { TextAreaField } from './text-area-field.tsx';

export const messageNames = ['messageAr', 'messageEn', 'messageUr'] as const;
/** One message in three languages, by the names of the wire. */
export type Messages = Record<(typeof messageNames)[number], string>;

export const noMessages: Messages = { messageAr: '', messageEn: '', messageUr: '' };

/** A prepared text as a message that can be changed. */
export function toMessages(text: LocalizedText): Messages {
  return { messageAr: text['ar-EG'], messageEn: text['en-US'], messageUr: text['ur-PK'] };
}

/**
 * The languages whose message is missing. A message has to be in all three languages; without
 * `isNeeded` it may also be in none.
 */
export function findMissingMessages(messages: Messages, isNeeded: boolean): (keyof Messages)[] {
  const blank = messageNames.filter((name) => messages[name].trim() === '');
  return isNeeded || blank.length < messageNames.length ? blank : [];
}

/** The name of the message in a language. */
export const messageNameOf: Record<Language, keyof Messages> = {
  'ar-EG': 'messageAr',
  'en-US': 'messageEn',
  'ur-PK': 'messageUr',
};
const maximumMessageLength = 2000;

/** The error is in the user's language, the field in another one, so its direction is isolated. */
const isolate = (text: string) => `\u2068${text}\u2069`;

interface MessageFieldsProps {
  value: Messages;
  onChange: (value: Messages) => void;
  missing: readonly (keyof Messages)[];
  isOptional?: boolean;
  /** Prefix of the field names, for a page with several messages. */
  prefix?: string;
  legend?: string;
  hint?: string;
  rows?: number;
  maxLength?: number;
}

/** One message in three languages, each with its own direction and font. */
export function MessageFields({
  value,
  onChange,
  missing,
  isOptional,
  prefix = '',
  legend,
  hint,
  rows = 3,
  maxLength = maximumMessageLength,
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
            const name = messageNameOf[language];
            return (
              <div key={language} dir={directionOf(language)}>
                <TextAreaField
                  name={`${prefix}${name}`}
                  label={t(`languages.${language}`, { ns: 'shell' })}
                  labelLanguage={language}
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
