import { useState } from 'react';
import type { FieldKind } from '@diwan/contract/forms/forms';
import { TextField, type TextFieldProps } from '../../../ui/forms/text-field.tsx';
import { groupedCode } from './form-fields-codes.ts';

interface CodeFieldProps extends TextFieldProps {
  kind: FieldKind;
  /** The code as it will be kept, when what was typed is a good one. */
  cleaned: unknown;
}

/**
 * Kinds with a form of their own: what is kept is that form, what is seen is grouped for reading;
 * while somebody types, nothing moves under their hands.
 */
const forms: Partial<Record<FieldKind, Partial<TextFieldProps>>> = {
  emiratesId: { inputMode: 'numeric', width: 'medium' },
  mobile: { type: 'tel', inputMode: 'tel', width: 'medium' },
  iban: {},
  trn: { inputMode: 'numeric', width: 'medium' },
  email: { type: 'email', inputMode: 'email' },
};

export const isCode = (kind: FieldKind): boolean => kind in forms;

export function CodeField({ kind, cleaned, value, onChange, onBlur, ...field }: CodeFieldProps) {
  const [typed, setTyped] = useState<string>();
  return (
    <TextField
      dir="ltr"
      {...field}
      {...forms[kind]}
      value={typed === value ? typed : groupedCode(kind, value)}
      onChange={(text) => {
        setTyped(text);
        onChange(text);
      }}
      onBlur={() => {
        setTyped(undefined);
        if (typeof cleaned === 'string' && cleaned !== value) onChange(cleaned);
        onBlur?.();
      }}
    />
  );
}
