import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { answerCall, refuse } from '#testing/answer-calls.ts';
import { renderComponent } from '#testing/render-page.tsx';
import { saveAgency } from '@diwan/contract/catalogue/agencies';
import type { BodyInputOf } from '@diwan/contract/wire/call';
import { FormField } from '../forms/form-dialog.tsx';
import { TextField } from '../forms/text-field.tsx';
import { RecordDialog } from './record-dialog.tsx';

interface Saved {
  version: number;
  name: string;
}
const bodyOf = (name: string, over: Saved | undefined, isRetired = false) => ({
  id: 7,
  version: over?.version ?? 0,
  name: { 'ar-EG': name, 'en-US': name, 'ur-PK': name },
  isRetired,
});

const first = { version: 1, name: 'First' };
const theirs = { version: 2, name: 'Theirs' };

/** A record that somebody else has saved since the page has read it. */
function Sample() {
  const [record, setRecord] = useState<Saved>(first);
  const form = useForm({ defaultValues: { name: record.name } });
  return (
    <RecordDialog
      form={form}
      title="Sample"
      submitLabel="Save"
      cancelLabel="Cancel"
      record={record}
      valuesOf={({ name }) => ({ name })}
      call={saveAgency}
      bodyOf={({ name }, over) => bodyOf(name, over)}
      readAgain={async () => {
        // The page behind the dialog shows it too.
        setRecord(theirs);
        return theirs;
      }}
      labels={{ name: 'Name' }}
      onSaved={() => undefined}
      remove={{ label: 'Delete', bodyOf: (seen) => bodyOf(seen.name, seen, true) }}
      onClose={() => undefined}
    >
      {() => (
        <FormField control={form.control} name="name">
          {(field) => <TextField {...field} label="Name" />}
        </FormField>
      )}
    </RecordDialog>
  );
}

const button = (name: string) => page.getByRole('button', { name });
const name = page.getByRole('textbox', { name: 'Name' });

/** Opens the dialog and types a name. Returns what the dialog sends. */
async function open(): Promise<() => { version: number; name: string; isRetired: boolean }[]> {
  const sent = answerCall(saveAgency, ({ body }) => {
    if ((body as { version: number }).version === 1) throw refuse(409, 'RecordHasChanged');
    return [];
  });
  await renderComponent(<Sample />);
  await name.fill('Mine');
  return () =>
    sent.map(({ body }) => {
      const {
        version = 0,
        name: texts,
        isRetired = false,
      } = body as BodyInputOf<typeof saveAgency>;
      return { version, name: texts['en-US'], isRetired };
    });
}

it.each([
  ['Save', { version: 1, name: 'Mine', isRetired: false }],
  ['Delete', { version: 1, name: 'First', isRetired: true }],
])('%s sends the version that the person has seen, until they choose', async (label, body) => {
  const sent = await open();
  await button(label).click();
  await expect.element(page.getByRole('status').filter({ hasText: 'Theirs' })).toBeVisible();
  await button(label).click();
  await expect.poll(sent).toEqual([body, body]);
});

it('saves over their version when the person keeps the own one', async () => {
  const sent = await open();
  await button('Save').click();
  await button('حفظ نسختي').click();
  await expect.poll(() => sent().at(-1)).toEqual({ version: 2, name: 'Mine', isRetired: false });
});

it.each([
  ['Save', { version: 2, name: 'Theirs', isRetired: false }],
  ['Delete', { version: 2, name: 'Theirs', isRetired: true }],
])('%s sends their version when the person has taken it', async (label, body) => {
  const sent = await open();
  await button('Save').click();
  await button('استخدام النسخة المحفوظة').click();
  await expect.element(name).toHaveValue('Theirs');
  await expect
    .element(page.getByRole('status').filter({ hasText: 'Theirs' }))
    .not.toBeInTheDocument();
  await button(label).click();
  await expect.poll(() => sent().at(-1)).toEqual(body);
});
