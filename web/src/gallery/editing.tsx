import { useForm } from 'react-hook-form';
import { saveAgency } from '@diwan/contract/catalogue/agencies';
import type { FieldChange } from '@diwan/contract/people/changes';
import type { LocalizedText } from '@diwan/contract/wire/languages';
import type { SavingState } from '../lib/documents/saved-document.ts';
import { Button } from '../ui/actions/button.tsx';
import { ChangedFields, ChangedThing, ChangeHistory } from '../ui/data/change-history.tsx';
import { ChangedValue } from '../ui/data/changed-value.tsx';
import { DifferenceLine } from '../ui/designs/difference-line.tsx';
import { ConflictChoice } from '../ui/editing/conflict-choice.tsx';
import { EditorForm, useRecordEditor } from '../ui/editing/editor-form.tsx';
import { FormConflict } from '../ui/editing/form-conflict.tsx';
import { LocalizedFields, noText, TextWarnings } from '../ui/editing/localized-fields.tsx';
import { LocalizedFormField } from '../ui/editing/localized-form-field.tsx';
import { PartyFields, type PartyForm } from '../ui/editing/party-fields.tsx';
import { May, SavedFields } from '../ui/editing/permitted.tsx';
import { RecordDialog } from '../ui/editing/record-dialog.tsx';
import { SavedLine } from '../ui/editing/saved-line.tsx';
import { UsualItemsDialog } from '../ui/editing/usual-items-dialog.tsx';
import { Fold } from '../ui/forms/fold.tsx';
import examples from './examples.json';
import { Controlled, ignore, Opener, type Examples, type Stories } from './story.tsx';

const eventTexts: LocalizedText = {
  'ar-EG': examples['ar-EG'].eventText,
  'en-US': examples['en-US'].eventText,
  'ur-PK': examples['ur-PK'].eventText,
};

const localizedFields = (name: string, label: string, initial: LocalizedText, error?: string) => (
  <Controlled initial={initial}>
    {(field) => <LocalizedFields {...field} name={name} legend={label} error={error} />}
  </Controlled>
);

function FormFieldExample({ label }: { label: string }) {
  const form = useForm({ defaultValues: { text: eventTexts } });
  return (
    <LocalizedFormField
      control={form.control}
      name="text"
      legend={label}
      maxLength={200}
      error={null}
    />
  );
}

function FormConflictExample({ label, theirs }: { label: string; theirs: string }) {
  const form = useForm({ defaultValues: { name: label } });
  return (
    <FormConflict
      form={form}
      save={{ isPending: false, reset: ignore }}
      theirs={{ name: theirs }}
      labels={{ name: label }}
      onKeepMine={ignore}
      onTakeTheirs={ignore}
    />
  );
}

function PartyExample({ values }: { values: PartyForm }) {
  const { control } = useForm({ defaultValues: values });
  return <PartyFields control={control} findMissing={() => []} />;
}

const noParty: PartyForm = { street: '', city: '', emirate: '', trn: '' };

const usualItems = [
  { key: 1, name: eventTexts, isThere: false },
  { key: 2, name: eventTexts, isThere: true },
];

const textOf = () => ({ text: eventTexts });

function EditorFormExample({ label, submit }: { label: string; submit: string }) {
  const editor = useRecordEditor('example', undefined, textOf);
  return (
    <EditorForm
      editor={editor}
      draftOf={textOf}
      conflictsOf={() => []}
      isPending={false}
      call={{ who: 'anyone' }}
      onSubmit={ignore}
    >
      <LocalizedFields
        legend={label}
        name="edited"
        value={editor.draft.text}
        onChange={(text) => editor.change({ text })}
      />
      <Button type="submit">{submit}</Button>
    </EditorForm>
  );
}

function RecordDialogExample({ texts, onClose }: { texts: Examples; onClose: () => void }) {
  const form = useForm({ defaultValues: textOf() });
  return (
    <RecordDialog
      form={form}
      title={texts.employeeTitle}
      submitLabel={texts.continue}
      cancelLabel={texts.cancel}
      errorTitle={texts.pageTitle}
      record={undefined}
      valuesOf={textOf}
      call={saveAgency}
      bodyOf={({ text }) => ({ name: text })}
      readAgain={async () => undefined}
      labels={{ text: texts.name }}
      onSaved={ignore}
      onClose={onClose}
    >
      {(error) => (
        <LocalizedFormField
          control={form.control}
          name="text"
          legend={texts.name}
          maxLength={200}
          error={error}
        />
      )}
    </RecordDialog>
  );
}

const change = { entity: 'agency', entityId: '1', name: examples['en-US'].eventText } as const;

const changes: FieldChange[] = [
  { field: 'name', language: 'en-US', before: examples['en-US'].eventText, after: 'Licence' },
  { field: 'isRetired', before: false, after: true },
];

const savingOf = (state: SavingState) => ({
  state,
  saved: { savedAt: state === 'saved' ? '2026-11-27T08:00:00Z' : '' },
  problem: null,
});

const difference = { part: 'fee', path: [eventTexts] };

/** Components for editing records of the portal. */
export const editingStories: Stories = (texts) => {
  const { name: label, people, eventText, services, submit } = texts;
  return [
    {
      name: 'LocalizedFields',
      isWide: true,
      states: {
        empty: localizedFields('empty', label, noText),
        filled: localizedFields('filled', label, eventTexts),
        warnings: localizedFields('warnings', label, {
          ...eventTexts,
          'ur-PK': eventTexts['en-US'],
        }),
      },
    },
    {
      name: 'SavedLine',
      states: {
        nothing: <SavedLine view={savingOf('none')} noDraft={submit} />,
        saving: <SavedLine view={savingOf('saving')} />,
        saved: <SavedLine view={savingOf('saved')} />,
        device: <SavedLine view={savingOf('device')} />,
        conflict: <SavedLine view={savingOf('conflict')} />,
      },
    },
    {
      name: 'LocalizedFormField',
      isWide: true,
      states: { default: <FormFieldExample label={label} /> },
    },
    {
      name: 'TextWarnings',
      states: { several: <TextWarnings kinds={['wrongScript', 'muchLonger']} /> },
    },
    {
      name: 'ConflictChoice',
      isWide: true,
      states: {
        default: (
          <ConflictChoice
            fields={[{ label, mine: eventText, theirs: services[0] }]}
            onKeepMine={ignore}
            onTakeTheirs={ignore}
          />
        ),
      },
    },
    {
      name: 'FormConflict',
      isWide: true,
      states: { default: <FormConflictExample label={label} theirs={services[0] ?? ''} /> },
    },
    {
      name: 'ChangedFields, ChangedThing, ChangedValue, ChangeHistory',
      isWide: true,
      states: {
        thing: <ChangedThing change={change} />,
        value: <ChangedValue entity="agency" field="isRetired" value={true} names={undefined} />,
        fields: <ChangedFields entity="agency" fields={changes} />,
        closed: <ChangeHistory entity="agency" entityId={1} />,
      },
    },
    {
      name: 'DifferenceLine',
      isWide: true,
      states: {
        changed: (
          <DifferenceLine
            difference={{
              ...difference,
              kind: 'changed',
              property: 'amount',
              before: 100,
              after: 200,
            }}
          />
        ),
        added: <DifferenceLine difference={{ ...difference, kind: 'added' }} />,
      },
    },
    {
      name: 'EditorForm',
      isWide: true,
      states: {
        default: <EditorFormExample label={label} submit={submit} />,
      },
    },
    {
      name: 'PartyFields',
      states: {
        empty: <PartyExample values={noParty} />,
        filled: (
          <PartyExample values={{ ...noParty, street: texts.street, trn: '100123456700003' }} />
        ),
      },
    },
    {
      name: 'May, SavedFields',
      states: {
        'who may': (
          <May call={{ who: 'anyone' }}>
            <Button>{submit}</Button>
          </May>
        ),
        'who only reads': (
          <SavedFields call={{ who: [] }}>
            <Button>{submit}</Button>
          </SavedFields>
        ),
      },
    },
    {
      name: 'UsualItemsDialog',
      states: {
        opened: (
          <Opener label={texts.wideTitle}>
            {(close) => (
              <UsualItemsDialog
                title={texts.wideTitle}
                items={usualItems}
                isPending={false}
                onAdd={close}
                onClose={close}
              />
            )}
          </Opener>
        ),
      },
    },
    {
      name: 'Fold',
      states: { closed: <Fold title={label}>{people[0]}</Fold> },
    },
    {
      name: 'RecordDialog',
      states: {
        opened: (
          <Opener label={texts.employeeTitle}>
            {(close) => <RecordDialogExample texts={texts} onClose={close} />}
          </Opener>
        ),
      },
    },
  ];
};
