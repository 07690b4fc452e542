import { useEffect, useState, type ReactNode } from 'react';
import { useForm, type Control, type FieldPath, type FieldValues } from 'react-hook-form';
import { useAction } from '#lib/api/use-call.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { noText } from '#ui/editing/localized-fields.tsx';
import { LocalizedFormField } from '#ui/editing/localized-form-field.tsx';
import { ErrorAlert } from '#ui/feedback/alert.tsx';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { Checkbox } from '#ui/forms/checkbox.tsx';
import { DayField } from '#ui/forms/day-field.tsx';
import { FormDialog, FormField, type FormDialogProps } from '#ui/forms/form-dialog.tsx';
import { SelectField } from '#ui/forms/select-field.tsx';
import {
  previewCalendar,
  saveCalendar,
  type DeclaredCalendar,
} from '@diwan/contract/calendars/calendar-calls';
import {
  maximumDayName,
  specialDayKinds,
  type AgencyCalendar,
  type SpecialDay,
} from '@diwan/contract/calendars/calendars';
import {
  findCalendarProblems,
  type CalendarProblem,
} from '@diwan/contract/calendars/check-calendar';
import { dayAfter, isRealDay } from '@diwan/contract/wire/days';
import type { LocalizedText } from '@diwan/contract/wire/languages';

/** The text of a problem of a calendar; days as people read them. */
export function useProblemText(): (problem: CalendarProblem | undefined) => string | undefined {
  const { t } = useTranslation('errors');
  const { date } = useFormat();
  return (problem) =>
    problem &&
    t(
      `validation.${problem.code}`,
      Object.fromEntries(
        Object.entries(problem.params ?? {}).map(([name, day]) => [name, date(day)]),
      ),
    );
}

/** What a list of a calendar becomes with another entry at a place; without one it is removed. */
export const replaceAt = <Entry,>(
  entries: readonly Entry[],
  index: number,
  ...entry: Entry[]
): Entry[] => [...entries.slice(0, index), ...entry, ...entries.slice(index + 1)];

export interface ChangeProps {
  calendar: AgencyCalendar;
  /** Called with the calendar as it would be. */
  onChange: (next: AgencyCalendar) => void;
  onClose: () => void;
}

interface RangeForm {
  from: string;
  until: string;
}

/** The first and the last day of an entry, with what is wrong with it in the calendar. */
export function RangeFields<Values extends FieldValues & RangeForm>({
  control,
  problemOf,
}: {
  control: Control<Values>;
  problemOf: (field: string, values: Values) => string | undefined;
}) {
  const { t } = useTranslation('calendars');
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {(['from', 'until'] as const).map((name) => (
        <FormField
          key={name}
          control={control}
          name={name as FieldPath<Values>}
          validate={(day: string, values) =>
            isRealDay(day) ? problemOf(name, values) : t('dayMissing')
          }
        >
          {({ onChange, ...field }) => (
            <DayField
              {...field}
              onChange={onChange as (day: string) => void}
              label={t(name)}
              isRequired
            />
          )}
        </FormField>
      ))}
    </div>
  );
}

/** A dialog that changes a calendar in the browser; `ConfirmChange` saves it afterwards. */
export function CalendarForm<Values extends FieldValues>(
  props: Pick<FormDialogProps<Values>, 'form' | 'title' | 'onSubmit' | 'onClose' | 'children'>,
) {
  const { t } = useTranslation('calendars');
  return (
    <FormDialog
      {...props}
      kind="wide"
      submitLabel={t('continue')}
      cancelLabel={t('cancel')}
      isPending={false}
      error={null}
      submitsOnEnter={false}
      onResetError={() => undefined}
    />
  );
}

interface EntryForm extends RangeForm {
  name: LocalizedText;
  isExpected: boolean;
}

/** The name of an entry in three languages. */
export function NameField<Values extends FieldValues & EntryForm>({
  control,
}: {
  control: Control<Values>;
}) {
  const { t } = useTranslation('calendars');
  return (
    <LocalizedFormField
      control={control}
      name={'name' as FieldPath<Values>}
      legend={t('name')}
      maxLength={maximumDayName}
      error={null}
    />
  );
}

/** Whether the days of an entry are expected only. */
export function ExpectedField<Values extends FieldValues & EntryForm>({
  control,
}: {
  control: Control<Values>;
}) {
  const { t } = useTranslation('calendars');
  return (
    <FormField control={control} name={'isExpected' as FieldPath<Values>}>
      {({ value, onChange, ...field }) => (
        <Checkbox
          {...field}
          value={value as boolean}
          onChange={onChange as (isExpected: boolean) => void}
          label={t('isExpected')}
          hint={t('isExpectedHint')}
        />
      )}
    </FormField>
  );
}

const anyDayForm = (day: SpecialDay | undefined, today: string): SpecialDay =>
  day ?? {
    from: dayAfter(today, 1),
    until: dayAfter(today, 1),
    kind: 'holiday',
    name: noText,
    isExpected: false,
  };

/** Adds or changes a special day. */
export function DayDialog({
  calendar,
  index,
  today,
  onChange,
  onClose,
}: ChangeProps & { index: number | undefined; today: string }) {
  const { t } = useTranslation('calendars');
  const textOf = useProblemText();
  const place = index ?? calendar.days.length;
  const form = useForm({ defaultValues: anyDayForm(calendar.days[place], today) });
  const { control } = form;
  const withDay = (day: SpecialDay): AgencyCalendar => ({
    ...calendar,
    days: replaceAt(calendar.days, place, day),
  });
  const problemOf = (name: string, values: SpecialDay) =>
    textOf(
      findCalendarProblems(withDay(values)).find(({ field, code, params }) =>
        // The entry that begins later has the problem, whichever of them is edited.
        code === 'daysOverlap' && name === 'from'
          ? field === `days.${place}.from` || params?.from === values.from
          : field === `days.${place}.${name}`,
      ),
    );
  return (
    <CalendarForm
      form={form}
      title={t(index === undefined ? 'addDay' : 'editDay')}
      onSubmit={(day) => onChange(withDay(day))}
      onClose={onClose}
    >
      <RangeFields control={control} problemOf={problemOf} />
      <FormField control={control} name="kind">
        {({ value, onChange: choose, ...field }) => (
          <SelectField
            {...field}
            label={t('kind')}
            value={value}
            onChange={(kind) => choose(kind as SpecialDay['kind'])}
            choices={specialDayKinds.map((kind) => ({ value: kind, label: t(`kinds.${kind}`) }))}
          />
        )}
      </FormField>
      <NameField control={control} />
      <ExpectedField control={control} />
    </CalendarForm>
  );
}

function Moved({ label, value }: { label: string; value: string }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-4">
      <dt>{label}</dt>
      <dd className="font-semibold">{value}</dd>
    </div>
  );
}

/** Says what a change moves, and saves it when it is confirmed. */
export function ConfirmChange({
  declared: { agencyId, version },
  next,
  children,
  onSaved,
  onClose,
}: {
  declared: DeclaredCalendar;
  next: AgencyCalendar;
  /** What changes, in a sentence. */
  children: ReactNode;
  onSaved: () => void;
  onClose: () => void;
}) {
  const { t } = useTranslation('calendars');
  const { language } = useLanguage();
  const { count, date } = useFormat();
  const preview = useAction(previewCalendar, { skipErrorHandling: true });
  const save = useAction(saveCalendar, { skipErrorHandling: true, onSuccess: onSaved });
  const [body] = useState({ agencyId, version, calendar: next });
  const { mutate } = preview;
  useEffect(() => mutate({ body }), [mutate, body]);
  const { data } = preview;
  const moves = data ? data.later + data.earlier : 0;
  return (
    <ConfirmDialog
      title={t('confirm.title')}
      confirmLabel={t('confirm.save')}
      cancelLabel={t('cancel')}
      isPending={save.isPending}
      isDisabled={!data}
      onConfirm={() => save.mutate({ body })}
      onClose={onClose}
    >
      <div className="flex flex-col gap-4">
        <ErrorAlert error={save.error ?? preview.error} />
        <p>{children}</p>
        {!data && !preview.error ? <SkeletonRows count={2} /> : null}
        {data ? (
          <div aria-live="polite" lang={language} className="flex flex-col gap-3">
            <p className="font-semibold">
              {t(data.isAtLeast ? 'confirm.movesAtLeast' : 'confirm.moves', { count: moves })}
            </p>
            {moves > 0 ? (
              <>
                <dl>
                  <Moved label={t('confirm.later')} value={count(data.later)} />
                  <Moved label={t('confirm.earlier')} value={count(data.earlier)} />
                </dl>
                <ul className="text-sm text-ink-600">
                  {data.examples.map(({ requestNumber, from, to }) => (
                    <li key={requestNumber}>
                      <bdi dir="ltr">{requestNumber}</bdi>{' '}
                      <span>{t('confirm.fromTo', { from: date(from), to: date(to) })}</span>
                    </li>
                  ))}
                </ul>
                <p className="text-sm text-ink-600">{t('confirm.note')}</p>
              </>
            ) : null}
          </div>
        ) : null}
      </div>
    </ConfirmDialog>
  );
}
