import { useLanguage } from '#lib/i18n/language.ts';
import type { RequestRecord } from '@diwan/contract/requests/requests';
import { shownAnswers, StepAnswers } from './step-answers.tsx';

/** The answers, step by step as they were asked. */
export function RequestAnswers({ record }: { record: RequestRecord }) {
  const { language } = useLanguage();
  const { form, answers } = record;
  return (
    <div className="flex flex-col gap-6">
      {form.steps
        .filter((step) => shownAnswers(form, step, answers).length > 0)
        .map((step) => (
          <section key={step.name} aria-label={step.title[language]}>
            <h3 className="mb-3 border-b border-ink-200 pb-2 text-base">{step.title[language]}</h3>
            <StepAnswers form={form} step={step} answers={answers} />
          </section>
        ))}
    </div>
  );
}
