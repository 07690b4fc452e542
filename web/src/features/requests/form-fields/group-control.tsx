import { Plus, Trash2, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useFieldArray, type Control, type FieldValues } from 'react-hook-form';
import { classNames } from '#lib/browser/class-names.ts';
import { focusSoon } from '#lib/browser/focus-on.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { itemInSentence } from '#lib/i18n/title-in-sentence.ts';
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

/** The first field of an item, by which the item can be recognised. */
const firstName = (group: FormField) => group.fields?.[0]?.name ?? '';
const itemAt = (value: unknown, index: number): AnswerValues =>
  Array.isArray(value) ? ((value[index] as AnswerValues | undefined) ?? {}) : {};

/** The items of a group. The last removed one can be put back until another item is added. */
function useGroupItems({ name }: FormField, { control, values, moveItems }: AnswersForm) {
  const { fields, append, remove, insert } = useFieldArray({
    control: control as unknown as Control<FieldValues>,
    name,
  });
  const [removed, setRemoved] = useState<Removed>();
  return {
    items: fields,
    removed,
    add: () => {
      setRemoved(undefined);
      append({}, { shouldFocus: false });
      focusSoon(`${name}.${fields.length}.item`);
    },
    removeAt: (index: number) => {
      setRemoved({ index, item: structuredClone(itemAt(values[name], index)) });
      remove(index);
      moveItems(name, index, -1);
      focusSoon(`${name}.undo`);
    },
    undo: ({ index, item }: Removed) => {
      setRemoved(undefined);
      moveItems(name, index, 1);
      insert(index, item, { shouldFocus: false });
      focusSoon(`${name}.${index}.item`);
    },
  };
}

/** The title of a group, for screen readers alone where the heading of its step says the same. */
function GroupTitle({ form, field, answersForm }: Omit<GroupControlProps, 'error'>) {
  const { language } = useLanguage();
  const isRequired = isFieldRequired(form, field, answersForm.values);
  const step = form.steps.find(({ fields }) => fields.includes(field));
  const isSaid = isRequired && step?.title[language] === field.title[language];
  return (
    <legend className={isSaid ? 'sr-only' : 'mb-1 text-lg font-semibold text-ink-900'}>
      <span>{field.title[language]}</span>
      {isRequired ? null : <OptionalMark />}
    </legend>
  );
}

/** Repeated fields for several items, for example family members. */
export function GroupControl({ form, field, answersForm, error }: GroupControlProps) {
  const { t } = useTranslation('forms');
  const { language } = useLanguage();
  const ids = useFieldIds({ description: field.description?.[language], error: error(field.name) });
  const { items, removed, add, removeAt, undo } = useGroupItems(field, answersForm);
  const maximum = field.maxItems ?? defaultMaximumGroupItems;
  const canRemove = items.length > (field.minItems ?? (field.required ? 1 : 0));
  const itemTitle = (field.itemTitle ?? field.title)[language];
  const headingOf = (index: number) => t('group.heading', { item: itemTitle, number: index + 1 });
  // Numbers change when an item is removed, so the removed item is also named by its first answer.
  const nameOf = ({ index, item }: Removed) => {
    const first = item[firstName(field)];
    return typeof first === 'string' && first.trim() !== ''
      ? `${headingOf(index)} (\u2068${first.trim().slice(0, 60)}\u2069)`
      : headingOf(index);
  };
  const removedText = removed ? t('group.removed', { item: nameOf(removed) }) : '';
  const removedItem = removed ? (
    <RemovedItem
      text={removedText}
      undoFocusId={`${field.name}.undo`}
      onUndo={() => undo(removed)}
    />
  ) : null;
  return (
    <fieldset
      aria-describedby={ids.describedBy}
      className={error(field.name) ? 'border-s-4 border-red-700 ps-3' : undefined}
    >
      <GroupTitle form={form} field={field} answersForm={answersForm} />
      <FieldHint id={ids.hint}>{field.description?.[language]}</FieldHint>
      <FieldError id={ids.error}>{error(field.name)}</FieldError>
      <p role="status" className="sr-only">
        {removedText}
      </p>
      <ol className="mt-3 flex flex-col gap-4">
        {items.map((item, index) => (
          <li key={item.id} className="flex flex-col gap-4">
            {removed?.index === index ? removedItem : null}
            <GroupItem
              form={form}
              group={field}
              index={index}
              heading={headingOf(index)}
              answersForm={answersForm}
              error={error}
              errorId={`${ids.error}-${index}`}
              onRemove={canRemove ? () => removeAt(index) : undefined}
            />
          </li>
        ))}
        {removed?.index === items.length ? <li>{removedItem}</li> : null}
      </ol>
      <div className="mt-4 flex flex-wrap items-center gap-3">
        <Button
          variant="secondary"
          icon={<Plus aria-hidden size={20} />}
          isDisabled={items.length >= maximum}
          focusIds={[
            field.name,
            `answers.${field.name}`,
            ...(items.length === 0 ? [`${field.name}.0.${firstName(field)}`] : []),
          ]}
          onPress={add}
        >
          {t('group.add', { item: itemInSentence(itemTitle, language) })}
        </Button>
        {items.length >= maximum ? (
          <p className="text-sm text-ink-600">{t('group.full', { maximum })}</p>
        ) : null}
      </div>
    </fieldset>
  );
}

interface GroupItemProps extends Omit<GroupControlProps, 'field'> {
  group: FormField;
  index: number;
  heading: string;
  errorId: string;
  /** Undefined while the group has its minimum of items. */
  onRemove: (() => void) | undefined;
}

/** The fields of one item, with a button that removes it. */
function GroupItem({
  form,
  group,
  index,
  heading,
  answersForm,
  error,
  errorId,
  onRemove,
}: GroupItemProps) {
  const { t } = useTranslation('forms');
  const { language } = useLanguage();
  const { values, cleaned, control, touch } = answersForm;
  const path = `${group.name}.${index}`;
  const item = itemAt(values[group.name], index);
  return (
    <fieldset className="rounded-md border border-ink-200 p-4">
      <legend className="px-1 font-semibold text-ink-900">
        <span
          tabIndex={-1}
          data-focus-id={`${path}.item ${path} answers.${path}`}
          className="outline-offset-4"
        >
          {heading}
        </span>
      </legend>
      <FieldError id={errorId}>{error(path)}</FieldError>
      <div className="flex flex-col gap-6">
        {listShownItemFields(form, group, item, values).map((field) => (
          <FieldControl
            key={field.name}
            field={field}
            path={`${path}.${field.name}`}
            control={control}
            cleaned={itemAt(cleaned[group.name], index)[field.name]}
            error={error}
            onTouched={touch}
            isRequired={isFieldRequired(form, field, values, { group, item })}
          />
        ))}
        {onRemove ? (
          <div className="-mt-2 -mb-2">
            <Button variant="quiet" icon={<Trash2 aria-hidden size={18} />} onPress={onRemove}>
              {t('group.remove', { item: itemInSentence(heading, language) })}
            </Button>
          </div>
        ) : null}
      </div>
    </fieldset>
  );
}

interface RemovedItemProps {
  text: string;
  undoFocusId: string;
  onUndo: () => void;
}

/** Stands where an item was removed, and puts it back. */
function RemovedItem({ text, undoFocusId, onUndo }: RemovedItemProps) {
  const { t } = useTranslation('forms');
  return (
    <div
      className={classNames(
        'flex flex-wrap items-center justify-between gap-2 rounded-md',
        'border border-dashed border-ink-400 bg-ink-50 px-4 py-2',
      )}
    >
      <p>{text}</p>
      <Button
        variant="quiet"
        icon={<Undo2 aria-hidden size={18} className="mirror" />}
        focusIds={[undoFocusId]}
        onPress={onUndo}
      >
        {t('group.undo')}
      </Button>
    </div>
  );
}
