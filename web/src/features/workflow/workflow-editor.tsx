import { Plus, Redo2, Settings2, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { IconButton } from '#ui/actions/icon-button.tsx';
import { Card } from '#ui/data/card.tsx';
import { Tabs } from '#ui/data/tabs.tsx';
import { ConflictChoice } from '#ui/editing/conflict-choice.tsx';
import { SavedLine } from '#ui/editing/saved-line.tsx';
import { Alert, ErrorAlert } from '#ui/feedback/alert.tsx';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import type { Workflow, WorkflowProblem } from '@diwan/contract/requests/workflow';
import type { StoredWorkflowDraft, WorkflowDraft } from '@diwan/contract/requests/workflows';
import { ActivateWorkflowDialog, type WorkflowScope } from './activate-workflow-dialog.tsx';
import { EditPanel } from './editing/edit-panel.tsx';
import { nameOfStatus, type EditProps } from './editing/edit-props.ts';
import { EditTables } from './editing/edit-tables.tsx';
import {
  addStatus,
  addTransition,
  placeOfProblem,
  transitionsOfLine,
  type DraftStatus,
  type Selection,
} from './editing/edit-workflow.ts';
import { Differences, useProblemText } from './replace-workflow.tsx';
import { Simulation } from './simulation.tsx';
import { WorkflowDiagram } from './workflow-diagram.tsx';
import { useDraftEditor, type DraftEditor } from './workflow-draft.data.ts';
import { showMiddle, useDiagramTexts } from './workflow-view.tsx';
import { findWarnings } from './workflow-warnings.ts';
import {
  useWorkflowName,
  useWorkflowValidation,
  type WorkflowValidation,
} from './workflow.data.ts';

/** The draft as the picture draws it: without lines to statuses that do not exist. */
function toDrawing(draft: WorkflowDraft): Workflow {
  const ids = new Set(draft.statuses.map(({ statusId }) => statusId));
  const named = ({ key, ...status }: DraftStatus): DraftStatus => ({
    ...status,
    key,
    name: {
      'ar-EG': status.name['ar-EG'] || key,
      'en-US': status.name['en-US'] || key,
      'ur-PK': status.name['ur-PK'] || key,
    },
  });
  return {
    ...draft,
    statuses: draft.statuses.map(named),
    transitions: draft.transitions
      .filter(({ from, to }) => ids.has(to) && (from === null || ids.has(from)))
      .map(({ toPay, ...rest }) =>
        toPay === undefined || !ids.has(toPay) ? rest : { ...rest, toPay },
      ),
  };
}

function keyOf(selection: Selection | undefined): string | undefined {
  if (selection?.kind === 'status') return `status ${selection.statusId}`;
  return selection?.kind === 'line' ? `line ${selection.from} ${selection.to}` : undefined;
}

function EditPicture({
  editor,
  selection,
  onSelect,
}: EditProps & { selection: Selection | undefined }) {
  const { t } = useTranslation('workflow');
  const { language } = useLanguage();
  const drawing = toDrawing(editor.draft);
  const texts = useDiagramTexts(drawing);
  if (drawing.statuses.length === 0) return <p className="text-ink-600">{t('edit.empty')}</p>;
  return (
    <section
      ref={showMiddle}
      aria-label={t('edit.picture')}
      className="overflow-x-auto rounded-md border border-ink-100 bg-desert-50 p-2 [&>svg]:mx-auto [&>svg]:max-w-none"
    >
      <WorkflowDiagram
        workflow={drawing}
        texts={texts}
        language={language}
        id="workflow-draft"
        buttons={{
          selected: keyOf(selection),
          onStatus: (statusId) => onSelect({ kind: 'status', statusId }),
          onLine: (from, to) => {
            const [index, ...others] = transitionsOfLine(editor.draft, from, to);
            onSelect(
              index !== undefined && others.length === 0
                ? { kind: 'transition', index }
                : { kind: 'line', from, to },
            );
          },
        }}
      />
    </section>
  );
}

/** What prevents the activation, and what is probably not meant, each with a link to its place. */
function Problems({
  editor,
  faults,
  onSelect,
}: EditProps & { faults: readonly WorkflowProblem[] }) {
  const { t } = useTranslation(['workflow', 'shell']);
  const { language } = useLanguage();
  const { draft } = editor;
  const problemText = useProblemText(draft.statuses);
  const warnings = findWarnings(draft);
  const nameOf = (statusId: number) => {
    const status = draft.statuses.find((each) => each.statusId === statusId);
    return status ? `\u2068${nameOfStatus(status, language)}\u2069` : '';
  };
  // The server names the place of a text in the document; here it has a name.
  const faultText = (fault: WorkflowProblem) => {
    const path = /^statuses\.(\d+)\.(name|staffName|description)/.exec(String(fault.params.path));
    const status = path && draft.statuses[Number(path[1])];
    const action =
      draft.transitions[
        Number(/^transitions\.(\d+)\.message/.exec(String(fault.params.path))?.[1])
      ];
    if (fault.code === 'languageMissing' && action)
      return t('edit.textMissing', {
        status: t(`actions.${action.action}`),
        part: t('edit.message'),
        language: t(`shell:languages.${fault.params.language}`),
      });
    if (fault.code !== 'languageMissing' || !status) return problemText(fault);
    return t('edit.textMissing', {
      status: nameOf(status.statusId),
      part: t(`edit.${path[2]}`),
      language: t(`shell:languages.${fault.params.language}`),
    });
  };
  const link = (text: string, place: Selection) => (
    <li key={text}>
      <button type="button" className="link text-start" onClick={() => onSelect(place)}>
        {text}
      </button>
    </li>
  );
  return (
    <>
      {faults.length > 0 ? (
        <Alert tone="danger" isLive title={t('replace.unusable', { count: faults.length })}>
          <ul className="flex list-disc flex-col gap-1 ps-5">
            {faults.map((fault) => link(faultText(fault), placeOfProblem(draft, fault.params)))}
          </ul>
        </Alert>
      ) : null}
      {warnings.length > 0 ? (
        <Alert tone="warning" title={t('edit.warningsTitle', { count: warnings.length })}>
          <ul className="flex list-disc flex-col gap-1 ps-5">
            {warnings.map(({ code, place, status, action, language: missing }) =>
              link(
                t(`edit.warnings.${code}`, {
                  status: status === undefined ? '' : nameOf(status),
                  action: action ? t(`actions.${action}`) : '',
                  language: missing ? t(`shell:languages.${missing}`) : '',
                }),
                place,
              ),
            )}
          </ul>
        </Alert>
      ) : null}
    </>
  );
}

/** Another admin has stored a newer draft: nothing is stored until one is chosen. */
function Conflict({ editor }: { editor: DraftEditor }) {
  const { t } = useTranslation('workflow');
  const nameOf = useWorkflowName();
  const { view, draft } = editor;
  const [conflict] = view.conflicts;
  if (!conflict) return null;
  const { theirs } = conflict;
  const fields = [
    { label: t('page.name'), mine: nameOf(draft.name), theirs: nameOf(theirs.name) },
    ...(['statuses', 'transitions'] as const).map((part) => ({
      label: t(`edit.conflict.${part}`),
      mine: String(draft[part].length),
      theirs: String(theirs[part].length),
    })),
  ];
  return (
    <ConflictChoice
      by={theirs === view.saved.content ? view.saved.by : undefined}
      isUndoable
      fields={fields.filter(({ mine, theirs: other }) => mine !== other)}
      onKeepMine={() => editor.resolve(draft)}
      onTakeTheirs={() => editor.resolve(theirs)}
    />
  );
}

function Toolbar({ editor, onSelect, onDiscard }: EditProps & { onDiscard: () => void }) {
  const { t } = useTranslation('workflow');
  const { draft } = editor;
  return (
    <div role="group" aria-label={t('edit.heading')} className="flex flex-wrap items-center gap-2">
      <Button
        variant="secondary"
        size="sm"
        icon={<Plus aria-hidden size={18} />}
        onPress={() => {
          const added = addStatus(draft);
          editor.change(added.draft);
          onSelect({ kind: 'status', statusId: added.statusId });
        }}
      >
        {t('edit.addStatus')}
      </Button>
      <Button
        variant="secondary"
        size="sm"
        icon={<Plus aria-hidden size={18} />}
        isDisabled={draft.statuses.length === 0}
        onPress={() => {
          const added = addTransition(draft, draft.statuses[0]?.statusId ?? null);
          editor.change(added.draft);
          onSelect({ kind: 'transition', index: added.index });
        }}
      >
        {t('edit.addAction')}
      </Button>
      <Button
        variant="secondary"
        size="sm"
        icon={<Settings2 aria-hidden size={18} />}
        onPress={() => onSelect({ kind: 'document' })}
      >
        {t('edit.documentTitle')}
      </Button>
      <IconButton label={t('edit.undo')} isDisabled={!editor.canUndo} onPress={editor.undo}>
        <Undo2 aria-hidden size={20} className="mirror" />
      </IconButton>
      <IconButton label={t('edit.redo')} isDisabled={!editor.canRedo} onPress={editor.redo}>
        <Redo2 aria-hidden size={20} className="mirror" />
      </IconButton>
      {editor.isStarted ? (
        <Button variant="quiet" size="sm" onPress={onDiscard}>
          {t('edit.discard')}
        </Button>
      ) : null}
    </div>
  );
}

/** Problems of the shape: such a document cannot be tried. */
const shapeProblems: readonly string[] = [
  'notJson',
  'unknownPart',
  'missingPart',
  'wrongPart',
  'languageMissing',
];

function Outcome({
  editor,
  active,
  scope,
  validation,
  text,
}: {
  editor: DraftEditor;
  active: Workflow;
  scope: WorkflowScope;
  validation: WorkflowValidation;
  text: string;
}) {
  const { t } = useTranslation('workflow');
  const [isConfirming, setIsConfirming] = useState(false);
  const { document, differences, faults } = validation;
  return (
    <>
      {document ? (
        <Alert tone="success" title={t('replace.usable')}>
          <Differences differences={differences} before={active} after={document} />
        </Alert>
      ) : null}
      {faults.some(({ code }) => shapeProblems.includes(code)) ? null : (
        <Simulation text={text} serviceId={scope.serviceId} />
      )}
      {document ? (
        <div>
          <Button
            isDisabled={differences.length === 0 || editor.view.state === 'conflict'}
            onPress={() => setIsConfirming(true)}
          >
            {t('edit.activate')}
          </Button>
        </div>
      ) : null}
      {isConfirming && document ? (
        <ActivateWorkflowDialog
          scope={scope}
          name={document.name}
          text={text}
          onActivated={editor.finish}
          onClose={() => setIsConfirming(false)}
          onDone={() => setIsConfirming(false)}
        />
      ) : null}
    </>
  );
}

/**
 * Edits the draft of a scope: as a picture and as tables, with undo, problems, the differences from
 * the active workflow and a trial on past requests.
 */
export function WorkflowEditor({
  active,
  stored,
  scope,
}: {
  active: Workflow;
  stored: StoredWorkflowDraft;
  scope: WorkflowScope;
}) {
  const { t } = useTranslation('workflow');
  const editor = useDraftEditor(active, stored, scope.serviceId);
  const [selection, onSelect] = useState<Selection>();
  const [view, setView] = useState('picture');
  const [isDiscarding, setIsDiscarding] = useState(false);
  const text = JSON.stringify(editor.draft);
  const { validation, error, isChecking } = useWorkflowValidation(
    // Without a draft there is nothing to say about it.
    editor.isStarted ? text : '',
    scope.serviceId,
  );
  return (
    <Card
      title={t('edit.heading')}
      action={<SavedLine view={editor.view} noDraft={t('edit.noDraft')} />}
    >
      <div className="flex flex-col gap-5">
        <p className="max-w-form text-ink-600">{t('edit.lead')}</p>
        <Conflict editor={editor} />
        <Toolbar editor={editor} onSelect={onSelect} onDiscard={() => setIsDiscarding(true)} />
        <Tabs
          label={t('edit.heading')}
          selected={view}
          onSelect={setView}
          tabs={[
            {
              id: 'picture',
              label: t('picture.heading'),
              content: <EditPicture editor={editor} selection={selection} onSelect={onSelect} />,
            },
            {
              id: 'table',
              label: t('edit.table'),
              content: <EditTables editor={editor} onSelect={onSelect} />,
            },
          ]}
        />
        <p role="status" className="text-sm text-ink-600">
          {isChecking ? t('replace.checking') : ''}
        </p>
        <ErrorAlert
          error={error ?? (editor.view.state === 'refused' ? null : editor.view.problem)}
        />
        {validation ? (
          <>
            <Problems editor={editor} faults={validation.faults} onSelect={onSelect} />
            <Outcome
              editor={editor}
              active={active}
              scope={scope}
              validation={validation}
              text={text}
            />
          </>
        ) : null}
        <EditPanel editor={editor} selection={selection} onSelect={onSelect} />
        {isDiscarding ? (
          <ConfirmDialog
            title={t('edit.discardTitle')}
            confirmLabel={t('edit.discard')}
            pendingLabel={t('edit.discard')}
            cancelLabel={t('replace.cancel')}
            isPending={false}
            onConfirm={() => {
              setIsDiscarding(false);
              void editor.discard();
            }}
            onClose={() => setIsDiscarding(false)}
          >
            <p>{t('edit.discardText')}</p>
          </ConfirmDialog>
        ) : null}
      </div>
    </Card>
  );
}
