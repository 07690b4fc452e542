import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { LocalizedFields, noText } from '#ui/editing/localized-fields.tsx';
import { Dialog } from '#ui/feedback/dialog.tsx';
import { Checkbox } from '#ui/forms/checkbox.tsx';
import { NumberField } from '#ui/forms/number-field.tsx';
import { SelectField } from '#ui/forms/select-field.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import { statusTones } from '@diwan/contract/requests/workflow';
import type { LocalizedText } from '@diwan/contract/wire/languages';
import type { DraftEditor } from '../workflow-draft.data.ts';
import {
  maximumText,
  nameOfStatus,
  typedIn,
  useStatusChoices,
  type EditProps,
} from './edit-props.ts';
import { TransitionFields } from './edit-transition.tsx';
import {
  addTransition,
  changeStatus,
  removeStatus,
  transitionsOfLine,
  type DraftStatus,
  type Selection,
} from './edit-workflow.ts';

const countGroups = ['new', 'processing'] as const;

/** The actions with these indexes as buttons that open them. */
function ActionButtons({ editor, indexes, onSelect }: EditProps & { indexes: readonly number[] }) {
  const { t } = useTranslation('workflow');
  const { language } = useLanguage();
  const { draft } = editor;
  const nameOf = (statusId: number) => {
    const status = draft.statuses.find((each) => each.statusId === statusId);
    return status ? nameOfStatus(status, language) : String(statusId);
  };
  return (
    <ul className="flex flex-col gap-2">
      {indexes.map((index) => {
        const transition = draft.transitions[index];
        if (!transition) return null;
        return (
          <li key={index}>
            <Button
              variant="secondary"
              size="sm"
              onPress={() => onSelect({ kind: 'transition', index })}
            >
              {t('edit.actionTo', {
                action: t(`actions.${transition.action}`),
                status: `\u2068${nameOf(transition.to)}\u2069`,
              })}
            </Button>
          </li>
        );
      })}
    </ul>
  );
}

const maximumDays = 365;

/** In how many working days a request has to leave the status. */
function TimeLimit({
  workingDays,
  onChange,
}: {
  workingDays: number | undefined;
  onChange: (workingDays: number | undefined) => void;
}) {
  const { t } = useTranslation('workflow');
  const [typed, setTyped] = useState(workingDays);
  const isUsable = (days: number | undefined) =>
    days === undefined || (Number.isInteger(days) && days >= 1 && days <= maximumDays);
  return (
    <NumberField
      isOptional
      label={t('edit.timeLimit')}
      description={t('edit.timeLimitHint')}
      // What cannot be stored stays in the box.
      value={isUsable(typed) ? workingDays : typed}
      error={isUsable(typed) ? undefined : t('edit.timeLimitWrong', { maximum: maximumDays })}
      onChange={(days) => {
        setTyped(days);
        if (isUsable(days)) onChange(days);
      }}
    />
  );
}

function StatusFields({ editor, status, onSelect }: EditProps & { status: DraftStatus }) {
  const { t } = useTranslation('workflow');
  const { draft } = editor;
  const { statusId } = status;
  const set = (change: Partial<DraftStatus>, key?: string) =>
    editor.change(changeStatus(draft, statusId, change), key && `${statusId} ${key}`);
  const setStaffName = (staffName: LocalizedText) =>
    set(
      { staffName: Object.values(staffName).some(Boolean) ? staffName : undefined },
      `staffName ${typedIn(status.staffName ?? noText, staffName)}`,
    );
  const indexes = draft.transitions.flatMap(({ from }, index) =>
    from === statusId ? [index] : [],
  );
  const add = () => {
    const added = addTransition(draft, statusId);
    editor.change(added.draft);
    onSelect({ kind: 'transition', index: added.index });
  };
  return (
    <>
      <LocalizedFields
        legend={t('edit.name')}
        name="statusName"
        maxLength={maximumText}
        value={status.name}
        onChange={(name) => set({ name }, `name ${typedIn(status.name, name)}`)}
      />
      <LocalizedFields
        legend={t('edit.staffName')}
        name="staffName"
        maxLength={maximumText}
        isOptional
        value={status.staffName ?? noText}
        onChange={setStaffName}
      />
      <LocalizedFields
        legend={t('edit.description')}
        name="statusDescription"
        maxLength={maximumText}
        rows={2}
        value={status.description}
        onChange={(text) =>
          set({ description: text }, `description ${typedIn(status.description, text)}`)
        }
      />
      <SelectField
        label={t('edit.tone')}
        value={status.tone}
        choices={statusTones.map((tone) => ({ value: tone, label: t(`tones.${tone}`) }))}
        onChange={(chosen) => {
          const tone = statusTones.find((each) => each === chosen) ?? status.tone;
          set({ tone, ...(tone === 'progress' ? {} : { workingDays: undefined }) });
        }}
      />
      {status.tone === 'progress' || status.workingDays !== undefined ? (
        <TimeLimit
          key={statusId}
          workingDays={status.workingDays}
          onChange={(workingDays) => set({ workingDays }, 'workingDays')}
        />
      ) : null}
      <SelectField
        label={t('edit.countsAs')}
        value={status.countsAs ?? 'none'}
        choices={[
          { value: 'none', label: t('edit.counts.none') },
          ...countGroups.map((group) => ({ value: group, label: t(`edit.counts.${group}`) })),
        ]}
        onChange={(group) => set({ countsAs: countGroups.find((each) => each === group) })}
      />
      <TextField
        label={t('edit.key')}
        description={t('edit.keyHint')}
        dir="ltr"
        maxLength={40}
        value={status.key}
        onChange={(key) => set({ key }, 'key')}
      />
      <section className="flex flex-col gap-3">
        <h3 className="font-semibold">{t('edit.actionsHere')}</h3>
        {indexes.length === 0 ? <p className="text-ink-600">{t('edit.noActions')}</p> : null}
        <ActionButtons editor={editor} indexes={indexes} onSelect={onSelect} />
        <div className="flex flex-wrap gap-3">
          <Button variant="secondary" icon={<Plus aria-hidden size={18} />} onPress={add}>
            {t('edit.addAction')}
          </Button>
          <Button
            variant="quiet"
            icon={<Trash2 aria-hidden size={18} />}
            onPress={() => {
              editor.change(removeStatus(draft, statusId));
              onSelect(undefined);
            }}
          >
            {t('edit.removeStatus')}
          </Button>
        </div>
      </section>
    </>
  );
}

function DocumentFields({ editor }: { editor: DraftEditor }) {
  const { t } = useTranslation('workflow');
  const { draft } = editor;
  const { start } = draft;
  const statuses = useStatusChoices(editor);
  const setStart = (change: Partial<typeof start>) => {
    const { draft: draftStatus, ...rest } = { ...start, ...change };
    const next = draftStatus === undefined ? rest : { ...rest, draft: draftStatus };
    editor.change({ ...draft, start: next });
  };
  return (
    <>
      <TextField
        label={t('page.name')}
        maxLength={200}
        dir="auto"
        value={draft.name}
        onChange={(name) => editor.change({ ...draft, name }, 'document name')}
      />
      <NumberField
        label={t('page.version')}
        value={draft.version}
        onChange={(version) => {
          if (version !== undefined && version > 0)
            editor.change({ ...draft, version }, 'document version');
        }}
      />
      <Checkbox
        label={t('edit.demo')}
        value={draft.demo}
        onChange={(demo) => editor.change({ ...draft, demo })}
      />
      <SelectField
        label={t('edit.startToPay')}
        value={String(start.toPay)}
        choices={statuses}
        onChange={(chosen) => setStart({ toPay: Number(chosen) })}
      />
      <SelectField
        label={t('edit.startFree')}
        value={String(start.free)}
        choices={statuses}
        onChange={(chosen) => setStart({ free: Number(chosen) })}
      />
      <SelectField
        label={t('edit.startDraft')}
        value={start.draft === undefined ? 'none' : String(start.draft)}
        choices={[{ value: 'none', label: t('edit.counts.none') }, ...statuses]}
        onChange={(chosen) =>
          setStart({ draft: chosen === 'none' ? undefined : Number(chosen) } as typeof start)
        }
      />
    </>
  );
}

/** The title of the panel and its fields; undefined when an undo has removed what was selected. */
function useSelected({ editor, onSelect }: EditProps, selection: Selection | undefined) {
  const { t } = useTranslation('workflow');
  const { language } = useLanguage();
  const { draft } = editor;
  const props = { editor, onSelect };
  switch (selection?.kind) {
    case 'status': {
      const status = draft.statuses.find(({ statusId }) => statusId === selection.statusId);
      return (
        status && {
          title: t('edit.statusTitle', { status: `\u2068${nameOfStatus(status, language)}\u2069` }),
          fields: <StatusFields {...props} status={status} />,
        }
      );
    }
    case 'transition': {
      const { index } = selection;
      const transition = draft.transitions[index];
      return (
        transition && {
          title: t('edit.actionTitle', { action: t(`actions.${transition.action}`) }),
          fields: <TransitionFields {...props} index={index} transition={transition} />,
        }
      );
    }
    case 'line':
      return {
        title: t('edit.lineTitle'),
        fields: (
          <ActionButtons
            {...props}
            indexes={transitionsOfLine(draft, selection.from, selection.to)}
          />
        ),
      };
    case 'document':
      return { title: t('edit.documentTitle'), fields: <DocumentFields editor={editor} /> };
    default:
      return undefined;
  }
}

/** The part of the draft that is selected, in a panel at the side; changes apply as they are made. */
export function EditPanel({
  editor,
  selection,
  onSelect,
}: EditProps & { selection: Selection | undefined }) {
  const { t } = useTranslation('workflow');
  const selected = useSelected({ editor, onSelect }, selection);
  if (!selected) return null;
  const close = () => onSelect(undefined);
  return (
    <Dialog
      isOpen
      kind="panel"
      title={selected.title}
      onClose={close}
      actions={<Button onPress={close}>{t('edit.done')}</Button>}
    >
      <div className="flex flex-col gap-6">{selected.fields}</div>
    </Dialog>
  );
}
