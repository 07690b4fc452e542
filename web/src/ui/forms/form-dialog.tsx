import {
  createContext,
  use,
  useEffect,
  useEffectEvent,
  useId,
  useState,
  type ReactNode,
} from 'react';
import {
  useController,
  type Control,
  type FieldPath,
  type FieldPathValue,
  type FieldValues,
  type UseFormReturn,
} from 'react-hook-form';
import type { ApiError } from '#lib/api/api-error.ts';
import { messageOf } from '#lib/api/handle-error.ts';
import { focusOn } from '#lib/browser/focus-on.ts';
import { ErrorAlert } from '../feedback/alert.tsx';
import { ConfirmDialog, type ConfirmDialogProps } from '../feedback/confirm-dialog.tsx';

interface ServerErrors {
  /** Messages of the last reply by field name. */
  messages: Readonly<Record<string, string>>;
  /** Called by a field with its name when its value changes. */
  onChange: (name: string) => void;
}

const serverErrors = createContext<ServerErrors>({ messages: {}, onChange: () => undefined });

export interface FormDialogProps<Values extends FieldValues> extends Omit<
  ConfirmDialogProps,
  'confirmLabel' | 'formId' | 'onConfirm'
> {
  form: UseFormReturn<Values>;
  submitLabel: string;
  /** The error of the last submission. */
  error: ApiError | null;
  /** The field that shows an error; other errors without field messages are shown in an alert. */
  fieldOfError?: (error: ApiError) => FieldPath<Values> | undefined;
  errorTitle?: string;
  /** Where the alert is; above the fields when not given. */
  errorPosition?: 'top' | 'bottom' | 'none';
  /** Called with each change of a field after an error, such as `mutation.reset`. */
  onResetError: () => void;
  /** False where Enter in a field must not submit. */
  submitsOnEnter?: boolean;
  /** True for a form with `reValidateMode: 'onSubmit'`: a change removes the error of its field. */
  clearsErrorsOnChange?: boolean;
  /** Called with valid values, and never while pending. */
  onSubmit: (values: Values) => void;
}

/**
 * A dialog with a form of react-hook-form; its fields are `FormField`s. A submission with invalid
 * fields focuses the first of them, and Ctrl-Enter submits. The input is discarded when the dialog
 * is unmounted.
 */
export function FormDialog<Values extends FieldValues>({
  form,
  submitLabel,
  error,
  fieldOfError,
  errorTitle,
  errorPosition = 'top',
  onResetError,
  submitsOnEnter = true,
  clearsErrorsOnChange,
  onSubmit,
  children,
  ...dialog
}: FormDialogProps<Values>) {
  const id = useId();
  const messages = messagesOf(error, fieldOfError, form.getValues());
  const isAtField = Object.keys(messages).length > 0;
  const alert =
    isAtField || errorPosition === 'none' ? null : <ErrorAlert error={error} title={errorTitle} />;
  const submit = () =>
    void form.handleSubmit((values) => {
      if (!dialog.isPending) onSubmit(values);
    })();
  useCommandEnter(() => {
    if (!dialog.isDisabled) submit();
  });
  const onChange = (name: string) => {
    if (error) onResetError();
    if (clearsErrorsOnChange) form.clearErrors(name as FieldPath<Values>);
  };
  const content = (
    <serverErrors.Provider value={{ messages, onChange }}>
      {errorPosition === 'top' ? alert : null}
      {children}
      {errorPosition === 'bottom' ? alert : null}
    </serverErrors.Provider>
  );
  if (!submitsOnEnter)
    return (
      <ConfirmDialog {...dialog} confirmLabel={submitLabel} onConfirm={submit}>
        <div className="flex flex-col gap-6">{content}</div>
      </ConfirmDialog>
    );
  return (
    <ConfirmDialog {...dialog} confirmLabel={submitLabel} formId={id}>
      <form
        id={id}
        noValidate
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {content}
      </form>
    </ConfirmDialog>
  );
}

/** Calls `onPress` when Enter is pressed with Ctrl, or with Command on a Mac, anywhere on the page. */
function useCommandEnter(onPress: () => void): void {
  const press = useEffectEvent(onPress);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return;
      // A focused button would act as well.
      event.preventDefault();
      event.stopPropagation();
      press();
    };
    window.addEventListener('keydown', onKeyDown, true);
    return () => window.removeEventListener('keydown', onKeyDown, true);
  }, []);
}

/** Messages by the fields of the form that show them. */
function messagesOf(
  error: ApiError | null,
  fieldOfError: ((error: ApiError) => string | undefined) | undefined,
  values: object,
): Record<string, string> {
  if (!error) return {};
  const field = fieldOfError?.(error);
  if (field !== undefined) return { [field]: messageOf(error) };
  return Object.fromEntries(
    Object.entries(error.fieldErrors)
      .filter(([name]) => Object.hasOwn(values, name))
      .map(([name, texts]) => [name, texts.join(' ')]),
  );
}

/** The props that `FormField` passes to a field of `ui/forms`. */
interface FieldBinding<Value> {
  name: string;
  value: Value;
  onChange: (value: Value) => void;
  onBlur: () => void;
  error: string | undefined;
}

interface FormFieldProps<Values extends FieldValues, Name extends FieldPath<Values>> {
  control: Control<Values>;
  name: Name;
  /** Returns the error message of an invalid value. */
  validate?: (value: FieldPathValue<Values, Name>, values: Values) => string | undefined;
  /** The focus id of the field; its name when not given. */
  focusId?: string;
  children: (field: FieldBinding<FieldPathValue<Values, Name>>) => ReactNode;
}

/**
 * Connects a field of `ui/forms` to the form. An error of the last submission disappears when the
 * value becomes valid, or at any change with `clearsErrorsOnChange`.
 */
export function FormField<Values extends FieldValues, Name extends FieldPath<Values>>({
  control,
  name,
  validate,
  focusId = name,
  children,
}: FormFieldProps<Values, Name>) {
  const server = use(serverErrors);
  const { field, fieldState } = useController({
    control,
    name,
    rules: { validate: (value, values) => validate?.(value, values as Values) },
  });
  // react-hook-form gives the value that the form began with for undefined, as an emptied number is.
  const [isEmptied, setIsEmptied] = useState(false);
  // The form focuses its first invalid field by this reference.
  const { ref } = field;
  useEffect(() => ref({ focus: () => focusOn(focusId) }), [ref, focusId]);
  return children({
    name,
    value: isEmptied && fieldState.isDirty ? (undefined as typeof field.value) : field.value,
    onBlur: field.onBlur,
    onChange: (value) => {
      setIsEmptied(value === undefined);
      field.onChange(value);
      server.onChange(name);
    },
    error: fieldState.error?.message ?? server.messages[name],
  });
}
