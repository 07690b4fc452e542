import { useEffect, useEffectEvent, useMemo, useRef, useState, type BaseSyntheticEvent } from 'react';
import { useForm, useWatch, type Control, type FieldErrors, type Resolver } from 'react-hook-form';
import { checkAnswers, checkStep } from '@diwan/contract/check-answers';
import type { ValidationIssue } from '@diwan/contract/errors';
import type { Answers, ServiceForm } from '@diwan/contract/forms';
import { focusOn } from '../../lib/focus-on.ts';

/** What was typed so far, judged or not. */
export type AnswerValues = Record<string, unknown>;

export type FormStep = ServiceForm['steps'][number];

export interface AnswersForm {
  control: Control<AnswerValues>;
  values: AnswerValues;
  /** What is wrong now, by field name; said in words by `useIssueText`, so that it follows the language. */
  issues: ReadonlyMap<string, ValidationIssue>;
  cleaned: Answers;
  /** Names of the fields whose error is shown, in the order of the form. */
  wrongNames: readonly string[];
  serverErrors: Readonly<Record<string, string>>;
  /** Counts the attempts to go on that failed. */
  attempt: number;
  submit: (onValid: (answers: Answers) => void) => (event?: BaseSyntheticEvent) => void;
}

interface AnswersFormOptions {
  form: ServiceForm;
  /** Judges this step only; the whole form without it. */
  stepIndex?: number;
  /** What the fields begin with. */
  answers: AnswerValues;
  onAnswers?: (values: AnswerValues) => void;
  /** What the server found wrong, by field name. The caller drops an entry when its field changes. */
  serverErrors?: Readonly<Record<string, string>>;
}

export function todayInDubai(): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Dubai' }).format(new Date());
}

const nameOf = (issue: ValidationIssue): string => issue.field.replace(/^answers\./, '');

export function useAnswersForm({ form, stepIndex, answers, onAnswers, serverErrors = {} }: AnswersFormOptions): AnswersForm {
  const [attempt, setAttempt] = useState(0);
  const hasTried = useRef(false);
  const [start] = useState(answers);
  const today = todayInDubai();
  const judge = (values: AnswerValues) => (stepIndex === undefined ? checkAnswers(form, values, today).issues : checkStep(form, stepIndex, values, today));
  const resolver: Resolver<AnswerValues> = (values) => {
    // Nobody is told that a field is empty before they have tried to go on.
    const found = judge(values).filter((issue) => hasTried.current || issue.code !== 'required');
    return found.length === 0 ? { values, errors: {} } : { values: {}, errors: Object.fromEntries(found.map((issue) => [nameOf(issue), { type: issue.code }])) as FieldErrors<AnswerValues> };
  };
  const { control, handleSubmit, subscribe, formState } = useForm<AnswerValues>({ defaultValues: start, mode: 'onTouched', shouldFocusError: false, resolver });
  const watched = useWatch({ control });
  const values = useMemo(() => ({ ...start, ...watched }), [start, watched]);

  const report = useEffectEvent((changed: AnswerValues) => onAnswers?.(changed));
  useEffect(() => subscribe({ formState: { values: true }, callback: ({ values: changed }) => report(changed) }), [subscribe]);

  const checked = useMemo(() => checkAnswers(form, values, today), [form, values, today]);
  const issues = useMemo(() => new Map(checked.issues.map((issue) => [nameOf(issue), issue])), [checked]);
  const names = (stepIndex === undefined ? form.steps : form.steps.slice(stepIndex, stepIndex + 1)).flatMap((step) => step.fields.map((field) => field.name));
  const wrongNames = names.filter((name) => (formState.errors[name] && issues.has(name)) || serverErrors[name]);

  return {
    control, values, issues, cleaned: checked.answers, wrongNames, serverErrors, attempt,
    submit: (onValid) => (event) => {
      hasTried.current = true;
      void handleSubmit(
        (submitted) => onValid(checkAnswers(form, { ...start, ...submitted }, today).answers),
        (errors) => {
          setAttempt((before) => before + 1);
          const first = names.find((name) => errors[name]);
          // After the summary, which takes the focus when it appears.
          if (first) window.requestAnimationFrame(() => window.requestAnimationFrame(() => focusOn(first)));
        },
      )(event);
    },
  };
}
