import { CircleCheck, Flag } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { FileName } from '#ui/files/file-name.tsx';
import { TextAreaField } from '#ui/forms/text-area-field.tsx';
import { TypedText } from '#ui/values/typed-text.tsx';
import type { RequestRecord } from '@diwan/contract/requests/requests';
import { type ShownMark, maximumMarkLength, markKey } from '@diwan/contract/requests/return-marks';
import { DocumentUploads } from '../documents/document-uploads.tsx';
import type { DocumentUploadsState } from '../documents/use-document-uploads.ts';
import { FormFields } from '../form-fields/form-fields.tsx';
import type { AnswersForm, FormStep } from '../form-fields/use-answers-form.ts';
import { findFieldsToReview, isOnAnswer, fieldNameOfMark } from './correction-marks.ts';

interface MarkedItemsProps {
  record: RequestRecord;
  marks: readonly ShownMark[];
  answersForm: AnswersForm;
  uploads: DocumentUploadsState;
  documentErrors: Readonly<Record<string, string | undefined>>;
  explanations: Readonly<Record<string, string>>;
  onExplain: (key: string, text: string) => void;
  /** The keys of marks without a change or an explanation, after the user tried to submit. */
  unresolved: readonly string[];
  /** The whole form is open below, so fields to review are not repeated here. */
  isUnmarkedOpen: boolean;
}

/** The step with these fields only, without section headings. */
const withFields = (step: FormStep, names: readonly string[]): FormStep => ({
  ...step,
  sections: undefined,
  fields: step.fields.filter((field) => names.includes(field.name)),
});

/** The marked answers and documents in the order of the form, and the fields to review. */
export function MarkedItems({
  record,
  marks,
  answersForm,
  uploads,
  documentErrors,
  isUnmarkedOpen,
  ...explanationProps
}: MarkedItemsProps) {
  const { t } = useTranslation('returns');
  const { form, attachmentRules } = record;
  const marksOn = (kind: 'answers' | 'attachments', name: string) =>
    marks.filter(
      (mark) => isOnAnswer(mark) === (kind === 'answers') && fieldNameOfMark(mark) === name,
    );
  const fileNameOf = fileNamesOf(record);
  const isInvalid = (name: string) =>
    answersForm.wrongNames.includes(name) ||
    [...answersForm.issues.keys()].some((each) => each === name || each.startsWith(`${name}.`));
  const fieldsToReview = isUnmarkedOpen
    ? []
    : findFieldsToReview(form, record.answers, answersForm.values, isInvalid).filter(
        (name) => marksOn('answers', name).length === 0,
      );
  const steps = form.steps
    .map((step) => withFields(step, fieldsToReview))
    .filter(({ fields }) => fields.length > 0);
  return (
    <>
      <ol className="flex flex-col gap-4">
        {form.steps.flatMap((step) =>
          step.fields
            .filter((field) => marksOn('answers', field.name).length > 0)
            .map((field) => (
              <MarkedItem
                key={field.name}
                marks={marksOn('answers', field.name)}
                fileNameOf={fileNameOf}
                {...explanationProps}
              >
                <FormFields
                  form={form}
                  step={withFields(step, [field.name])}
                  answersForm={answersForm}
                />
              </MarkedItem>
            )),
        )}
        {attachmentRules
          .filter(({ name }) => marksOn('attachments', name).length > 0)
          .map((rule) => (
            <MarkedItem
              key={rule.name}
              marks={marksOn('attachments', rule.name)}
              fileNameOf={fileNameOf}
              {...explanationProps}
            >
              <DocumentUploads rules={[rule]} uploads={uploads} errors={documentErrors} />
            </MarkedItem>
          ))}
      </ol>
      {steps.length > 0 ? (
        <section
          aria-labelledby="brought-up"
          className="flex flex-col gap-4 rounded-lg border border-ink-200 bg-white p-4 md:p-6"
        >
          <h3 id="brought-up" className="text-base">
            {t('correct.broughtUp')}
          </h3>
          {steps.map((step) => (
            <FormFields key={step.name} form={form} step={step} answersForm={answersForm} />
          ))}
        </section>
      ) : null}
    </>
  );
}

/** Finds the file name of a document of the request by its id. */
export const fileNamesOf =
  ({ attachments }: Pick<RequestRecord, 'attachments'>) =>
  (attachmentId: string): string | undefined =>
    attachments.find((each) => each.attachmentId === attachmentId)?.fileName;

interface MarkedItemProps {
  marks: readonly ShownMark[];
  explanations?: Readonly<Record<string, string>>;
  /** Without it the item has to be changed. */
  onExplain?: (key: string, text: string) => void;
  /** The keys of marks without a change or an explanation, after the user tried to submit. */
  unresolved?: readonly string[];
  /** The file name of a document that has to be replaced. */
  fileNameOf: (attachmentId: string) => string | undefined;
  children: ReactNode;
}

/**
 * One marked item: the request of staff, the control to change it, and a field to explain why it is
 * correct.
 */
export function MarkedItem({
  marks,
  explanations = {},
  onExplain,
  unresolved = [],
  fileNameOf,
  children,
}: MarkedItemProps) {
  const { t } = useTranslation('returns');
  return (
    <li className="flex flex-col gap-4 rounded-lg border border-ink-200 bg-white p-4 md:p-6">
      {marks.map((mark) => {
        const fileName =
          mark.attachmentId === undefined ? undefined : fileNameOf(mark.attachmentId);
        return (
          <div
            key={markKey(mark)}
            className="flex items-start gap-3 border-s-4 border-amber-300 bg-amber-50 px-3 py-2"
          >
            <span className="flex h-[1lh] items-center text-amber-800">
              <Flag aria-hidden size={18} className="shrink-0" />
            </span>
            <div className="min-w-0">
              {fileName ? (
                <p className="text-sm text-ink-600">
                  {t('correct.instead')} <FileName name={fileName} className="wrap-anywhere" />
                </p>
              ) : marks.length > 1 || mark.field.split('.').length > 2 ? (
                <p className="text-sm text-ink-600">{mark.title}</p>
              ) : null}
              <TypedText className="font-medium">{mark.message}</TypedText>
            </div>
          </div>
        );
      })}
      {children}
      {onExplain
        ? marks.map((mark) => (
            <Explanation
              key={markKey(mark)}
              mark={mark}
              title={marks.length > 1 ? mark.title : undefined}
              value={explanations[markKey(mark)] ?? ''}
              onChange={(text) => onExplain(markKey(mark), text)}
              isUnresolved={unresolved.includes(markKey(mark))}
            />
          ))
        : null}
    </li>
  );
}

function Explanation({
  mark,
  title,
  value,
  onChange,
  isUnresolved,
}: {
  mark: ShownMark;
  title: string | undefined;
  value: string;
  onChange: (text: string) => void;
  isUnresolved: boolean;
}) {
  const { t } = useTranslation('returns');
  const [isOpen, setIsOpen] = useState(value !== '');
  if (!isOpen && !isUnresolved) {
    return (
      <div>
        <Button
          variant="quiet"
          size="sm"
          icon={<CircleCheck aria-hidden size={18} />}
          aria-label={`${t('correct.rightAsItIs')}: ${mark.title}`}
          onPress={() => setIsOpen(true)}
        >
          {t('correct.rightAsItIs')}
        </Button>
      </div>
    );
  }
  return (
    <TextAreaField
      name={`why:${markKey(mark)}`}
      label={title ? `${t('correct.explain')}: ${title}` : t('correct.explain')}
      description={t('correct.explainHint')}
      rows={2}
      maxLength={maximumMarkLength}
      isOptional={!isUnresolved}
      value={value}
      onChange={onChange}
      error={isUnresolved ? t('correct.notCorrected') : undefined}
    />
  );
}
