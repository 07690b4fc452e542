import { useId } from 'react';
import { useForm } from 'react-hook-form';
import { orderCategories } from '@diwan/contract/catalogue/categories';
import { ApiError } from '../lib/api/api-error.ts';
import { OrderDialog, OrderedListActions } from '../ui/editing/order-dialog.tsx';
import { ReasonDialog } from '../ui/editing/reason-dialog.tsx';
import { ErrorSummary } from '../ui/forms/error-summary.tsx';
import {
  controlStyle,
  FieldError,
  FieldFrame,
  FieldHint,
  FieldsetFrame,
  OptionalMark,
  useFieldIds,
  type FieldProps,
} from '../ui/forms/field-frame.tsx';
import { FormDialog, FormField } from '../ui/forms/form-dialog.tsx';
import { TextField } from '../ui/forms/text-field.tsx';
import { CloseButton, ignore, Opener, type Examples, type Stories } from './story.tsx';

/** A custom control in the frame of all fields. */
function FramedControl(props: FieldProps) {
  const ids = useFieldIds(props);
  return (
    <FieldFrame {...props} ids={ids}>
      <input
        id={ids.control}
        className={controlStyle}
        aria-describedby={ids.describedBy}
        aria-invalid={props.error ? true : undefined}
      />
    </FieldFrame>
  );
}

function FramedGroup({ texts, error }: { texts: Examples; error?: string }) {
  const ids = useFieldIds({ error });
  return (
    <FieldsetFrame ids={ids} label={texts.group} error={error}>
      <div className="mt-1 flex flex-col gap-4">
        <TextField label={texts.street} value={texts.emirates[0] ?? ''} onChange={ignore} />
        <TextField label={texts.building} value="12" onChange={ignore} width="short" />
      </div>
    </FieldsetFrame>
  );
}

function FieldParts({ texts }: { texts: Examples }) {
  const id = useId();
  return (
    <div>
      <p className="font-semibold">
        {texts.name}
        <OptionalMark />
      </p>
      <FieldHint id={`${id}-hint`}>{texts.nameHint}</FieldHint>
      <FieldError id={`${id}-error`}>{texts.nameError}</FieldError>
    </div>
  );
}

interface EmployeeDialogProps {
  texts: Examples;
  onClose: () => void;
  error?: ApiError;
  isPending?: boolean;
}

function EmployeeDialog({ texts, onClose, error, isPending = false }: EmployeeDialogProps) {
  const form = useForm({ defaultValues: { name: texts.nameValue, phone: '' } });
  return (
    <FormDialog
      form={form}
      title={texts.employeeTitle}
      submitLabel={texts.continue}
      cancelLabel={texts.cancel}
      isPending={isPending}
      otherAction={isPending ? <CloseButton onPress={onClose} /> : undefined}
      error={error ?? null}
      onResetError={ignore}
      onSubmit={ignore}
      onClose={onClose}
    >
      <FormField control={form.control} name="name">
        {(field) => <TextField {...field} label={texts.name} description={texts.nameHint} />}
      </FormField>
      <FormField
        control={form.control}
        name="phone"
        validate={(value) => (value.length < 9 ? texts.phoneError : undefined)}
      >
        {(field) => <TextField {...field} label={texts.phone} type="tel" dir="ltr" />}
      </FormField>
    </FormDialog>
  );
}

const employeeDialog = (
  texts: Examples,
  props: Pick<EmployeeDialogProps, 'error' | 'isPending'> = {},
) => (
  <Opener label={texts.employeeTitle}>
    {(close) => <EmployeeDialog texts={texts} {...props} onClose={close} />}
  </Opener>
);

const reasonDialog = (texts: Examples) => (
  <Opener label={texts.details}>
    {(close) => (
      <ReasonDialog
        title={texts.details}
        submitLabel={texts.continue}
        cancelLabel={texts.cancel}
        subject={<p className="font-semibold">{texts.people[0]}</p>}
        consequences={[texts.cardText, texts.eventText]}
        problem={null}
        reasonLabel={texts.longLabel}
        reasonHint={texts.nameHint}
        reasonRequired={texts.nameError}
        action={{ isPending: false, error: null, reset: ignore }}
        onSubmit={ignore}
        onClose={close}
      />
    )}
  </Opener>
);

const orderDialog = (texts: Examples) => (
  <Opener label={texts.stepsLabel}>
    {(close) => (
      <OrderDialog
        records={texts.steps.map((step, id) => ({
          id,
          name: { 'ar-EG': step, 'en-US': step, 'ur-PK': step },
          isRetired: id === 0,
        }))}
        call={orderCategories}
        reads={[]}
        onClose={close}
      />
    )}
  </Opener>
);

export const formStories: Stories = (texts) => [
  {
    name: 'FormDialog, FormField',
    states: {
      default: employeeDialog(texts),
      pending: employeeDialog(texts, { isPending: true }),
      'error of a field': employeeDialog(texts, {
        error: new ApiError(400, 'ValidationFailed', '', {
          fieldErrors: { phone: [texts.serverError] },
        }),
      }),
      'error of the form': employeeDialog(texts, {
        error: new ApiError(400, 'VerificationCodeWrong', texts.formError),
      }),
    },
  },
  { name: 'ReasonDialog', states: { default: reasonDialog(texts) } },
  { name: 'OrderDialog', states: { default: orderDialog(texts) } },
  {
    name: 'OrderedListActions',
    states: {
      default: (
        <OrderedListActions
          addLabel={texts.submit}
          calls={{ save: { who: 'anyone' }, order: { who: 'anyone' } }}
          count={2}
          onOpen={ignore}
        />
      ),
    },
  },
  {
    name: 'ErrorSummary',
    states: {
      // It takes the focus, so it cannot be on the page from the start.
      'after a failed attempt': (
        <Opener label={texts.submit}>
          {() => (
            <div className="mt-4 flex flex-col gap-4">
              <ErrorSummary
                errors={[
                  { focusId: 'gallery-name', message: texts.nameError },
                  { focusId: 'gallery-phone', message: texts.phoneError },
                ]}
              />
              <TextField
                label={texts.name}
                name="gallery-name"
                error={texts.nameError}
                value=""
                onChange={ignore}
              />
              <TextField
                label={texts.phone}
                name="gallery-phone"
                error={texts.phoneError}
                dir="ltr"
                value=""
                onChange={ignore}
              />
            </div>
          )}
        </Opener>
      ),
    },
  },
  {
    name: 'FieldFrame',
    states: {
      default: <FramedControl label={texts.name} description={texts.nameHint} />,
      invalid: <FramedControl label={texts.name} error={texts.nameError} isOptional />,
    },
  },
  {
    name: 'FieldsetFrame',
    states: {
      default: <FramedGroup texts={texts} />,
      invalid: <FramedGroup texts={texts} error={texts.nameError} />,
    },
  },
  {
    name: 'OptionalMark, FieldHint, FieldError',
    states: { default: <FieldParts texts={texts} /> },
  },
];
