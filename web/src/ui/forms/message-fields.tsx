import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { useAllFonts } from '#lib/i18n/use-all-fonts.ts';
import {
  directionOf,
  languages,
  type Language,
  type LocalizedText,
} from '@diwan/contract/wire/languages';
import { Fold } from './fold.tsx';
import { TextAreaField } from './text-area-field.tsx';

export const messageNames = ['messageAr', 'messageEn', 'messageUr'] as const;
/** One message in three languages, by the names of the wire. */
export type Messages = Record<(typeof messageNames)[number], string>;

export const noMessages: Messages = { messageAr: '', messageEn: '', messageUr: '' };

/** A prepared text as a message that can be changed. */
export function toMessages(text: LocalizedText): Messages {
  return { messageAr: text['ar-EG'], messageEn: text['en-US'], messageUr: text['ur-PK'] };
}

/** Whether something is written in any language. */
export const hasMessage = (messages: Messages): boolean =>
  messageNames.some((name) => messages[name].trim() !== '');

/**
 * The languages whose message is missing: of all, or of the reader's language where it is known.
 * Without `isNeeded` there may also be no message.
 */
export function findMissingMessages(
  messages: Messages,
  isNeeded: boolean,
  reader?: Language,
): (keyof Messages)[] {
  const isBlank = (name: keyof Messages) => messages[name].trim() === '';
  const required = reader ? [messageNameOf[reader]] : messageNames;
  return isNeeded || !messageNames.every(isBlank) ? required.filter(isBlank) : [];
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
  /** The language in which the message is read: it comes first, and the others may be left out. */
  reader?: Language | undefined;
  /** Prefix of the field names, for a page with several messages. */
  prefix?: string;
  legend?: string;
  rows?: number;
  maxLength?: number;
}

/**
 * One message in three languages, each with its own direction and font. With `reader` the other
 * languages are folded until something is written in them.
 */
export function MessageFields({
  value,
  onChange,
  missing,
  isOptional,
  reader,
  prefix = '',
  legend,
  rows = 3,
  maxLength = maximumMessageLength,
}: MessageFieldsProps) {
  const { t } = useTranslation('requests');
  const format = useFormat();
  useAllFonts();
  const others = languages.filter((each) => each !== reader);
  const required = isOptional ? 'messageOptional' : 'messageHint';
  const text = reader
    ? t(`dialogs.${required}Reader`, { language: format.language(reader) })
    : t(`dialogs.${required}`);
  const field = (language: Language) => {
    const name = messageNameOf[language];
    const isMissing = missing.includes(name) && value[name].trim() === '';
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
          isOptional={isOptional === true || (reader !== undefined && language !== reader)}
          value={value[name]}
          onChange={(changed) => onChange({ ...value, [name]: changed })}
          error={isMissing ? isolate(t('dialogs.messageMissing')) : undefined}
          focusIds={
            prefix === '' && (reader === undefined || language === reader)
              ? ['MessageIncomplete']
              : undefined
          }
        />
      </div>
    );
  };
  return (
    <fieldset className="flex flex-col gap-4">
      <legend className="font-semibold">{legend ?? t('dialogs.message')}</legend>
      <p className="text-sm text-ink-500">{text}</p>
      {reader ? (
        <>
          {field(reader)}
          <Fold
            title={t('dialogs.otherLanguages')}
            isOpenAtFirst={others.some((each) => value[messageNameOf[each]] !== '')}
          >
            <div className="@container">
              <div className="grid gap-4 @2xl:grid-cols-2">{others.map(field)}</div>
            </div>
          </Fold>
        </>
      ) : (
        <div className="@container">
          <div className="grid gap-4 @2xl:grid-cols-3">{languages.map(field)}</div>
        </div>
      )}
    </fieldset>
  );
}
