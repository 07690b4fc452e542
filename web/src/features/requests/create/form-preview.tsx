import { useState } from 'react';
import { serverToday } from '#lib/browser/server-time.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { RadioGroup } from '#ui/forms/radio-group.tsx';
import { SelectField } from '#ui/forms/select-field.tsx';
import type { AccountKind } from '@diwan/contract/catalogue/eligibility';
import {
  evidenceRules,
  quoteFees,
  withRate,
  type DiscountRule,
  type FeeRule,
} from '@diwan/contract/catalogue/fees';
import {
  isStepShown,
  listRequiredDocuments,
  readFormAnswers,
} from '@diwan/contract/forms/check-answers';
import type { AttachmentRule, ServiceForm } from '@diwan/contract/forms/forms';
import { DocumentUploads } from '../documents/document-uploads.tsx';
import type { UploadedDocument } from '../documents/uploaded-documents.ts';
import type { DocumentUploadsState } from '../documents/use-document-uploads.ts';
import { FormDocuments, rulesApart } from '../form-fields/form-documents.ts';
import type { AnswerValues } from '../form-fields/initial-values.ts';
import { StepAnswers } from '../form-fields/step-answers.tsx';
import { CostTable } from './create-request-cost.tsx';
import { CreateRequestStep, StageActions } from './create-request-stage.tsx';

/** Files are not uploaded from a preview. */
const noUploads: Omit<DocumentUploadsState, 'documents'> = {
  pending: [],
  unfinished: [],
  isBusy: false,
  scanOf: () => 'clean',
  pictureOf: () => undefined,
  loadPictures: () => undefined,
  add: () => undefined,
  remove: () => undefined,
  retry: () => undefined,
};

// A kind that changes under an answer gets a new form: the answer may have another shape.
const structureOf = (form: ServiceForm) =>
  form.steps
    .flatMap((step) => step.fields.flatMap((field) => [field, ...(field.fields ?? [])]))
    .map(({ name, kind }) => `${name}:${kind}`)
    .join();

interface FormPreviewProps {
  form: ServiceForm;
  attachments: readonly AttachmentRule[];
  fees: readonly FeeRule[];
  /** The discounts of the agency. */
  discounts: readonly DiscountRule[];
  /** The step that is shown; the number of steps for the documents and the answers after them. */
  step: number;
  onStep: (step: number) => void;
  /** The answers with which the form begins. */
  start: AnswerValues;
  /** The name of a file that stands for each document; undefined for none. */
  testFile?: string | undefined;
}

/** The documents of an applicant who has uploaded this file for each rule. */
const testDocuments = (rules: readonly AttachmentRule[], fileName: string): UploadedDocument[] =>
  rules.map(({ name }) => ({
    attachmentId: name,
    name,
    fileName,
    size: 100_000,
    mediaType: 'application/pdf',
  }));

/** The form of a service as applicants see it, with the price of the answers so far. */
export function FormPreview({
  form,
  attachments: ownAttachments,
  fees,
  discounts,
  step: at,
  onStep,
  start,
  testFile,
}: FormPreviewProps) {
  const { t } = useTranslation('forms');
  const { language } = useLanguage();
  const [answers, setAnswers] = useState(start);
  const today = serverToday();
  const step = form.steps[at];
  const shown = (from: number, by: 1 | -1): number => {
    for (let index = from; index >= 0 && index < form.steps.length; index += by) {
      const other = form.steps[index];
      if (other && isStepShown(form, other, answers, today)) return index;
    }
    return by === 1 ? form.steps.length : -1;
  };
  const before = shown(at - 1, -1);
  const onBack = before < 0 ? undefined : () => onStep(before);
  const attachments = [...ownAttachments, ...evidenceRules(discounts)];
  const rules = listRequiredDocuments(form, attachments, answers, today).map(({ rule }) => rule);
  const uploads = {
    ...noUploads,
    documents: testFile === undefined ? [] : testDocuments(attachments, testFile),
  };
  const heading = step?.title[language] ?? t('documents.title');
  return (
    <FormDocuments value={{ rules, uploads, errors: {} }}>
      <div className="flex flex-col gap-8">
        <section aria-label={heading}>
          <h2 className="mb-4 text-xl">{heading}</h2>
          {step ? (
            <CreateRequestStep
              key={`${at} ${structureOf(form)}`}
              form={form}
              step={step}
              stepIndex={at}
              answers={answers}
              saved={null}
              serverErrors={{}}
              isFromReview={false}
              onAnswers={setAnswers}
              onDone={() => onStep(shown(at + 1, 1))}
              onBack={onBack}
            />
          ) : (
            <div className="flex flex-col gap-6">
              <DocumentUploads rules={rulesApart(form, rules)} uploads={uploads} />
              {form.steps.map((each) => (
                <StepAnswers key={each.name} form={form} step={each} answers={answers} />
              ))}
              <StageActions onBack={onBack} saved={null}>
                {null}
              </StageActions>
            </div>
          )}
        </section>
        <PricePreview form={form} fees={fees} discounts={discounts} answers={answers} />
      </div>
    </FormDocuments>
  );
}

interface PricePreviewProps extends Pick<FormPreviewProps, 'form' | 'fees' | 'discounts'> {
  answers: AnswerValues;
}

/** The price of these answers, for a chosen kind of account and a chosen discount. */
function PricePreview({ form, fees, discounts, answers }: PricePreviewProps) {
  const { t } = useTranslation('forms');
  const { language } = useLanguage();
  const [account, setAccount] = useState<AccountKind>('individual');
  const [discountName, setDiscountName] = useState('');
  const dependsOnAccount = fees.some(({ accounts }) => accounts !== undefined);
  const chosen = discounts.find(({ name }) => name === discountName);
  const given =
    chosen && account === 'individual'
      ? [{ rule: chosen, isClaimed: chosen.evidence.kind === 'document' }]
      : [];
  const quote = quoteFees(fees, readFormAnswers(form, answers, serverToday()), {
    account,
    discounts: given,
  });
  const { afterApproval } = quote;
  const inLanguage = (lines: typeof quote.lines) =>
    lines.map((line) => ({ ...line, title: line.title[language] }));
  return (
    <section aria-label={t('cost.title')} className="border-t border-ink-200 pt-6">
      <h2 className="mb-3 text-lg">{t('cost.title')}</h2>
      {dependsOnAccount ? (
        <div className="mb-4">
          <RadioGroup
            label={t('cost.account')}
            isInline
            value={account}
            onChange={(kind) => setAccount(kind as AccountKind)}
            choices={[
              { value: 'individual', label: t('cost.forPersons') },
              { value: 'company', label: t('cost.forCompanies') },
            ]}
          />
        </div>
      ) : null}
      {discounts.length > 0 && account === 'individual' ? (
        <div className="mb-4">
          <SelectField
            label={t('cost.discountOf')}
            value={discountName}
            onChange={setDiscountName}
            choices={[
              { value: '', label: t('cost.noDiscount') },
              ...discounts.map(({ name, title, rate }) => ({
                value: name,
                label: withRate(title, rate)[language],
              })),
            ]}
          />
        </div>
      ) : null}
      <CostTable
        quote={{
          ...quote,
          lines: inLanguage(quote.lines),
          afterApproval: afterApproval && {
            ...afterApproval,
            lines: inLanguage(afterApproval.lines),
          },
        }}
      />
    </section>
  );
}
