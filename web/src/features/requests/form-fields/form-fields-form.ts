import { useEffect, useEffectEvent, useMemo, useState, type BaseSyntheticEvent } from 'react';
import { useForm, useWatch, type Control } from 'react-hook-form';
import { checkAnswers, checkStep, documentsAsked } from '@diwan/contract/forms/check-answers';
import type { ValidationIssue } from '@diwan/contract/wire/errors';
import { todayInDubai } from '@diwan/contract/wire/days';
import type { Answers, ServiceForm } from '@diwan/contract/forms/forms';
import { focusOn } from '../../../lib/browser/focus-on.ts';
import { watchPresses, whenStill } from '../../../lib/browser/when-still.ts';
import { missingDocuments } from '../documents/document-uploads-check.ts';
import { useFormDocuments } from './form-fields-documents.ts';
import { pathOf, topOf } from './form-fields-path.ts';
import { startOf, type AnswerValues } from './form-fields-start.ts';

export type FormStep = ServiceForm['steps'][number];

export interface AnswersForm {
  control: Control<AnswerValues>;
  values: AnswerValues;
  /**
   * What is wrong now, by path (`form-fields-path.ts`); said in words by `useIssueText`, so that it
   * follows the language.
   */
  issues: ReadonlyMap<string, ValidationIssue>;
  cleaned: Answers;
  /** Paths whose error is shown, in the order of the form. */
  wrongNames: readonly string[];
  serverErrors: Readonly<Record<string, string>>;
  /**
   * Names of the documents asked for within the steps that were missing at the last attempt and
   * still are.
   */
  missingDocuments: readonly string[];
  /** Counts the attempts to go on that failed. */
  attempt: number;
  /**
   * Somebody has been at a field and left it; what is wrong with it is said once the hands are off.
   */
  touch: (path: string) => void;
  /**
   * The items of a group from `index` on have moved by so many places: what is known of them moves
   * along.
   */
  moveItems: (group: string, index: number, by: 1 | -1) => void;
  submit: (onValid: (answers: Answers) => void) => (event?: BaseSyntheticEvent) => void;
}

interface AnswersFormOptions {
  form: ServiceForm;
  /** Judges this step only; the whole form without it. */
  stepIndex?: number;
  /** What the fields begin with. */
  answers: AnswerValues;
  onAnswers?: (values: AnswerValues) => void;
  /** What the server found wrong, by path. The caller drops an entry when its field changes. */
  serverErrors?: Readonly<Record<string, string>>;
}

function moved(paths: ReadonlySet<string>, group: string, from: number, by: 1 | -1): Set<string> {
  return new Set(
    [...paths].flatMap((path) => {
      const [name, index, ...rest] = path.split('.');
      if (name !== group || index === undefined || Number(index) < from) return [path];
      return by === -1 && Number(index) === from
        ? []
        : [[name, Number(index) + by, ...rest].join('.')];
    }),
  );
}

const none: ReadonlySet<string> = new Set();

export function useAnswersForm({
  form,
  stepIndex,
  answers,
  onAnswers,
  serverErrors = {},
}: AnswersFormOptions): AnswersForm {
  const [attempt, setAttempt] = useState(0);
  // Paths that somebody has left, and those that were wrong when somebody tried to go on.
  const [touched, setTouched] = useState(none);
  const [tried, setTried] = useState(none);
  const [start] = useState(() => startOf(form, stepIndex, answers));
  const documents = useFormDocuments();
  const today = todayInDubai();
  const { control, handleSubmit, subscribe } = useForm<AnswerValues>({
    defaultValues: start,
    shouldFocusError: false,
  });
  const watched = useWatch({ control });
  const values = useMemo(() => ({ ...start, ...watched }), [start, watched]);

  useEffect(watchPresses, []);
  // Lists and addresses are changed in place by the form; whoever keeps them gets a copy.
  const report = useEffectEvent((changed: AnswerValues) => onAnswers?.(structuredClone(changed)));
  useEffect(
    () =>
      subscribe({
        formState: { values: true },
        callback: ({ values: changed }) => report(changed),
      }),
    [subscribe],
  );

  const checked = useMemo(() => checkAnswers(form, values, today), [form, values, today]);
  const issues = useMemo(
    () => new Map(checked.issues.map((issue) => [pathOf(issue), issue])),
    [checked],
  );
  const steps = stepIndex === undefined ? form.steps : form.steps.slice(stepIndex, stepIndex + 1);
  const names = steps.flatMap((step) => step.fields.map((field) => field.name));
  // Nobody is told that a field is empty before they have tried to go on.
  const isWrong = (path: string) =>
    tried.has(path) ||
    (touched.has(path) && (attempt > 0 || issues.get(path)?.code !== 'required'));
  const paths = [...new Set([...issues.keys(), ...Object.keys(serverErrors)])];
  const wrongNames = names.flatMap((name) =>
    paths.filter(
      (path) => topOf(path) === name && ((issues.has(path) && isWrong(path)) || serverErrors[path]),
    ),
  );

  const places = new Set(
    steps.flatMap((step) => step.fields.flatMap((field) => field.attachment ?? [])),
  );
  const askedHere = documents
    ? documentsAsked(form, documents.rules, values, today)
        .map(({ rule }) => rule)
        .filter((rule) => places.has(rule.name))
    : [];
  const missing =
    attempt > 0 && documents ? missingDocuments(askedHere, documents.uploads.documents) : [];

  const fail = (wrong: readonly string[], absent: readonly string[]) => {
    setTried(new Set(wrong));
    setAttempt((before) => before + 1);
    const [first, second] = [...wrong, ...absent];
    // Of several, the summary takes the focus and leads to each.
    if (first && !second)
      window.requestAnimationFrame(() => window.requestAnimationFrame(() => focusOn(first)));
  };
  return {
    control,
    values,
    issues,
    cleaned: checked.answers,
    wrongNames,
    serverErrors,
    missingDocuments: missing,
    attempt,
    touch: (path) =>
      whenStill(() =>
        setTouched((before) => (before.has(path) ? before : new Set([...before, path]))),
      ),
    moveItems: (group, index, by) => {
      setTouched((before) => moved(before, group, index, by));
      setTried((before) => moved(before, group, index, by));
    },
    submit: (onValid) => (event) => {
      void handleSubmit((submitted) => {
        const all = structuredClone({ ...start, ...submitted });
        const wrong = (
          stepIndex === undefined
            ? checkAnswers(form, all, today).issues
            : checkStep(form, stepIndex, all, today)
        ).map(pathOf);
        const absent = documents ? missingDocuments(askedHere, documents.uploads.documents) : [];
        const isOnItsWay =
          documents !== undefined &&
          documents.uploads.isBusy &&
          documents.uploads.pending.some((each) => places.has(each.name));
        if (wrong.length === 0 && absent.length === 0 && !isOnItsWay)
          return onValid(checkAnswers(form, all, today).answers);
        fail(wrong, absent);
      })(event);
    },
  };
}
