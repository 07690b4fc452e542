import { Plus, Trash2 } from 'lucide-react';
import { statusTones, requestActions } from '@diwan/contract/requests/workflow';
import { languages, type Language, type LocalizedText } from '@diwan/contract/wire/languages';
import { useTranslation } from '../../lib/i18n/translate.ts';
import { useLanguage } from '../../lib/i18n/language.ts';
import { Button } from '../../ui/actions/button.tsx';
import { LocalizedFields, noText } from '../../ui/editing/localized-fields.tsx';
import { Dialog } from '../../ui/feedback/dialog.tsx';
import { Checkbox, CheckboxGroup } from '../../ui/forms/checkbox.tsx';
import { NumberField } from '../../ui/forms/number-field.tsx';
import { SelectField } from '../../ui/forms/select-field.tsx';
import { TextField } from '../../ui/forms/text-field.tsx';
import {
  addTransition,
  changeStatus,
  changeTransition,
  removeStatus,
  removeTransition,
  transitionsOfLine,
  usualRoles,
  type DraftStatus,
  type DraftTransition,
  type Selection,
} from './edit-workflow.ts';
import type { DraftEditor } from './workflow-draft.data.ts';

const allRoles = [
  'Client',
  'CompanyUser',
  'Employee',
  'Admin',
  'ServiceProvider',
  'payment',
] as const;
const countGroups = ['new', 'processing'] as const;
const maximumText = 400;

export interface EditProps {
  editor: DraftEditor;
  onSelect: (selection: Selection | undefined) => void;
}

/** The name of a status as staff read it; its key where it has none yet. */
export const nameOfStatus = (
  { name, staffName, key }: Pick<DraftStatus, 'name' | 'staffName' | 'key'>,
  language: Language,
): string => (staffName?.[language] || name[language] || key).trim();

/** The language of the text that was typed in, so that typing in one field is one step of undo. */
const typedIn = (before: LocalizedText, after: LocalizedText) =>
  languages.find((language) => before[language] !== after[language]) ?? '';

function useStatusChoices({ draft }: DraftEditor) {
  const { language } = useLanguage();
  return draft.statuses.map((status) => ({
    value: String(status.statusId),
    label: nameOfStatus(status, language),
  }));
}

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
        onChange={(tone) => set({ tone: tone as DraftStatus['tone'] })}
      />
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

function TransitionFields({
  editor,
  index,
  transition,
  onSelect,
}: EditProps & { index: number; transition: DraftTransition }) {
  const { t } = useTranslation('workflow');
  const { draft } = editor;
  const statuses = useStatusChoices(editor);
  const set = (change: Partial<DraftTransition>, key?: string) =>
    editor.change(changeTransition(draft, index, change), key && `action ${index} ${key}`);
  const { action, from, to, who, holderOnly = false, notify = false, toPay } = transition;
  const { message = noText } = transition;
  const mayCharge = ['approve', 'accept', 'submitted'].includes(action);
  return (
    <>
      <SelectField
        label={t('table.action')}
        value={action}
        description={t(`edit.asks.${action}`)}
        choices={requestActions.map((each) => ({ value: each, label: t(`actions.${each}`) }))}
        onChange={(chosen) => {
          const next = requestActions.find((each) => each === chosen) ?? action;
          set({ action: next, who: usualRoles(next), toPay: undefined });
        }}
      />
      <SelectField
        label={t('edit.from')}
        value={from === null ? 'none' : String(from)}
        choices={[{ value: 'none', label: t('table.notSent') }, ...statuses]}
        onChange={(chosen) => set({ from: chosen === 'none' ? null : Number(chosen) })}
      />
      <SelectField
        label={t('table.to')}
        value={String(to)}
        choices={statuses}
        onChange={(chosen) => set({ to: Number(chosen) })}
      />
      <CheckboxGroup
        label={t('table.who')}
        value={who}
        choices={allRoles.map((role) => ({ value: role, label: t(`roles.${role}`) }))}
        onChange={(roles) => set({ who: allRoles.filter((role) => roles.includes(role)) })}
      />
      <Checkbox
        label={t('edit.holderOnly')}
        value={holderOnly}
        onChange={(isSet) => set({ holderOnly: isSet || undefined })}
      />
      <Checkbox
        label={t('edit.notify')}
        value={notify}
        onChange={(isSet) =>
          set({ notify: isSet || undefined, ...(isSet ? {} : { message: undefined }) })
        }
      />
      {notify ? (
        <LocalizedFields
          isOptional
          legend={t('edit.message')}
          description={t('edit.messageHint')}
          name="actionMessage"
          maxLength={maximumText}
          rows={2}
          value={message}
          onChange={(text) =>
            set(
              { message: Object.values(text).some(Boolean) ? text : undefined },
              `message ${typedIn(message, text)}`,
            )
          }
        />
      ) : null}
      {mayCharge || toPay !== undefined ? (
        <SelectField
          label={t('edit.toPay')}
          value={toPay === undefined ? 'none' : String(toPay)}
          choices={[{ value: 'none', label: t('edit.noFees') }, ...statuses]}
          onChange={(chosen) => set({ toPay: chosen === 'none' ? undefined : Number(chosen) })}
        />
      ) : null}
      <div>
        <Button
          variant="quiet"
          icon={<Trash2 aria-hidden size={18} />}
          onPress={() => {
            editor.change(removeTransition(draft, index));
            onSelect(undefined);
          }}
        >
          {t('edit.removeAction')}
        </Button>
      </div>
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
