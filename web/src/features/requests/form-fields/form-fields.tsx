import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { isFieldRequired, isFieldShown } from '@diwan/contract/forms/check-answers';
import type { FormField, ServiceForm } from '@diwan/contract/forms/forms';
import { useLanguage } from '../../../lib/i18n/language.ts';
import { ErrorSummary } from '../../../ui/forms/error-summary.tsx';
import { FieldControl } from './form-fields-control.tsx';
import { FileControl } from './form-fields-file.tsx';
import { useFormDocuments } from './form-fields-documents.ts';
import type { AnswersForm, FormStep } from './form-fields-form.ts';
import { GroupControl } from './form-fields-group.tsx';
import { useIssueText, usePlaceTitle } from './form-fields-issue.ts';
import { partsOfStep } from './form-fields-parts.ts';
import { placeAt } from './form-fields-path.ts';

interface FormFieldsProps {
  form: ServiceForm;
  step: FormStep;
  answersForm: AnswersForm;
}

// What follows is a colon.
const withoutQuestionMark = (title: string) => title.replace(/\s*[?؟]$/u, '');

/** The fields of one step that are asked, given the answers so far. */
export function FormFields({ form, step, answersForm }: FormFieldsProps) {
  const { language } = useLanguage();
  const error = usePathMessage(form, answersForm);
  const { values, control, cleaned, touch, missingDocuments, attempt } = answersForm;
  const show = (field: FormField) => {
    const isRequired = isFieldRequired(form, field, values);
    if (field.kind === 'group')
      return <GroupControl form={form} field={field} answersForm={answersForm} error={error} />;
    if (field.kind === 'file')
      return (
        <FileControl
          field={field}
          isRequired={isRequired}
          isMissing={missingDocuments.includes(field.attachment ?? '')}
          isWaiting={attempt > 0}
        />
      );
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
  const parts = partsOfStep(step)
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
            {fields.map((field) => (
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
  const issueText = useIssueText();
  return (path) => {
    if (!wrongNames.includes(path)) return undefined;
    const issue = issues.get(path);
    const place = placeAt(form, path);
    return issue && place ? issueText(issue, place.field) : serverErrors[path];
  };
}

/**
 * Everything that kept the person from going on; one mistake alone is said beside its field and not
 * here.
 */
export function FormFieldsSummary({
  form,
  answersForm,
}: {
  form: ServiceForm;
  answersForm: AnswersForm;
}) {
  const { t } = useTranslation(['forms', 'attachments']);
  const { language } = useLanguage();
  const message = usePathMessage(form, answersForm);
  const titleOf = usePlaceTitle(form);
  const documents = useFormDocuments();
  const absent = answersForm.missingDocuments.flatMap(
    (name) => documents?.rules.filter((rule) => rule.name === name) ?? [],
  );
  if (answersForm.attempt === 0 || answersForm.wrongNames.length + absent.length < 2) return null;
  const errors = [
    ...answersForm.wrongNames.map((path) => ({
      focusId: path,
      message: t('summaryLine', {
        field: withoutQuestionMark(titleOf(path)),
        message: message(path) ?? '',
      }),
    })),
    ...absent.map((rule) => ({
      focusId: rule.name,
      message: t('summaryLine', {
        field: rule.title[language],
        message: t('missing', { ns: 'attachments' }),
      }),
    })),
  ];
  return <ErrorSummary key={answersForm.attempt} errors={errors} />;
}
