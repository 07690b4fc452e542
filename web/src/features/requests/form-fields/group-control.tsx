import { Plus, Trash2, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useFieldArray, type Control, type FieldValues } from 'react-hook-form';
import { classNames } from '#lib/browser/class-names.ts';
import { focusOn } from '#lib/browser/focus-on.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { FieldError, FieldHint, OptionalMark, useFieldIds } from '#ui/forms/field-frame.tsx';
import {
  defaultMaximumGroupItems,
  isFieldRequired,
  listShownItemFields,
} from '@diwan/contract/forms/check-answers';
import type { FormField, ServiceForm } from '@diwan/contract/forms/forms';
import { FieldControl } from './field-control.tsx';
import type { AnswerValues } from './initial-values.ts';
import type { AnswersForm } from './use-answers-form.ts';

interface GroupControlProps {
  form: ServiceForm;
  field: FormField;
  answersForm: AnswersForm;
  error: (path: string) => string | undefined;
}

interface Removed {
  index: number;
  item: AnswerValues;
}

const itemAt = (value: unknown, index: number): AnswerValues =>
  Array.isArray(value) ? ((value[index] as AnswerValues | undefined) ?? {}) : {};
// After the item is rendered.
const focusSoon = (id: string) =>
  window.requestAnimationFrame(() => window.requestAnimationFrame(() => focusOn(id)));

/** Repeated fields for several items, for example family members. */
export function GroupControl({ form, field, answersForm, error }: GroupControlProps) {
  const { t } = useTranslation('forms');
  const { language } = useLanguage();
  const ids = useFieldIds({ description: field.description?.[language], error: error(field.name) });
  const {
    fields: items,
    append,
    remove,
    insert,
  } = useFieldArray({
    control: answersForm.control as unknown as Control<FieldValues>,
    name: field.name,
  });
  const [removed, setRemoved] = useState<Removed>();
  const { values, cleaned, touch, moveItems } = answersForm;
  const maximum = field.maxItems ?? defaultMaximumGroupItems;
  const itemTitle = (field.itemTitle ?? field.title)[language];
  const isRequired = isFieldRequired(form, field, values);
  const headingOf = (index: number) => t('group.heading', { item: itemTitle, number: index + 1 });
  // Numbers change when an item is removed, so the removed item is also named by its first answer.
  const nameOf = ({ index, item }: Removed) => {
    const first = item[field.fields?.[0]?.name ?? ''];
    return typeof first === 'string' && first.trim() !== ''
      ? `${headingOf(index)} (\u2068${first.trim().slice(0, 60)}\u2069)`
      : headingOf(index);
  };
  const firstOf = (index: number) => `${field.name}.${index}.${field.fields?.[0]?.name ?? ''}`;

  const addItem = () => {
    setRemoved(undefined);
    append({}, { shouldFocus: false });
    focusSoon(`${field.name}.${items.length}.item`);
  };
  const removeItem = (index: number) => {
    setRemoved({ index, item: structuredClone(itemAt(values[field.name], index)) });
    remove(index);
    moveItems(field.name, index, -1);
    focusSoon(`${field.name}.undo`);
  };
  const undo = ({ index, item }: Removed) => {
    setRemoved(undefined);
    moveItems(field.name, index, 1);
    insert(index, item, { shouldFocus: false });
    focusSoon(`${field.name}.${index}.item`);
  };
  const removedLine = removed ? (
    <div
      className={classNames(
        'flex flex-wrap items-center justify-between gap-2 rounded-md',
        'border border-dashed border-ink-400 bg-ink-50 px-4 py-2',
      )}
    >
      <p>{t('group.removed', { item: nameOf(removed) })}</p>
      <Button
        variant="quiet"
        icon={<Undo2 aria-hidden size={18} className="mirror" />}
        focusIds={[`${field.name}.undo`]}
        onPress={() => undo(removed)}
      >
        {t('group.undo')}
      </Button>
    </div>
  ) : null;
  return (
    <fieldset
      aria-describedby={ids.describedBy}
      className={error(field.name) ? 'border-s-4 border-red-700 ps-3' : undefined}
    >
      <legend className="mb-1 text-lg font-semibold text-ink-900">
        {field.title[language]}
        {isRequired ? null : <OptionalMark />}
      </legend>
      <FieldHint id={ids.hint}>{field.description?.[language]}</FieldHint>
      <FieldError id={ids.error}>{error(field.name)}</FieldError>
      <p role="status" className="sr-only">
        {removed ? t('group.removed', { item: nameOf(removed) }) : ''}
      </p>
      <ol className="mt-3 flex flex-col gap-4">
        {items.map((item, index) => (
          <li key={item.id} className="flex flex-col gap-4">
            {removed?.index === index ? removedLine : null}
            <fieldset className="rounded-md border border-ink-200 p-4">
              <legend className="px-1 font-semibold text-ink-900">
                <span
                  tabIndex={-1}
                  data-focus-id={`${field.name}.${index}.item ${field.name}.${index} answers.${field.name}.${index}`}
                  className="outline-offset-4"
                >
                  {headingOf(index)}
                </span>
              </legend>
              <FieldError id={`${ids.error}-${index}`}>
                {error(`${field.name}.${index}`)}
              </FieldError>
              <div className="flex flex-col gap-6">
                {listShownItemFields(form, field, itemAt(values[field.name], index), values).map(
                  (each) => (
                    <FieldControl
                      key={each.name}
                      field={each}
                      path={`${field.name}.${index}.${each.name}`}
                      control={answersForm.control}
                      cleaned={itemAt(cleaned[field.name], index)[each.name]}
                      error={error}
                      onTouched={touch}
                      isRequired={isFieldRequired(form, each, values, {
                        group: field,
                        item: itemAt(values[field.name], index),
                      })}
                    />
                  ),
                )}
                {items.length > (field.minItems ?? (field.required ? 1 : 0)) ? (
                  <div className="-mt-2 -mb-2">
                    <Button
                      variant="quiet"
                      icon={<Trash2 aria-hidden size={18} />}
                      onPress={() => removeItem(index)}
                    >
                      {t('group.remove', { item: headingOf(index) })}
                    </Button>
                  </div>
                ) : null}
              </div>
            </fieldset>
          </li>
        ))}
        {removed?.index === items.length ? <li>{removedLine}</li> : null}
      </ol>
      <div className="mt-4 flex flex-wrap items-center gap-3">
        <Button
          variant="secondary"
          icon={<Plus aria-hidden size={20} />}
          isDisabled={items.length >= maximum}
          focusIds={[
            field.name,
            `answers.${field.name}`,
            ...(items.length === 0 ? [firstOf(0)] : []),
          ]}
          onPress={addItem}
        >
          {t('group.add', { item: itemTitle })}
        </Button>
        {items.length >= maximum ? (
          <p className="text-sm text-ink-600">{t('group.full', { maximum })}</p>
        ) : null}
      </div>
    </fieldset>
  );
}
