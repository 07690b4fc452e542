import { TextField, type TextFieldProps } from './text-field.tsx';

/** A day as `2026-01-31`. The browser's own picker: every phone has one that its owner knows. */
export function DateField(props: Omit<TextFieldProps, 'type' | 'inputMode' | 'dir' | 'prefix' | 'suffix'>) {
  return <TextField width="short" {...props} type="date" />;
}
