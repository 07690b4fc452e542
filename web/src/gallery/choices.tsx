import { ListBox } from 'react-aria-components';
import type { SpecialData } from '@diwan/contract/forms/forms';
import { useFormat } from '../lib/i18n/format.ts';
import { SpecialDataField } from '../ui/designs/special-data-field.tsx';
import { Checkbox, CheckboxGroup } from '../ui/forms/checkbox.tsx';
import { ChoiceRow } from '../ui/forms/choice-row.tsx';
import { ComboField } from '../ui/forms/combo-field.tsx';
import { ListOption } from '../ui/forms/list-option.tsx';
import { RadioGroup } from '../ui/forms/radio-group.tsx';
import { SelectField, type SelectFieldProps } from '../ui/forms/select-field.tsx';
import { Controlled, ignore, type Stories } from './story.tsx';

type FieldState = Pick<
  SelectFieldProps,
  'label' | 'description' | 'error' | 'isOptional' | 'isDisabled' | 'width'
>;

const choicesOf = (labels: readonly string[], hints: readonly string[] = []) =>
  labels.map((label, index) => ({ value: String(index), label, hint: hints[index] }));

const selectField = (labels: readonly string[], props: FieldState, initial = '') => (
  <Controlled initial={initial}>
    {(field) => <SelectField {...props} {...field} choices={choicesOf(labels)} />}
  </Controlled>
);

const specialDataField = (initial: SpecialData | undefined) => (
  <Controlled initial={initial}>{(field) => <SpecialDataField {...field} />}</Controlled>
);

const countries = (
  'AE AF AL AR AU AZ BA BD BE BG BH BR CA CH CI CN CZ DE DK DZ EG ES ET FI FR GB GE GH GR HU ID ' +
  'IE IN IQ IR IT JO JP KE KR KW KZ LB LK LY MA MY NG NL NO NP NZ OM PE PH PK PL PT QA RO RU SA ' +
  'SD SE SG SO SY TH TN TR TZ UA UG US UZ VN YE ZA'
).split(' ');

function CountryField({ initial = '', ...props }: FieldState & { initial?: string }) {
  const { country } = useFormat();
  const choices = countries.map((code) => ({ value: code, label: country(code) }));
  return (
    <Controlled initial={initial}>
      {(field) => <ComboField {...props} {...field} choices={choices} />}
    </Controlled>
  );
}

interface CheckboxState {
  label: string;
  hint?: string;
  error?: string;
  isDisabled?: boolean;
  isPlain?: boolean;
}

const checkbox = (props: CheckboxState, initial = false) => (
  <Controlled initial={initial}>{(field) => <Checkbox {...props} {...field} />}</Controlled>
);

export const choiceStories: Stories = (texts) => {
  const emirate = { label: texts.emirate };
  const channels = { label: texts.channels };
  const channelChoices = choicesOf(texts.channelNames);
  const channelChoicesWithHints = choicesOf(texts.channelNames, texts.channelHints);
  const delivery = { label: texts.delivery };
  const deliveryChoices = choicesOf(texts.deliveryNames);
  return [
    {
      name: 'SelectField',
      states: {
        empty: selectField(texts.emirates, emirate),
        'with hint': selectField(texts.emirates, { ...emirate, description: texts.emirateHint }),
        selected: selectField(texts.emirates, emirate, '1'),
        optional: selectField(texts.emirates, { ...emirate, isOptional: true }),
        invalid: selectField(texts.emirates, { ...emirate, error: texts.emirateError }),
        disabled: selectField(texts.emirates, { ...emirate, isDisabled: true }, '1'),
        'medium width': selectField(texts.emirates, { ...emirate, width: 'medium' }, '1'),
        'long choice': selectField(texts.services, { label: texts.columns.service }, '2'),
      },
    },
    {
      name: 'SpecialDataField',
      states: {
        none: specialDataField(undefined),
        health: specialDataField('health'),
      },
    },
    {
      name: 'ComboField',
      states: {
        empty: <CountryField label={texts.nationality} />,
        selected: <CountryField label={texts.nationality} initial="PK" />,
        invalid: <CountryField label={texts.nationality} error={texts.nationalityError} />,
        disabled: <CountryField label={texts.nationality} initial="AE" isDisabled />,
      },
    },
    {
      name: 'ListOption',
      states: {
        'in an open list': (
          <ListBox
            aria-label={texts.emirate}
            selectionMode="single"
            defaultSelectedKeys={['1']}
            className="rounded-md border border-ink-200 bg-white p-1 shadow-soft"
          >
            {texts.emirates.map((name, index) => (
              <ListOption key={name} id={String(index)} textValue={name} />
            ))}
          </ListBox>
        ),
      },
    },
    {
      name: 'Checkbox',
      states: {
        default: checkbox({ label: texts.agree }),
        selected: checkbox({ label: texts.agree }, true),
        'with hint': checkbox({ label: texts.agree, hint: texts.agreeHint }),
        invalid: checkbox({ label: texts.agree, error: texts.agreeError }),
        disabled: checkbox({ label: texts.agree, isDisabled: true }),
        'selected and disabled': checkbox({ label: texts.agree, isDisabled: true }, true),
        plain: checkbox({ label: texts.agree, isPlain: true }),
        'long label': checkbox({ label: texts.longLabel, hint: texts.agreeHint }),
      },
    },
    {
      name: 'CheckboxGroup',
      states: {
        default: (
          <Controlled initial={['0']}>
            {(field) => (
              <CheckboxGroup
                {...channels}
                {...field}
                description={texts.channelsHint}
                choices={channelChoicesWithHints}
              />
            )}
          </Controlled>
        ),
        invalid: (
          <Controlled initial={[] as string[]}>
            {(field) => (
              <CheckboxGroup
                {...channels}
                {...field}
                error={texts.channelsError}
                choices={channelChoices}
              />
            )}
          </Controlled>
        ),
        disabled: (
          <CheckboxGroup
            {...channels}
            value={['1']}
            onChange={ignore}
            isOptional
            isDisabled
            choices={channelChoices}
          />
        ),
      },
    },
    {
      name: 'RadioGroup',
      states: {
        default: (
          <Controlled initial="">
            {(field) => (
              <RadioGroup
                {...delivery}
                {...field}
                choices={choicesOf(texts.deliveryNames, texts.deliveryHints)}
              />
            )}
          </Controlled>
        ),
        inline: (
          <Controlled initial="0">
            {(field) => <RadioGroup {...delivery} {...field} isInline choices={deliveryChoices} />}
          </Controlled>
        ),
        invalid: (
          <Controlled initial="">
            {(field) => (
              <RadioGroup
                {...delivery}
                {...field}
                error={texts.channelsError}
                choices={deliveryChoices}
              />
            )}
          </Controlled>
        ),
        disabled: (
          <RadioGroup
            {...delivery}
            value="0"
            onChange={ignore}
            isDisabled
            choices={deliveryChoices}
          />
        ),
      },
    },
    {
      name: 'ChoiceRow',
      states: {
        radio: (
          <Controlled initial={false}>
            {({ value, onChange }) => (
              <ChoiceRow
                type="radio"
                name="gallery-choice"
                isChecked={value}
                onChange={(event) => onChange(event.target.checked)}
                label={texts.deliveryNames[0]}
                hint={texts.deliveryHints[0]}
              />
            )}
          </Controlled>
        ),
        'plain checkbox': (
          <Controlled<boolean> initial>
            {({ value, onChange }) => (
              <ChoiceRow
                type="checkbox"
                name="gallery-plain-choice"
                isPlain
                isChecked={value}
                onChange={(event) => onChange(event.target.checked)}
                label={texts.channelNames[0]}
              />
            )}
          </Controlled>
        ),
      },
    },
  ];
};
