import { Plus } from 'lucide-react';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { LocalizedFields, noText } from '#ui/editing/localized-fields.tsx';
import { FieldError } from '#ui/forms/field-frame.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import type { FormField } from '@diwan/contract/forms/forms';
import { setAt } from '../model/document-parts.ts';
import { freeName, nameFromTitle, renameOption } from '../model/edit-parts.ts';
import { EntryButtons } from './entry-buttons.tsx';
import { usePart, type PanelProps } from './panel-props.ts';

const isAutomatic = (value: string) => /^option\d+$/.test(value);

/** The choices of a question, each in three languages with the value that is stored. */
export function ChoicesEditor(props: PanelProps) {
  const { document, place, onChange } = props;
  const { t } = useTranslation('designer');
  const { part, set, errorOf, textErrorOf } = usePart<FormField>(props);
  const options = part.oneOf ?? [];
  const path = `${place}.oneOf`;
  const rename = (index: number, value: string, key?: string) =>
    onChange(renameOption(document, place, { index, value }), key);
  const values = options.map((option) => option.const);
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-2 font-semibold text-ink-900">{t('choices.title')}</legend>
      <FieldError id={`${path}-error`}>{errorOf('oneOf')}</FieldError>
      <ol className="flex flex-col gap-4">
        {options.map((option, index) => {
          const label = t('choices.one', { number: index + 1 });
          return (
            <li key={index} className="border-s-3 border-ink-200 ps-3">
              <LocalizedFields
                legend={label}
                name={`${path}.${index}.title`}
                value={option.title}
                maxLength={200}
                error={textErrorOf(`oneOf.${index}.title`)}
                onChange={(title) =>
                  onChange(setAt(document, `${path}.${index}.title`, title), `${path}.${index}`)
                }
                onBlur={() => {
                  const value = nameFromTitle(option.title['en-US']);
                  if (isAutomatic(option.const) && value !== '' && !values.includes(value))
                    rename(index, value);
                }}
              />
              <div className="mt-2 flex flex-wrap items-end gap-2">
                <TextField
                  label={t('choices.value', { number: index + 1 })}
                  dir="ltr"
                  width="short"
                  maxLength={60}
                  value={option.const}
                  onChange={(value) => rename(index, value, `${path}.${index}.const`)}
                />
                <EntryButtons
                  entries={options}
                  index={index}
                  labels={{
                    up: t('choices.up', { number: index + 1 }),
                    down: t('choices.down', { number: index + 1 }),
                    remove: t('choices.remove', { number: index + 1 }),
                  }}
                  onChange={(changed) => set('oneOf', changed)}
                />
              </div>
            </li>
          );
        })}
      </ol>
      <div>
        <Button
          variant="secondary"
          size="sm"
          icon={<Plus aria-hidden size={16} />}
          onPress={() =>
            set('oneOf', [...options, { const: freeName('option', values), title: noText }])
          }
        >
          {t('choices.add')}
        </Button>
      </div>
    </fieldset>
  );
}
