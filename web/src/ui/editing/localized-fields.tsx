import { TriangleAlert } from 'lucide-react';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { useAllFonts } from '#lib/i18n/use-all-fonts.ts';
import {
  directionOf,
  languages,
  type Language,
  type LocalizedText,
} from '@diwan/contract/wire/languages';
import { findTextWarnings } from '@diwan/contract/wire/text-warnings';
import { TextAreaField } from '../forms/text-area-field.tsx';

/** A text that nobody has written yet. */
export const noText: LocalizedText = { 'ar-EG': '', 'en-US': '', 'ur-PK': '' };

interface LocalizedFieldsProps {
  legend: string;
  /** Prefix of the field names: `name` makes `name.ar-EG`. */
  name: string;
  value: LocalizedText;
  onChange: (value: LocalizedText) => void;
  onBlur?: () => void;
  description?: string;
  /** The error of the whole text, or by language. */
  error?: string | Partial<Record<Language, string>>;
  isOptional?: boolean;
  isDisabled?: boolean;
  rows?: number;
  maxLength?: number;
}

/**
 * One text in three languages side by side, each in its direction and font, with warnings under the
 * language that they concern: same as English, wrong script, unfinished, far longer. A blank text
 * is an error of the form and not a warning here.
 */
export function LocalizedFields({
  legend,
  name,
  value,
  onChange,
  onBlur,
  description,
  error,
  isOptional,
  isDisabled,
  rows = 1,
  maxLength = 200,
}: LocalizedFieldsProps) {
  const { t } = useTranslation('changes');
  useAllFonts();
  const warnings = findTextWarnings(value);
  const isBlank = (language: Language) => value[language].trim() === '';
  // What the text lacks is shown where it is blank.
  const ofAll = typeof error === 'string' && !languages.some(isBlank) ? error : undefined;
  const errorOf = (language: Language) =>
    typeof error === 'object' ? error[language] : isBlank(language) ? error : undefined;
  return (
    <fieldset className="@container flex min-w-0 flex-col gap-2">
      <legend className="font-semibold text-ink-900">{legend}</legend>
      {description ? <p className="text-sm text-ink-500">{description}</p> : null}
      {ofAll ? (
        <p role="alert" className="text-sm font-medium text-red-700">
          {ofAll}
        </p>
      ) : null}
      <div className="grid gap-4 @2xl:grid-cols-3">
        {languages.map((language) => (
          <div key={language} dir={directionOf(language)}>
            <TextAreaField
              name={`${name}.${language}`}
              label={t(`languages.${language}`, { ns: 'shell' })}
              labelLanguage={language}
              lang={language}
              dir={directionOf(language)}
              rows={rows}
              maxLength={maxLength}
              isOptional={isOptional}
              isDisabled={isDisabled}
              value={value[language]}
              onChange={(text) => onChange({ ...value, [language]: text })}
              onBlur={onBlur}
              error={errorOf(language)}
            />
            <TextWarnings
              kinds={warnings
                .filter((warning) => warning.language === language && warning.kind !== 'missing')
                .map(({ kind }) => kind)}
            />
          </div>
        ))}
      </div>
    </fieldset>
  );
}

/** Warnings in the language of the page, which differs from that of the field. */
export function TextWarnings({ kinds }: { kinds: readonly string[] }) {
  const { t } = useTranslation('changes');
  const { language } = useLanguage();
  return (
    <ul aria-live="polite" dir={directionOf(language)} lang={language} className="text-sm">
      {kinds.map((kind) => (
        <li key={kind} className="flex items-start gap-2 text-amber-800">
          <TriangleAlert aria-hidden size={16} className="mt-[calc((1lh-16px)/2)] shrink-0" />
          <span>{t(`warnings.${kind}`)}</span>
        </li>
      ))}
    </ul>
  );
}
