import { useState } from 'react';
import { toLatinDigits } from '#lib/i18n/digits.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { TextField, type TextFieldProps } from './text-field.tsx';

export interface NumberFieldProps extends Omit<
  TextFieldProps,
  'value' | 'onChange' | 'type' | 'inputMode'
> {
  value: number | undefined;
  onChange: (value: number | undefined) => void;
}

function parse(text: string, scale: number): number | undefined {
  const latin = toLatinDigits(text).replace(/[\s,]/g, '');
  if (latin === '') return undefined;
  const value = Number(latin);
  return Number.isNaN(value) ? NaN : scale === 1 ? value : Math.round(value * scale);
}

function ScaledField({ value, onChange, scale, ...rest }: NumberFieldProps & { scale: number }) {
  const [typed, setTyped] = useState('');
  const isTypedCurrent = Object.is(parse(typed, scale), value);
  const shown = isTypedCurrent
    ? typed
    : value === undefined || Number.isNaN(value)
      ? ''
      : String(value / scale);
  return (
    <TextField
      width="short"
      dir="ltr"
      inputMode={scale === 1 ? 'numeric' : 'decimal'}
      {...rest}
      value={shown}
      onChange={(text) => {
        setTyped(text);
        onChange(parse(text, scale));
      }}
    />
  );
}

/**
 * Accepts all three digit sets and grouping commas. Input that is not a number is passed as NaN, so
 * that validation can report it.
 */
export function NumberField(props: NumberFieldProps) {
  return <ScaledField {...props} scale={1} />;
}

/** Typed in dirhams; the value is in fils. */
export function MoneyField(props: NumberFieldProps) {
  const { t } = useTranslation('shell');
  return <ScaledField suffix={t('kit.dirham')} {...props} scale={100} />;
}
