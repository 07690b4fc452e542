import { isFieldShown } from '@diwan/contract/forms/check-answers';
import type { Language } from '@diwan/contract/wire/languages';
import { answerAt, titleOfTarget } from '@diwan/contract/requests/mark-targets';
import type { RequestRecord } from '@diwan/contract/requests/requests';

/** Something that a return can mark. */
export interface Target {
  field: string;
  attachmentId?: string;
  title: string;
  fileName?: string;
}

export interface TargetGroup {
  name: string;
  /** Empty for the documents, whose heading is no text of the form. */
  title: string;
  targets: Target[];
}

type Marked = Pick<RequestRecord, 'form' | 'answers' | 'attachmentRules' | 'attachments'>;

function fieldsWithin(record: Marked, name: string, own: readonly string[]): string[] {
  const items = answerAt(record.answers, `answers.${name}`);
  return Array.isArray(items)
    ? items.flatMap((_, index) => own.map((each) => `answers.${name}.${index}.${each}`))
    : [];
}

/**
 * Everything that the person was asked: the answers by step, then the documents, those that were
 * not sent too.
 */
export function findTargets(record: Marked, language: Language): TargetGroup[] {
  const { form, answers, attachmentRules: rules, attachments } = record;
  const titleOf = (field: string) => titleOfTarget(form, rules, answers, field)?.[language] ?? '';
  const steps = form.steps.map((step) => {
    const shown = step.fields.filter(
      (field) => field.kind !== 'file' && isFieldShown(form, field, answers),
    );
    const fields = shown.flatMap((field) => [
      `answers.${field.name}`,
      ...(field.fields
        ? fieldsWithin(
            record,
            field.name,
            field.fields.map(({ name }) => name),
          )
        : []),
    ]);
    return {
      name: step.name,
      title: step.title[language],
      targets: fields.map((field): Target => ({ field, title: titleOf(field) })),
    };
  });
  const documents = rules.flatMap(({ name }): Target[] => {
    const field = `attachments.${name}`;
    const sent = attachments
      .filter((each) => each.name === name && !each.isResult)
      .map(({ attachmentId, fileName }) => ({
        field,
        attachmentId,
        title: titleOf(field),
        fileName,
      }));
    return sent.length > 0 ? sent : [{ field, title: titleOf(field) }];
  });
  return [...steps, { name: 'documents', title: '', targets: documents }].filter(
    ({ targets }) => targets.length > 0,
  );
}
