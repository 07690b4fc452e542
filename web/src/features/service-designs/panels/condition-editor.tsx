import { Plus, Trash2 } from 'lucide-react';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { IconButton } from '#ui/actions/icon-button.tsx';
import {
  comparisonsOf,
  isGroup,
  joins,
  readCondition,
  startComparison,
  startValue,
  writeCondition,
  type Comparison,
  type ComparedValue,
  type ComparisonNode,
  type ConditionNode,
  type GroupNode,
} from '#ui/designs/condition-nodes.ts';
import { useConditionText } from '#ui/designs/condition-text.ts';
import { CheckboxGroup } from '#ui/forms/checkbox.tsx';
import { DayField } from '#ui/forms/day-field.tsx';
import { FieldError } from '#ui/forms/field-frame.tsx';
import { MoneyField, NumberField } from '#ui/forms/number-field.tsx';
import { SelectField, type Choice } from '#ui/forms/select-field.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import type { Condition } from '@diwan/contract/forms/form-conditions';
import type { FormField } from '@diwan/contract/forms/forms';
import { DateLimitField, ManyField, PickField, useKnownChoices } from './value-fields.tsx';

/** The choices of a question that has some. */
function useChoicesOf(): (field: FormField) => Choice[] {
  const { t } = useTranslation('forms');
  const { language } = useLanguage();
  const known = useKnownChoices();
  return ({ kind, oneOf }) => {
    if (kind === 'yesNo')
      return [
        { value: 'true', label: t('yes') },
        { value: 'false', label: t('no') },
      ];
    if (kind === 'emirate') return known.emirates;
    if (kind === 'nationality') return known.nationalities;
    return (oneOf ?? []).map((option) => ({
      value: option.const,
      label: option.title[language] || option.const,
    }));
  };
}

interface ValueProps {
  field: FormField;
  node: ComparisonNode;
  onChange: (value: ComparedValue) => void;
}

function OneValue({ field, node, onChange }: ValueProps) {
  const { t } = useTranslation('designer');
  const choicesOf = useChoicesOf();
  const label = t('condition.value');
  const { value } = node;
  switch (field.kind) {
    case 'yesNo':
      return (
        <SelectField
          label={label}
          value={String(value)}
          onChange={(chosen) => onChange(chosen === 'true')}
          choices={choicesOf(field)}
        />
      );
    case 'choice':
    case 'choices':
    case 'emirate':
    case 'nationality':
      return (
        <PickField
          label={label}
          value={String(value ?? '')}
          onChange={onChange}
          choices={choicesOf(field)}
        />
      );
    case 'number':
    case 'money':
      return <Limit field={field} label={label} value={value} onChange={onChange} />;
    case 'date':
      return <DayField label={label} value={String(value ?? '')} onChange={onChange} />;
    default:
      return <TextField label={label} dir="auto" value={String(value ?? '')} onChange={onChange} />;
  }
}

function Limit({
  field,
  label,
  value,
  onChange,
}: {
  field: FormField;
  label: string;
  value: unknown;
  onChange: (value: number) => void;
}) {
  const Field = field.kind === 'money' ? MoneyField : NumberField;
  return (
    <Field
      label={label}
      value={typeof value === 'number' ? value : undefined}
      onChange={(number) => {
        if (number !== undefined && !Number.isNaN(number)) onChange(number);
      }}
    />
  );
}

function ComparedValueField(props: ValueProps) {
  const { field, node, onChange } = props;
  const { t } = useTranslation('designer');
  const choicesOf = useChoicesOf();
  const [low, high] = Array.isArray(node.value) ? (node.value as unknown[]) : [];
  switch (node.comparison) {
    case 'answered':
    case 'unanswered':
      return null;
    case 'oneOf':
    case 'noneOf': {
      const value = (Array.isArray(node.value) ? node.value : []).map(String);
      const choices = choicesOf(field);
      return choices.length > 10 ? (
        <ManyField
          label={t('condition.value')}
          value={value}
          choices={choices}
          onChange={onChange}
        />
      ) : (
        <CheckboxGroup
          label={t('condition.value')}
          value={value}
          choices={choices}
          onChange={(chosen) => {
            if (chosen.length > 0) onChange(chosen);
          }}
        />
      );
    }
    case 'atLeast':
    case 'atMost':
      return (
        <Limit field={field} label={t('condition.value')} value={node.value} onChange={onChange} />
      );
    case 'between':
      return (
        <div className="flex flex-wrap gap-3">
          <Limit
            field={field}
            label={t('condition.least')}
            value={low}
            onChange={(value) => onChange([value, Number(high)])}
          />
          <Limit
            field={field}
            label={t('condition.most')}
            value={high}
            onChange={(value) => onChange([Number(low), value])}
          />
        </div>
      );
    case 'from':
    case 'until':
      return (
        <DateLimitField
          isRequired
          label={t('condition.value')}
          value={String(node.value)}
          onChange={onChange}
        />
      );
    case 'days':
      return (
        <div className="flex flex-col gap-3">
          <DateLimitField
            isRequired
            label={t('condition.first')}
            value={String(low)}
            onChange={(limit) => onChange([String(limit), String(high)])}
          />
          <DateLimitField
            isRequired
            label={t('condition.last')}
            value={String(high)}
            onChange={(limit) => onChange([String(low), String(limit)])}
          />
        </div>
      );
    default:
      return <OneValue {...props} />;
  }
}

interface NodeProps<Node> {
  node: Node;
  fields: readonly FormField[];
  onChange: (node: ConditionNode) => void;
  onRemove: () => void;
}

/** One sentence: "[question] [is] [value]". */
function ComparisonEditor({ node, fields, onChange, onRemove }: NodeProps<ComparisonNode>) {
  const { t } = useTranslation('designer');
  const { language } = useLanguage();
  const text = useConditionText(fields);
  const field = fields.find((each) => each.name === node.field);
  const choices = fields
    .filter((each) => comparisonsOf(each.kind).length > 0)
    .map((each) => ({ value: each.name, label: each.title[language] || each.name }));
  const allowed = field ? comparisonsOf(field.kind) : [];
  const shown = allowed.includes(node.comparison) ? allowed : [...allowed, node.comparison];
  return (
    <li className="rounded-md border border-ink-200 p-3">
      <div role="group" aria-label={text.ofNode(node)} className="@container flex flex-col gap-3">
        <div className="grid gap-3 @lg:grid-cols-[3fr_2fr]">
          <PickField
            label={t('condition.question')}
            value={node.field}
            error={field ? undefined : t('condition.unknown', { name: node.field })}
            onChange={(name) => {
              const chosen = fields.find((each) => each.name === name);
              if (chosen) onChange(startComparison(chosen));
            }}
            choices={choices}
          />
          <SelectField
            label={t('condition.comparison')}
            value={node.comparison}
            onChange={(key) => {
              if (!field) return;
              const comparison = key as Comparison;
              onChange({ ...node, comparison, value: startValue(field, comparison, node.value) });
            }}
            choices={shown.map((comparison) => ({
              value: comparison,
              label: t(`comparisons.${comparison}`),
            }))}
          />
        </div>
        {field ? (
          <ComparedValueField
            field={field}
            node={node}
            onChange={(value) => onChange({ ...node, value })}
          />
        ) : null}
        <div>
          <Button
            variant="quiet"
            size="sm"
            icon={<Trash2 aria-hidden size={16} />}
            onPress={onRemove}
          >
            {t('condition.remove')}
          </Button>
        </div>
      </div>
    </li>
  );
}

function GroupEditor({
  node,
  fields,
  onChange,
  onRemove,
  depth,
}: NodeProps<GroupNode> & { depth: number }) {
  const { t } = useTranslation('designer');
  const { parts } = node;
  const start = fields.findLast((each) => comparisonsOf(each.kind).length > 0);
  const replace = (index: number, part: ConditionNode) =>
    onChange({ ...node, parts: parts.with(index, part) });
  const remove = (index: number) => onChange({ ...node, parts: parts.toSpliced(index, 1) });
  const add = (part: ConditionNode) => onChange({ ...node, parts: [...parts, part] });
  const list = (
    <ul className="flex flex-col gap-3">
      {parts.map((part, index) => {
        const shared = {
          fields,
          onChange: (next: ConditionNode) => replace(index, next),
          onRemove: () => remove(index),
        };
        return isGroup(part) ? (
          <li key={index} className="border-s-3 border-ink-200 ps-3">
            <GroupEditor node={part} depth={depth + 1} {...shared} />
          </li>
        ) : (
          <ComparisonEditor key={index} node={part} {...shared} />
        );
      })}
    </ul>
  );
  return (
    <div className="flex flex-col gap-3">
      {parts.length > 1 || depth > 0 || node.join !== 'all' ? (
        <div className="flex items-end gap-2">
          <div className="grow">
            <SelectField
              label={t('condition.join')}
              value={node.join}
              onChange={(join) => onChange({ ...node, join: join as GroupNode['join'] })}
              choices={joins.map((join) => ({ value: join, label: t(`joins.${join}`) }))}
            />
          </div>
          {depth > 0 ? (
            <IconButton label={t('condition.removeGroup')} onPress={onRemove}>
              <Trash2 aria-hidden size={18} />
            </IconButton>
          ) : null}
        </div>
      ) : null}
      {list}
      {start ? (
        <div className="flex flex-wrap gap-2">
          <Button
            variant="secondary"
            size="sm"
            icon={<Plus aria-hidden size={16} />}
            onPress={() => add(startComparison(start))}
          >
            {t('condition.add')}
          </Button>
          {parts.length > 0 && depth < 3 ? (
            <Button
              variant="quiet"
              size="sm"
              onPress={() => add({ join: 'any', parts: [startComparison(start)] })}
            >
              {t('condition.addGroup')}
            </Button>
          ) : null}
        </div>
      ) : null}
    </div>
  );
}

const asGroup = (node: ConditionNode): GroupNode =>
  isGroup(node) ? node : { join: 'all', parts: [node] };

/** A condition as sentences, with groups where all, one or none of several must hold. */
export function ConditionEditor({
  legend,
  hint,
  condition,
  fields,
  onChange,
  error,
}: {
  legend: string;
  hint: string;
  condition: Condition | undefined;
  /** The questions that it can refer to. */
  fields: readonly FormField[];
  onChange: (condition: Condition | undefined) => void;
  error?: string | undefined;
}) {
  const { t } = useTranslation('designer');
  const text = useConditionText(fields);
  const node = condition ? asGroup(readCondition(condition)) : { join: 'all' as const, parts: [] };
  const isUsable = fields.some((field) => comparisonsOf(field.kind).length > 0);
  return (
    <fieldset className={error ? 'border-s-4 border-red-700 ps-3' : undefined}>
      <legend className="font-semibold text-ink-900">{legend}</legend>
      <div className="flex flex-col gap-3">
        <p className="text-sm text-ink-500">
          {isUsable || condition ? hint : t('condition.nothingBefore')}
        </p>
        {condition ? (
          <p className="rounded-md bg-desert-50 px-3 py-2 text-ink-800">{text.of(condition)}</p>
        ) : null}
        <FieldError id={`${legend}-error`}>{error}</FieldError>
        {isUsable || condition ? (
          <GroupEditor
            node={node}
            fields={fields}
            depth={0}
            onChange={(next) => onChange(writeCondition(next))}
            onRemove={() => onChange(undefined)}
          />
        ) : null}
      </div>
    </fieldset>
  );
}
