import { useTranslation } from 'react-i18next';
import type { RequestRecord } from '@diwan/contract/requests/requests';
import type { ShownMark } from '@diwan/contract/requests/return-marks';
import type { DocumentUploads as Uploads } from '../documents/document-uploads-state.ts';
import { DocumentUploads } from '../documents/document-uploads.tsx';
import type { AnswersForm, FormStep } from '../form-fields/form-fields-form.ts';
import { FormFields } from '../form-fields/form-fields.tsx';
import { MendMark } from './mend-mark.tsx';
import { fieldsBroughtUp, isOnAnswer, nameOfMark } from './mend-marks.ts';

interface MendMarkedProps {
  record: RequestRecord;
  marks: readonly ShownMark[];
  answersForm: AnswersForm;
  uploads: Uploads;
  documentErrors: Readonly<Record<string, string | undefined>>;
  explanations: Readonly<Record<string, string>>;
  onExplain: (key: string, text: string) => void;
  left: readonly string[];
  /** Everything else is open below: nothing has to be brought up. */
  isRestOpen: boolean;
}

/** A step with these of its fields alone, without the headings between them. */
const withFields = (step: FormStep, names: readonly string[]): FormStep => ({
  ...step,
  sections: undefined,
  fields: step.fields.filter((field) => names.includes(field.name)),
});

/** What is marked, one after the other in the order of the form, and what a change brings up. */
export function MendMarked({
  record,
  marks,
  answersForm,
  uploads,
  documentErrors,
  isRestOpen,
  ...explaining
}: MendMarkedProps) {
  const { t } = useTranslation('returns');
  const { form, attachmentRules, attachments } = record;
  const marksOn = (kind: 'answers' | 'attachments', name: string) =>
    marks.filter((mark) => isOnAnswer(mark) === (kind === 'answers') && nameOfMark(mark) === name);
  const fileNameOf = (attachmentId: string) =>
    attachments.find((each) => each.attachmentId === attachmentId)?.fileName;
  const isWrong = (name: string) =>
    answersForm.wrongNames.includes(name) ||
    [...answersForm.issues.keys()].some((each) => each === name || each.startsWith(`${name}.`));
  const broughtUp = isRestOpen
    ? []
    : fieldsBroughtUp(form, record.answers, answersForm.values, isWrong).filter(
        (name) => marksOn('answers', name).length === 0,
      );
  const steps = form.steps
    .map((step) => withFields(step, broughtUp))
    .filter(({ fields }) => fields.length > 0);
  return (
    <>
      <ol className="flex flex-col gap-4">
        {form.steps.flatMap((step) =>
          step.fields
            .filter((field) => marksOn('answers', field.name).length > 0)
            .map((field) => (
              <MendMark
                key={field.name}
                marks={marksOn('answers', field.name)}
                fileNameOf={fileNameOf}
                {...explaining}
              >
                <FormFields
                  form={form}
                  step={withFields(step, [field.name])}
                  answersForm={answersForm}
                />
              </MendMark>
            )),
        )}
        {attachmentRules
          .filter(({ name }) => marksOn('attachments', name).length > 0)
          .map((rule) => (
            <MendMark
              key={rule.name}
              marks={marksOn('attachments', rule.name)}
              fileNameOf={fileNameOf}
              {...explaining}
            >
              <DocumentUploads rules={[rule]} uploads={uploads} errors={documentErrors} />
            </MendMark>
          ))}
      </ol>
      {steps.length > 0 ? (
        <section
          aria-labelledby="brought-up"
          className="flex flex-col gap-4 rounded-lg border border-ink-200 bg-white p-4 md:p-6"
        >
          <h3 id="brought-up" className="text-base">
            {t('mend.broughtUp')}
          </h3>
          {steps.map((step) => (
            <FormFields key={step.name} form={form} step={step} answersForm={answersForm} />
          ))}
        </section>
      ) : null}
    </>
  );
}
