import {
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
  type BaseSyntheticEvent,
} from 'react';
import { useForm, useWatch, type Control } from 'react-hook-form';
import { focusSoon } from '#lib/browser/focus-on.ts';
import { watchPointer, afterPointerUp } from '#lib/browser/interaction.ts';
import { serverToday } from '#lib/browser/server-time.ts';
import {
  checkAnswers,
  checkStep,
  listRequiredDocuments,
} from '@diwan/contract/forms/check-answers';
import type { Answers, ServiceForm } from '@diwan/contract/forms/forms';
import type { ValidationIssue } from '@diwan/contract/wire/errors';
import { isUploading, missingDocuments } from '../documents/uploaded-documents.ts';
import { pathOf, sortPaths, topOf } from './answer-path.ts';
import { useFormDocuments } from './form-documents.ts';
import { initialValuesOf, type AnswerValues } from './initial-values.ts';

export type FormStep = ServiceForm['steps'][number];

export interface AnswersForm {
  control: Control<AnswerValues>;
  values: AnswerValues;
  /**
   * Validation issues by path (`answer-path.ts`); `useIssueText` turns them into messages in the
   * current language.
   */
  issues: ReadonlyMap<string, ValidationIssue>;
  cleaned: Answers;
  /** Paths with a visible error, in the order of the form. */
  wrongNames: readonly string[];
  serverErrors: Readonly<Record<string, string>>;
  /** Names of documents of this step that were missing at the last attempt and still are. */
  missingDocuments: readonly string[];
  /** The number of failed attempts to continue. */
  attempt: number;
  /** Continues automatically as soon as the documents of this step have been uploaded. */
  isWaiting: boolean;
  /** Marks a field as touched after the pointer is released, so that its error is shown. */
  touch: (path: string) => void;
  /** Shifts the state of group items from `index` by one position. */
  moveItems: (group: string, index: number, by: 1 | -1) => void;
  /** Sets answers that the user has confirmed elsewhere. */
  fill: (answers: AnswerValues) => void;
  submit: (onValid: (answers: Answers) => void) => (event?: BaseSyntheticEvent) => void;
}

interface AnswersFormOptions {
  form: ServiceForm;
  /** Validates this step only; the whole form without it. */
  stepIndex?: number;
  /** The initial values. */
  answers: AnswerValues;
  onAnswers?: (values: AnswerValues) => void;
  /** Errors of the server, by path. The caller removes an entry when its field changes. */
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

/** Whose errors are visible: touched fields, and those that were wrong at the last attempt. */
function useErrorVisibility() {
  const [attempt, setAttempt] = useState(0);
  const [touched, setTouched] = useState(none);
  const [tried, setTried] = useState(none);
  return {
    attempt,
    // A required error is not shown before the first attempt.
    isVisible: (path: string, issue: ValidationIssue | undefined) =>
      tried.has(path) || (touched.has(path) && (attempt > 0 || issue?.code !== 'required')),
    touch: (path: string) =>
      afterPointerUp(() =>
        setTouched((before) => (before.has(path) ? before : new Set([...before, path]))),
      ),
    moveItems: (group: string, index: number, by: 1 | -1) => {
      setTouched((before) => moved(before, group, index, by));
      setTried((before) => moved(before, group, index, by));
    },
    /** Ends an attempt to continue with errors at these paths and with missing documents. */
    fail: (wrong: readonly string[], absent: readonly string[]) => {
      setTried(new Set(wrong));
      setAttempt((before) => before + 1);
      const [first, second] = [...wrong, ...absent];
      // With several errors the summary takes the focus.
      if (first && !second) focusSoon(first);
    },
  };
}

/** The documents that belong to fields of these steps. */
function useDocumentsOfSteps(form: ServiceForm, steps: readonly FormStep[], values: AnswerValues) {
  const documents = useFormDocuments();
  const places = new Set(
    steps.flatMap((step) => step.fields.flatMap((field) => field.attachment ?? [])),
  );
  const asked = documents
    ? listRequiredDocuments(form, documents.rules, values, serverToday())
        .map(({ rule }) => rule)
        .filter((rule) => places.has(rule.name))
    : [];
  const pending = documents?.uploads.pending ?? [];
  return {
    /** The names of required documents that are neither here nor on their way. */
    listMissing: () =>
      missingDocuments(asked, documents?.uploads.documents ?? []).filter(
        (name) => !isUploading(pending, name),
      ),
    isUploadingHere: [...places].some((name) => isUploading(pending, name)),
  };
}

export function useAnswersForm({
  form,
  stepIndex,
  answers,
  onAnswers,
  serverErrors = {},
}: AnswersFormOptions): AnswersForm {
  const { attempt, isVisible, touch, moveItems, fail } = useErrorVisibility();
  const [start] = useState(() => initialValuesOf(form, stepIndex, answers));
  const today = serverToday();
  const { control, handleSubmit, setValue, subscribe } = useForm<AnswerValues>({
    defaultValues: start,
    shouldFocusError: false,
  });
  const watched = useWatch({ control });
  const values = useMemo(() => ({ ...start, ...watched }), [start, watched]);

  const steps = stepIndex === undefined ? form.steps : form.steps.slice(stepIndex, stepIndex + 1);
  const names = new Set(steps.flatMap((step) => step.fields.map((field) => field.name)));

  useEffect(watchPointer, []);
  // The form mutates lists and addresses in place, so callers get a copy.
  const report = useEffectEvent((changed: AnswerValues) => {
    onAnswers?.(structuredClone(changed));
    // A group that this answer brings into view begins with its items, as one does that is there first.
    const opened = initialValuesOf(form, stepIndex, changed);
    for (const name of names)
      if (changed[name] === undefined && opened[name] !== undefined) setValue(name, opened[name]);
  });
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
  const paths = [...new Set([...issues.keys(), ...Object.keys(serverErrors)])];
  const wrongNames = sortPaths(
    form,
    paths.filter(
      (path) =>
        names.has(topOf(path)) &&
        ((issues.has(path) && isVisible(path, issues.get(path))) || serverErrors[path]),
    ),
  );
  const { listMissing, isUploadingHere } = useDocumentsOfSteps(form, steps, values);
  const waitingFor = useRef<(answers: Answers) => void>(undefined);
  const [isWaiting, setIsWaiting] = useState(false);

  const submit: AnswersForm['submit'] = (onValid) => (event) => {
    void handleSubmit((submitted) => {
      const all = structuredClone({ ...start, ...submitted });
      const wrong = (
        stepIndex === undefined
          ? checkAnswers(form, all, today).issues
          : checkStep(form, stepIndex, all, today)
      ).map(pathOf);
      const absent = listMissing();
      const waits = wrong.length === 0 && absent.length === 0 && isUploadingHere;
      waitingFor.current = waits ? onValid : undefined;
      setIsWaiting(waits);
      if (wrong.length > 0 || absent.length > 0) return fail(wrong, absent);
      if (!waits) onValid(checkAnswers(form, all, today).answers);
    })(event);
  };
  const endWait = useEffectEvent(() => {
    if (waitingFor.current) submit(waitingFor.current)();
  });
  useEffect(() => {
    if (!isUploadingHere) endWait();
  }, [isUploadingHere]);
  return {
    control,
    values,
    issues,
    cleaned: checked.answers,
    wrongNames,
    serverErrors,
    missingDocuments: attempt > 0 ? listMissing() : [],
    attempt,
    isWaiting,
    touch,
    moveItems,
    fill: (answers) => {
      for (const [name, value] of Object.entries(answers))
        setValue(name, value, { shouldDirty: true, shouldTouch: true });
    },
    submit,
  };
}
