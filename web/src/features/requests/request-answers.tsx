import type { RequestRecord } from '@diwan/contract/requests';
import { useLanguage } from '../../lib/language.ts';
import { KeyValueList } from '../../ui/key-value-list.tsx';
import { AnswerText, shownAnswers } from './form-fields-answer.tsx';

/** The answers, step by step as they were asked. */
export function RequestAnswers({ record }: { record: RequestRecord }) {
  const { language } = useLanguage();
  const steps = record.form.steps.map((step) => ({ step, shown: shownAnswers(record.form, step, record.answers) })).filter(({ shown }) => shown.length > 0);
  return (
    <div className="flex flex-col gap-6">
      {steps.map(({ step, shown }) => (
        <section key={step.name} aria-label={step.title[language]}>
          <h3 className="mb-3 border-b border-ink-200 pb-2 text-base">{step.title[language]}</h3>
          <KeyValueList items={shown.map(({ field, value }) => ({ label: field.title[language], value: <AnswerText field={field} value={value} /> }))} />
        </section>
      ))}
    </div>
  );
}
