import { useForm, useWatch, type Control, type FieldPath, type FieldValues } from 'react-hook-form';
import { useTranslation } from '#lib/i18n/translate.ts';
import { noText } from '#ui/editing/localized-fields.tsx';
import { Checkbox } from '#ui/forms/checkbox.tsx';
import { FormField } from '#ui/forms/form-dialog.tsx';
import { SelectField } from '#ui/forms/select-field.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import {
  dayWorks,
  type AgencyCalendar,
  type Calendar,
  type DayWork,
  type HoursPeriod,
  type WorkHours,
} from '@diwan/contract/calendars/calendars';
import { findCalendarProblems } from '@diwan/contract/calendars/check-calendar';
import { dayAfter } from '@diwan/contract/wire/days';
import {
  CalendarForm,
  ExpectedField,
  NameField,
  RangeFields,
  replaceAt,
  useProblemText,
  type ChangeProps,
} from './calendar-dialogs.tsx';

/** The working hours of whole and half days. */
function HoursFields<Values extends FieldValues>({
  control,
  name,
  isDisabled = false,
}: {
  control: Control<Values>;
  name: string;
  isDisabled?: boolean;
}) {
  const { t } = useTranslation('calendars');
  const errors = useTranslation('errors');
  return (
    <>
      {(['full', 'half'] as const).map((work) => (
        <fieldset key={work} className="grid gap-4 sm:grid-cols-2">
          <legend className="pb-2 font-semibold">{t(`hours.${work}`)}</legend>
          {(['from', 'until'] as const).map((end) => (
            <FormField
              key={end}
              control={control}
              name={`${name}.${work}.${end}` as FieldPath<Values>}
              validate={(time: string, values) => {
                if (isDisabled) return undefined;
                if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(time)) return t('timeMissing');
                const given = name
                  .split('.')
                  .reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], values);
                return end === 'until' && time <= (given as WorkHours)[work].from
                  ? errors.t('validation.endsBeforeBeginning')
                  : undefined;
              }}
            >
              {({ onChange, ...field }) => (
                <TextField
                  {...field}
                  onChange={onChange as (time: string) => void}
                  label={t(`hours.${end}`)}
                  description={t('hours.hint')}
                  inputMode="numeric"
                  dir="ltr"
                  maxLength={5}
                  width="short"
                  isDisabled={isDisabled}
                />
              )}
            </FormField>
          ))}
        </fieldset>
      ))}
    </>
  );
}

/** Adds or changes a period with other hours, such as Ramadan. */
export function PeriodDialog({
  calendar,
  hours,
  index,
  today,
  onChange,
  onClose,
}: ChangeProps & { hours: WorkHours; index: number | undefined; today: string }) {
  const { t } = useTranslation('calendars');
  const textOf = useProblemText();
  const place = index ?? calendar.periods.length;
  const form = useForm<HoursPeriod>({
    defaultValues: calendar.periods[place] ?? {
      from: dayAfter(today, 1),
      until: dayAfter(today, 30),
      name: noText,
      isExpected: false,
      hours,
    },
  });
  const { control } = form;
  const withPeriod = (period: HoursPeriod): AgencyCalendar => ({
    ...calendar,
    periods: replaceAt(calendar.periods, place, period),
  });
  return (
    <CalendarForm
      form={form}
      title={t(index === undefined ? 'addPeriod' : 'editPeriod')}
      onSubmit={(period) => onChange(withPeriod(period))}
      onClose={onClose}
    >
      <RangeFields
        control={control}
        problemOf={(name, values) =>
          textOf(
            findCalendarProblems(withPeriod(values)).find(
              ({ field }) => field === `periods.${place}.${name}`,
            ),
          )
        }
      />
      <NameField control={control} />
      <HoursFields control={control} name="hours" />
      <ExpectedField control={control} />
    </CalendarForm>
  );
}

/** Changes how the weekdays are worked and when; an agency can leave both to the portal. */
export function WeekDialog({
  calendar,
  inherited,
  isPortal,
  weekdays,
  onChange,
  onClose,
}: ChangeProps & { inherited: Calendar; isPortal: boolean; weekdays: readonly string[] }) {
  const { t } = useTranslation('calendars');
  const errors = useTranslation('errors');
  const form = useForm({
    defaultValues: {
      hasOwnWeek: calendar.week !== null,
      week: Object.fromEntries((calendar.week ?? inherited.week).map((work, at) => [at, work])),
      hasOwnHours: calendar.hours !== null,
      hours: calendar.hours ?? inherited.hours,
    },
  });
  const { control } = form;
  const [hasOwnWeek, hasOwnHours] = useWatch({ control, name: ['hasOwnWeek', 'hasOwnHours'] });
  const weekOf = (values: Record<string, DayWork>) => weekdays.map((_, at) => values[at] ?? 'full');
  return (
    <CalendarForm
      form={form}
      title={t('editWeek')}
      onSubmit={(values) =>
        onChange({
          ...calendar,
          week: values.hasOwnWeek ? weekOf(values.week) : null,
          hours: values.hasOwnHours ? values.hours : null,
        })
      }
      onClose={onClose}
    >
      {isPortal ? null : (
        <FormField control={control} name="hasOwnWeek">
          {(field) => <Checkbox {...field} label={t('ownWeek')} />}
        </FormField>
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        {weekdays.map((weekday, at) => (
          <FormField
            key={weekday}
            control={control}
            name={`week.${at}`}
            validate={(_, { week, hasOwnWeek: isOwn }) =>
              at === 0 && isOwn && weekOf(week).every((work) => work === 'off')
                ? errors.t('validation.noWorkingDay')
                : undefined
            }
          >
            {({ value, onChange: choose, ...field }) => (
              <SelectField
                {...field}
                label={weekday}
                value={value ?? 'full'}
                isDisabled={!hasOwnWeek}
                onChange={(work) => choose(work as DayWork)}
                choices={dayWorks.map((work) => ({ value: work, label: t(`looks.${work}`) }))}
              />
            )}
          </FormField>
        ))}
      </div>
      {isPortal ? null : (
        <FormField control={control} name="hasOwnHours">
          {(field) => <Checkbox {...field} label={t('ownHours')} />}
        </FormField>
      )}
      <HoursFields control={control} name="hours" isDisabled={!hasOwnHours} />
    </CalendarForm>
  );
}
