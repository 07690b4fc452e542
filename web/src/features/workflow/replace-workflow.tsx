import { useId, useState, type ChangeEvent } from 'react';
import { classNames } from '#lib/browser/class-names.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { Card } from '#ui/data/card.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { TextAreaField } from '#ui/forms/text-area-field.tsx';
import {
  nameForStaff,
  type Workflow,
  type WorkflowProblem,
} from '@diwan/contract/requests/workflow';
import type { WorkflowDifference } from '@diwan/contract/requests/workflows';
import { ActivateWorkflowDialog, type WorkflowScope } from './activate-workflow-dialog.tsx';
import { nameOfStatus, type NamedStatus } from './editing/edit-props.ts';
import { WorkflowView } from './workflow-view.tsx';
import { useWorkflowValidation, type WorkflowValidation } from './workflow.data.ts';

const isolate = (text: string | number) => `\u2068${text}\u2069`;

// Parameters of problems that have texts.
const nouns: Record<string, string> = { action: 'actions', role: 'roles', input: 'inputs' };
// Those that are a status, by its number or its key.
const statusParams = ['status', 'from', 'to', 'paid'];

/**
 * Actions and roles are shown by name, and so are those of `statuses`; other parameters as in the
 * document, isolated from the surrounding text.
 */
export function useProblemText(
  statuses: readonly NamedStatus[] = [],
): (problem: WorkflowProblem) => string {
  const { t } = useTranslation('workflow');
  const { language } = useLanguage();
  const textOf = (name: string, value: string | number) => {
    if (name in nouns) return t(`${nouns[name]}.${value}`);
    const status = statusParams.includes(name)
      ? statuses.find(({ statusId, key }) => statusId === value || key === value)
      : undefined;
    return status ? nameOfStatus(status, language) : value;
  };
  return ({ code, params }) => {
    const named = Object.entries(params).map(([name, value]) => [
      name,
      isolate(textOf(name, value)),
    ]);
    return t(`faults.${code}`, Object.fromEntries(named) as Record<string, string>);
  };
}

function useDifferenceText(
  before: Workflow,
  after: Workflow,
): (difference: WorkflowDifference) => string {
  const { t } = useTranslation('workflow');
  const { language } = useLanguage();
  const nameOf = (statusId: number | null | undefined) => {
    const status = [...after.statuses, ...before.statuses].find(
      (each) => each.statusId === statusId,
    );
    return status ? isolate(nameForStaff(status)[language]) : t('table.notSent');
  };
  return ({ kind, statusId, action, from, to }) =>
    t(`differences.${kind}`, {
      status: nameOf(statusId),
      action: action ? t(`actions.${action}`) : '',
      from: nameOf(from),
      to: nameOf(to),
    });
}

export function Differences({
  differences,
  before,
  after,
}: {
  differences: readonly WorkflowDifference[];
  before: Workflow;
  after: Workflow;
}) {
  const { t } = useTranslation('workflow');
  const text = useDifferenceText(before, after);
  if (differences.length === 0) return <p>{t('replace.same')}</p>;
  return (
    <>
      <p className="font-semibold">{t('replace.changes', { count: differences.length })}</p>
      <ul className="mt-2 list-disc ps-5">
        {differences.map((difference) => (
          <li key={JSON.stringify(difference)}>{text(difference)}</li>
        ))}
      </ul>
    </>
  );
}

/**
 * The server's validation of a document: its problems, or the differences to the active workflow.
 */
function ValidationResult({
  validation: { faults, document, differences },
  active,
}: {
  validation: WorkflowValidation;
  active: Workflow;
}) {
  const { t } = useTranslation('workflow');
  const problemText = useProblemText();
  if (faults.length > 0) {
    return (
      <Alert tone="danger" isLive title={t('replace.unusable', { count: faults.length })}>
        <ul className="list-disc ps-5">
          {faults.map((problem) => (
            <li key={JSON.stringify(problem)}>{problemText(problem)}</li>
          ))}
        </ul>
      </Alert>
    );
  }
  return document ? (
    <Alert tone="success" isLive title={t('replace.usable')}>
      <Differences differences={differences} before={active} after={document} />
    </Alert>
  ) : null;
}

/** The maximum of the call. */
const maximumDocumentBytes = 500_000;

interface ReplaceProps {
  scope: WorkflowScope;
  active: Workflow;
  text: string;
  onText: (text: string) => void;
}

/**
 * Replaces the workflow: the document is pasted or selected, validated, previewed, and then
 * activated.
 */
export function ReplaceWorkflow({ scope, active, text, onText }: ReplaceProps) {
  const { t } = useTranslation('workflow');
  const inputId = useId();
  const [isTooLarge, setIsTooLarge] = useState(false);
  const [isConfirming, setIsConfirming] = useState(false);
  const { validation, error, isChecking } = useWorkflowValidation(text, scope.serviceId);
  const choose = async (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.target.files ?? [];
    event.target.value = '';
    if (!file) return;
    setIsTooLarge(file.size > maximumDocumentBytes);
    if (file.size <= maximumDocumentBytes) onText(await file.text());
  };
  const document = validation?.document;
  return (
    <Card title={t('replace.heading')}>
      <div className="flex flex-col gap-5">
        <p className="max-w-form">{t('replace.lead')}</p>
        <div className="flex flex-wrap items-center gap-3">
          <input
            id={inputId}
            type="file"
            accept="application/json,.json"
            onChange={(event) => void choose(event)}
            className="peer sr-only"
          />
          <label
            htmlFor={inputId}
            className={classNames(
              'inline-flex min-h-11 cursor-pointer items-center rounded-md border border-ink-300',
              'px-4 font-semibold hover:bg-desert-50 peer-focus-visible:outline-2',
              'peer-focus-visible:outline-offset-2 peer-focus-visible:outline-focus',
            )}
          >
            {t('replace.choose')}
          </label>
        </div>
        <TextAreaField
          name="workflowDocument"
          label={t('replace.document')}
          dir="ltr"
          rows={12}
          maxLength={maximumDocumentBytes}
          value={text}
          onChange={onText}
          focusIds={['WorkflowNotUsable']}
          {...(isTooLarge ? { error: t('replace.tooLarge') } : {})}
        />
        <p role="status" className="text-sm text-ink-600">
          {isChecking ? t('replace.checking') : ''}
        </p>
        {error ? (
          <Alert tone="danger" isLive>
            {t('replace.failed')}
          </Alert>
        ) : null}
        {validation ? <ValidationResult validation={validation} active={active} /> : null}
        {document ? (
          <>
            <div>
              <Button onPress={() => setIsConfirming(true)}>{t('replace.put')}</Button>
            </div>
            <section aria-label={t('replace.preview')}>
              <h3 className="pb-3 text-base">{t('replace.preview')}</h3>
              <WorkflowView
                workflow={document}
                id="workflow-preview"
                part={t('replace.preview')}
                level="h4"
              />
            </section>
            {isConfirming ? (
              <ActivateWorkflowDialog
                scope={scope}
                name={document.name}
                text={text}
                onClose={() => setIsConfirming(false)}
                onDone={() => {
                  setIsConfirming(false);
                  onText('');
                }}
              />
            ) : null}
          </>
        ) : null}
      </div>
    </Card>
  );
}
