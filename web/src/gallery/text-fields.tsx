import { DayField } from '../ui/forms/day-field.tsx';
import { findMissingMessages, MessageFields, type Messages } from '../ui/forms/message-fields.tsx';
import { MoneyField, NumberField, type NumberFieldProps } from '../ui/forms/number-field.tsx';
import { PasswordField } from '../ui/forms/password-field.tsx';
import { TextAreaField, type TextAreaFieldProps } from '../ui/forms/text-area-field.tsx';
import { TextField, type TextFieldProps } from '../ui/forms/text-field.tsx';
import examples from './examples.json';
import { Controlled, type Stories } from './story.tsx';

type PropsOf<Props> = Partial<Props> & { label: string };

const textField = (props: PropsOf<TextFieldProps>) => (
  <Controlled initial={props.value ?? ''}>
    {(field) => <TextField {...props} {...field} />}
  </Controlled>
);

const textArea = (props: PropsOf<TextAreaFieldProps>) => (
  <Controlled initial={props.value ?? ''}>
    {(field) => <TextAreaField {...props} {...field} />}
  </Controlled>
);

const numberField = (props: PropsOf<NumberFieldProps>) => (
  <Controlled initial={props.value}>{(field) => <NumberField {...props} {...field} />}</Controlled>
);

const moneyField = (props: PropsOf<NumberFieldProps>) => (
  <Controlled initial={props.value}>{(field) => <MoneyField {...props} {...field} />}</Controlled>
);

interface PasswordProps {
  label: string;
  value?: string;
  description?: string;
  error?: string;
  isDisabled?: boolean;
}

const passwordField = ({ value = '', ...props }: PasswordProps) => (
  <Controlled initial={value}>
    {(field) => <PasswordField {...props} {...field} autoComplete="new-password" />}
  </Controlled>
);

const dayField = (props: {
  label: string;
  value?: string;
  error?: string;
  isRequired?: boolean;
}) => (
  <Controlled initial={props.value ?? ''}>
    {(field) => <DayField {...props} {...field} />}
  </Controlled>
);

const noMessages: Messages = { messageAr: '', messageEn: '', messageUr: '' };
const messages: Messages = {
  messageAr: examples['ar-EG'].eventText,
  messageEn: examples['en-US'].eventText,
  messageUr: examples['ur-PK'].eventText,
};

const messageFields = (prefix: string, initial: Messages, isOptional = false) => (
  <Controlled initial={initial}>
    {(field) => (
      <MessageFields
        {...field}
        prefix={prefix}
        isOptional={isOptional}
        missing={isOptional ? [] : findMissingMessages(field.value, true)}
      />
    )}
  </Controlled>
);

export const textFieldStories: Stories = (texts) => [
  {
    name: 'TextField',
    states: {
      empty: textField({ label: texts.name }),
      'with hint': textField({ label: texts.name, description: texts.nameHint }),
      filled: textField({ label: texts.name, value: texts.nameValue }),
      optional: textField({ label: texts.website, isOptional: true }),
      invalid: textField({
        label: texts.name,
        description: texts.nameHint,
        error: texts.nameError,
        value: texts.nameValue.slice(0, 1),
      }),
      disabled: textField({ label: texts.name, value: texts.nameValue, isDisabled: true }),
      'left to right': textField({
        label: texts.email,
        type: 'email',
        dir: 'ltr',
        value: 'salem@diwan.example',
      }),
      'with prefix': textField({
        label: texts.phone,
        description: texts.phoneHint,
        type: 'tel',
        dir: 'ltr',
        prefix: <span dir="ltr">+971</span>,
        value: '50 123 4567',
      }),
      'with prefix and suffix': textField({
        label: texts.website,
        dir: 'ltr',
        prefix: <span dir="ltr">https://</span>,
        suffix: <span dir="ltr">.ae</span>,
        value: 'al-noor',
      }),
      'medium width': textField({ label: texts.name, width: 'medium' }),
      'short width': textField({ label: texts.building, width: 'short', value: '12' }),
      'hidden label': textField({
        label: texts.keyword,
        isLabelHidden: true,
        placeholder: texts.searchPlaceholder,
      }),
      'long label': textField({
        label: texts.longLabel,
        description: texts.nameHint,
        isOptional: true,
      }),
    },
  },
  {
    name: 'TextAreaField',
    states: {
      empty: textArea({ label: texts.details, description: texts.detailsHint }),
      filled: textArea({ label: texts.details, value: texts.detailsValue }),
      'near the limit': textArea({
        label: texts.details,
        value: texts.detailsValue,
        maxLength: texts.detailsValue.length + 12,
      }),
      invalid: textArea({
        label: texts.details,
        error: texts.detailsError,
        value: texts.keyword,
      }),
      disabled: textArea({ label: texts.details, value: texts.detailsValue, isDisabled: true }),
      optional: textArea({ label: texts.details, isOptional: true, rows: 2 }),
    },
  },
  {
    name: 'NumberField',
    states: {
      empty: numberField({ label: texts.employees }),
      filled: numberField({ label: texts.employees, value: 24 }),
      invalid: numberField({ label: texts.employees, value: 900, error: texts.employeesError }),
      disabled: numberField({ label: texts.employees, value: 24, isDisabled: true }),
    },
  },
  {
    name: 'MoneyField',
    states: {
      empty: moneyField({ label: texts.amount }),
      filled: moneyField({ label: texts.amount, value: 25_000_050 }),
      invalid: moneyField({ label: texts.amount, error: texts.amountError }),
      disabled: moneyField({ label: texts.amount, value: 25_000_000, isDisabled: true }),
    },
  },
  {
    name: 'PasswordField',
    states: {
      empty: passwordField({ label: texts.password, description: texts.passwordHint }),
      filled: passwordField({ label: texts.password, value: 'a long example' }),
      invalid: passwordField({ label: texts.password, value: 'abc', error: texts.passwordError }),
      disabled: passwordField({ label: texts.password, isDisabled: true }),
    },
  },
  {
    name: 'DayField',
    states: {
      empty: dayField({ label: texts.birthDate }),
      required: dayField({ label: texts.birthDate, isRequired: true }),
      filled: dayField({ label: texts.birthDate, value: '1990-03-21' }),
      invalid: dayField({ label: texts.birthDate, value: '2090-03-21', error: texts.dateError }),
      'not a day': dayField({ label: texts.birthDate, value: '31/02' }),
    },
  },
  {
    name: 'MessageFields',
    isWide: true,
    states: {
      filled: messageFields('filled', messages),
      optional: messageFields('optional', noMessages, true),
      invalid: messageFields('invalid', { ...messages, messageUr: '' }),
    },
  },
];
