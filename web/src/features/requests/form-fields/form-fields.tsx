import { Fragment, type ReactNode } from 'react';
import { focusSoon } from '#lib/browser/focus-on.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Alert } from '#ui/feedback/alert.tsx';
import { ErrorSummary } from '#ui/forms/error-summary.tsx';
import { isFieldRequired, isFieldShown } from '@diwan/contract/forms/check-answers';
import type { FormField, ServiceForm } from '@diwan/contract/forms/forms';
import { kindsOf } from '@diwan/contract/forms/special-data';
import { DocumentUploads } from '../documents/document-uploads.tsx';
import { isUploading } from '../documents/uploaded-documents.ts';
import { SpecialConsent } from '../special-data/special-consent.tsx';
import { useSpecialGate } from '../special-data/special-gate.ts';
import { findFieldAt, sortPaths } from './answer-path.ts';
import { CardAnswers, fieldsReadFrom } from './card-answers.tsx';
import { FieldControl } from './field-control.tsx';
import { useFieldTexts } from './field-texts.ts';
import { FinesControl } from './fines-control.tsx';
import { useFormDocuments } from './form-documents.ts';
import { GroupControl } from './group-control.tsx';
import { sectionsOfStep } from './step-sections.ts';
import type { AnswersForm, FormStep } from './use-answers-form.ts';

/**
 * Returns the title of a path for a summary: with the item in a group, with the part in an address.
 * Where the message names the field (`isNamed`), only what is around it.
 */
function usePlaceTitle(form: ServiceForm): (path: string, isNamed: boolean) => string {
  const { t } = useTranslation('forms');
  const { language } = useLanguage();
  return (path, isNamed) => {
    const position = findFieldAt(form, path);
    if (!position) return '';
    const { field, top, index, part } = position;
    const item =
      index === undefined
        ? []
        : [t('group.heading', { item: (top.itemTitle ?? top.title)[language], number: index + 1 })];
    const own = part
      ? [...(index === undefined ? [top.title[language]] : []), t(`address.${part}`)]
      : field === top && index !== undefined
        ? []
        : [field.title[language]];
    // A message names the part of an address, not the address.
    const around = part && index === undefined ? [top.title[language]] : [];
    return [...item, ...(isNamed ? around : own)].join(' \u2013 ');
  };
}

/** An upload within a step; rule and upload are those of the documents stage. */
function FileControl({
  field,
  isRequired,
  isMissing,
  isWaiting,
  children,
}: {
  field: FormField;
  isRequired: boolean;
  isMissing: boolean;
  isWaiting: boolean;
  children: ReactNode;
}) {
  const { t } = useTranslation('attachments');
  const { language } = useLanguage();
  const texts = useFieldTexts();
  const documents = useFormDocuments();
  const rule = documents?.rules.find((each) => each.name === field.attachment);
  if (!documents || !rule) return null;
  const isOnItsWay = isUploading(documents.uploads.pending, rule.name);
  const shownRule = {
    ...rule,
    title: field.title,
    description: field.description ?? rule.description,
    required: rule.required || isRequired,
  };
  return (
    <div className="flex flex-col gap-3">
      <DocumentUploads
        rules={[shownRule]}
        uploads={documents.uploads}
        errors={{
          [rule.name]: isMissing
            ? texts.missingDocument(field.title[language])
            : documents.errors[rule.name],
        }}
      />
      {children}
      {isWaiting && isOnItsWay ? (
        <Alert isLive title={field.title[language]}>
          {t('waiting')}
        </Alert>
      ) : null}
    </div>
  );
}

interface FormFieldsProps {
  form: ServiceForm;
  step: FormStep;
  answersForm: AnswersForm;
}

/** The fields of a step that are not shown before a consent to special data, and the question for it. */
function useClosedFields(
  { form, step, answersForm: { values, missingDocuments } }: FormFieldsProps,
  error: (path: string) => string | undefined,
): { closed: readonly FormField[]; consentBox: ReactNode } {
  const { gate, isClosed, itemsOf } = useSpecialGate();
  const closed = step.fields.filter(
    (field) => isFieldShown(form, field, values) && isClosed(field),
  );
  const [first] = closed;
  if (!gate || !first) return { closed, consentBox: null };
  const items = itemsOf(closed);
  const isMissing = ({ name, attachment = '' }: FormField) =>
    error(name) !== undefined || missingDocuments.includes(attachment);
  const consent = {
    hasConsented: false,
    hasTried: closed.some(isMissing),
    setHasConsented: () => {
      gate.consent(kindsOf(items));
      focusSoon(first.name);
    },
  };
  const before = closed.map(({ name }) => name);
  return {
    closed,
    consentBox: (
      <SpecialConsent items={items} agency={gate.agency} before={before} consent={consent} />
    ),
  };
}

// The title is followed by a colon.
const withoutQuestionMark = (title: string) => title.replace(/\s*[?؟]$/u, '');

/** The fields of a step that apply to the answers so far. */
export function FormFields({ form, step, answersForm }: FormFieldsProps) {
  const { language } = useLanguage();
  const error = usePathMessage(form, answersForm);
  const documents = useFormDocuments();
  const { values, control, cleaned, touch, missingDocuments, isWaiting } = answersForm;
  const { closed, consentBox } = useClosedFields({ form, step, answersForm }, error);
  const show = (field: FormField) => {
    if (field === closed[0]) return consentBox;
    const isRequired = isFieldRequired(form, field, values);
    if (field.kind === 'group')
      return <GroupControl form={form} field={field} answersForm={answersForm} error={error} />;
    if (field.kind === 'fines')
      return (
        <FinesControl
          field={field}
          control={control}
          cleaned={cleaned}
          isRequired={isRequired}
          error={error(field.name)}
        />
      );
    if (field.kind === 'file') {
      const attachment = field.attachment ?? '';
      const pictures =
        fieldsReadFrom(form, attachment, values).length > 0
          ? (documents?.uploads.documents ?? []).filter(
              (each) => each.name === attachment && each.mediaType.startsWith('image/'),
            )
          : [];
      return (
        <FileControl
          field={field}
          isRequired={isRequired}
          isMissing={missingDocuments.includes(attachment)}
          isWaiting={isWaiting}
        >
          {pictures.length > 0 ? (
            <CardAnswers
              key={pictures.map(({ attachmentId }) => attachmentId).join(' ')}
              form={form}
              answersForm={answersForm}
              attachment={attachment}
              pictures={pictures}
            />
          ) : null}
        </FileControl>
      );
    }
    return (
      <FieldControl
        field={field}
        path={field.name}
        control={control}
        cleaned={cleaned[field.name]}
        isRequired={isRequired}
        error={error}
        onTouched={touch}
      />
    );
  };
  const parts = sectionsOfStep(step)
    .map(({ section, fields }) => ({
      section,
      fields: fields.filter((field) => isFieldShown(form, field, values)),
    }))
    .filter(({ fields }) => fields.length > 0);
  return (
    <div className="flex flex-col gap-8">
      {parts.map(({ section, fields }) => {
        const shown = (
          <div className="flex flex-col gap-6">
            {fields
              .filter((field) => field === closed[0] || !closed.includes(field))
              .map((field) => (
                <div key={field.name} className={field.showWhen ? 'animate-rise' : undefined}>
                  {show(field)}
                </div>
              ))}
          </div>
        );
        if (!section) return <Fragment key={fields[0]?.name}>{shown}</Fragment>;
        return (
          <section
            key={section.name}
            aria-label={section.title[language]}
            className="border-t border-ink-200 pt-6 first:border-t-0 first:pt-0"
          >
            <h2 className="text-lg">{section.title[language]}</h2>
            {section.description ? (
              <p className="mt-1 text-ink-600">{section.description[language]}</p>
            ) : null}
            <div className="mt-4">{shown}</div>
          </section>
        );
      })}
    </div>
  );
}

function usePathMessage(
  form: ServiceForm,
  { issues, wrongNames, serverErrors }: AnswersForm,
): (path: string) => string | undefined {
  const texts = useFieldTexts();
  return (path) => {
    if (!wrongNames.includes(path)) return undefined;
    const issue = issues.get(path);
    const position = findFieldAt(form, path);
    return issue && position ? texts.issue(issue, position) : serverErrors[path];
  };
}

/**
 * All errors that prevent continuing, in the order of the fields; a single error is shown only at its
 * field.
 */
export function FormFieldsSummary({
  form,
  answersForm,
}: {
  form: ServiceForm;
  answersForm: AnswersForm;
}) {
  const { t } = useTranslation('forms');
  const { language } = useLanguage();
  const texts = useFieldTexts();
  const message = usePathMessage(form, answersForm);
  const titleOf = usePlaceTitle(form);
  const { wrongNames, missingDocuments, attempt, issues } = answersForm;
  if (attempt === 0 || wrongNames.length + missingDocuments.length < 2) return null;
  const lineOf = (path: string) => {
    const position = findFieldAt(form, path);
    const isNamed = position !== undefined && texts.namesField(issues.get(path), position);
    const title = withoutQuestionMark(titleOf(path, isNamed));
    const text = message(path) ?? '';
    return title === '' ? text : t('summaryLine', { field: title, message: text });
  };
  const documents = form.steps
    .flatMap((step) => step.fields)
    .filter(({ attachment }) => attachment && missingDocuments.includes(attachment));
  const errorAt = (path: string) => {
    const place = documents.find(({ name }) => name === path);
    return place?.attachment
      ? { focusId: place.attachment, message: texts.missingDocument(place.title[language]) }
      : { focusId: path, message: lineOf(path) };
  };
  const places = sortPaths(form, [...wrongNames, ...documents.map(({ name }) => name)]);
  return <ErrorSummary key={attempt} errors={places.map(errorAt)} />;
}
