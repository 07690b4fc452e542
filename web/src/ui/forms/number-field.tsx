import { useState } from 'react';
import { useTranslation } from '#lib/i18n/translate.ts';
import { readTypedAmount, readTypedNumber } from '@diwan/contract/wire/typed-number';
import { TextField, type TextFieldProps } from './text-field.tsx';

export interface NumberFieldProps extends Omit<
  TextFieldProps,
  'value' | 'onChange' | 'type' | 'inputMode'
> {
  value: number | undefined;
  /** The text that was typed for a value that is NaN, where a draft keeps it. */
  unclearText?: string | undefined;
  onChange: (value: number | undefined, text: string) => void;
}

const read = (text: string, scale: number) =>
  scale === 1 ? readTypedNumber(text) : readTypedAmount(text);

const wholeAmount = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const amountWithFils = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2 });

/** A value as somebody would type it: an amount with commas. A number may be a year and has none. */
function typeOut(value: number | undefined, scale: number): string {
  if (value === undefined || Number.isNaN(value)) return '';
  if (scale === 1) return String(value);
  return (value % scale === 0 ? wholeAmount : amountWithFils).format(value / scale);
}

function ScaledField({
  value,
  unclearText,
  onChange,
  scale,
  unclear,
  error,
  onBlur,
  ...rest
}: NumberFieldProps & { scale: number; unclear: string }) {
  /** What was typed, and the value then: a form may ignore what is no number. */
  const [ownTyped, setTyped] = useState<{ text: string; before: number | undefined }>();
  const typed = unclearText === undefined ? ownTyped : { text: unclearText, before: value };
  const [isTyping, setIsTyping] = useState(false);
  const parsed = read(typed?.text ?? '', scale);
  const isUnclear =
    Number.isNaN(parsed) && (Number.isNaN(value) || Object.is(value, typed?.before));
  const shown =
    typed && (isUnclear || Object.is(parsed, value)) ? typed.text : typeOut(value, scale);
  return (
    <TextField
      width="short"
      dir="ltr"
      inputMode={scale === 1 ? 'numeric' : 'decimal'}
      {...rest}
      error={error ?? (isUnclear && !isTyping ? unclear : undefined)}
      onBlur={() => {
        setIsTyping(false);
        // What was typed looks as it will when it is stored and opened again.
        if (!isUnclear) setTyped(undefined);
        onBlur?.();
      }}
      value={shown}
      onChange={(text) => {
        setTyped({ text, before: value });
        setIsTyping(true);
        onChange(read(text, scale), text);
      }}
    />
  );
}

/**
 * Accepts all three digit sets and commas between thousands. What is no clear number is said at the
 * field and passed as NaN, so that validation can report it, with the text for a draft.
 */
export function NumberField(props: NumberFieldProps) {
  const { t } = useTranslation('shell');
  return <ScaledField {...props} scale={1} unclear={t('kit.numberUnclear')} />;
}

/** Typed in dirhams; the value is in fils. */
export function MoneyField(props: NumberFieldProps) {
  const { t } = useTranslation('shell');
  return (
    <ScaledField suffix={t('kit.dirham')} {...props} scale={100} unclear={t('kit.amountUnclear')} />
  );
}
