import { X } from 'lucide-react';
import { useState } from 'react';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { IconButton } from '#ui/actions/icon-button.tsx';
import { ComboField } from '#ui/forms/combo-field.tsx';
import { DayField } from '#ui/forms/day-field.tsx';
import { FieldsetFrame, useFieldIds } from '#ui/forms/field-frame.tsx';
import { NumberField } from '#ui/forms/number-field.tsx';
import { SelectField, type Choice, type SelectFieldProps } from '#ui/forms/select-field.tsx';
import { nationalities } from '@diwan/contract/forms/answer-values';
import { emirates } from '@diwan/contract/forms/emirates';

const relativeLimit = /^today(?:([+-])(\d{1,5}))?$/;
const limitKinds = ['none', 'today', 'before', 'after', 'day'] as const;
type LimitKind = (typeof limitKinds)[number];

function kindOfLimit(limit: string | undefined): LimitKind {
  if (limit === undefined) return 'none';
  const match = relativeLimit.exec(limit);
  if (!match) return 'day';
  return match[1] === '-' ? 'before' : match[1] === '+' ? 'after' : 'today';
}

const startOfKind: Record<LimitKind, string | undefined> = {
  none: undefined,
  today: 'today',
  before: 'today-30',
  after: 'today+30',
  day: '2026-01-01',
};

/** A limit of dates: none, a day, today, or days before or after today. */
export function DateLimitField({
  label,
  value,
  onChange,
  isRequired,
  error,
}: {
  label: string;
  value: string | undefined;
  onChange: (limit: string | undefined) => void;
  /** There is always a limit. */
  isRequired?: boolean;
  error?: string | undefined;
}) {
  const { t } = useTranslation('designer');
  const kind = kindOfLimit(value);
  const days = Number(relativeLimit.exec(value ?? '')?.[2] ?? 0);
  return (
    <div className="flex flex-col gap-3">
      <SelectField
        label={label}
        error={error}
        value={kind}
        onChange={(chosen) => onChange(startOfKind[chosen as LimitKind])}
        choices={limitKinds
          .filter((each) => each !== 'none' || !isRequired)
          .map((each) => ({ value: each, label: t(`limits.${each}`) }))}
      />
      {kind === 'before' || kind === 'after' ? (
        <NumberField
          label={t('limits.days', { label })}
          value={days}
          onChange={(count) => {
            if (count !== undefined && Number.isInteger(count) && count >= 0 && count <= 99_999)
              onChange(`today${kind === 'before' ? '-' : '+'}${count}`);
          }}
        />
      ) : null}
      {kind === 'day' ? (
        <DayField
          label={t('limits.dayOf', { label })}
          value={value ?? ''}
          onChange={(day) => {
            if (/^\d{4}-\d{2}-\d{2}$/.test(day)) onChange(day);
          }}
        />
      ) : null}
    </div>
  );
}

/** The choices of a list that everybody knows: emirates or nationalities. */
export function useKnownChoices(): { emirates: Choice[]; nationalities: Choice[] } {
  const { t } = useTranslation('forms');
  const { country } = useFormat();
  return {
    emirates: emirates.map((value) => ({ value, label: t(`emirates.${value}`) })),
    nationalities: nationalities.map((value) => ({ value, label: country(value) })),
  };
}

/**
 * A choice from a long list that is never empty: while another one is typed the value stays in the
 * document, and it is shown again when nothing was chosen.
 */
export function PickField({ value, onChange, ...field }: Omit<SelectFieldProps, 'ref'>) {
  const [isTyping, setIsTyping] = useState(false);
  return (
    <ComboField
      {...field}
      value={isTyping ? '' : value}
      onChange={(chosen) => {
        setIsTyping(chosen === '');
        if (chosen !== '' && chosen !== value) onChange(chosen);
      }}
      onBlur={() => setIsTyping(false)}
    />
  );
}

/** Several of many choices: the chosen ones with a button to take each out, and a box to add. */
export function ManyField({
  label,
  value,
  choices,
  onChange,
  error,
}: {
  label: string;
  value: readonly string[];
  choices: readonly Choice[];
  onChange: (value: string[]) => void;
  error?: string | undefined;
}) {
  const { t } = useTranslation('designer');
  const ids = useFieldIds({ error });
  const labelOf = (chosen: string) =>
    choices.find((choice) => choice.value === chosen)?.label ?? chosen;
  return (
    <FieldsetFrame ids={ids} label={label} error={error}>
      <ul className="flex flex-wrap gap-2 empty:hidden">
        {value.map((chosen) => (
          <li
            key={chosen}
            className="flex min-h-11 items-center rounded-md border border-ink-200 bg-desert-50 ps-3"
          >
            <bdi>{labelOf(chosen)}</bdi>
            <IconButton
              label={t('many.remove', { name: labelOf(chosen) })}
              onPress={() => onChange(value.filter((each) => each !== chosen))}
            >
              <X aria-hidden size={16} />
            </IconButton>
          </li>
        ))}
      </ul>
      {/* A new box after each choice: it is empty again. */}
      <ComboField
        key={value.length}
        label={t('many.add')}
        value=""
        onChange={(chosen) => {
          if (chosen !== '' && !value.includes(chosen)) onChange([...value, chosen]);
        }}
        choices={choices.filter((choice) => !value.includes(choice.value))}
      />
    </FieldsetFrame>
  );
}
