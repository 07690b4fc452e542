import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { renderComponent, signInAs } from '#testing/render-page.tsx';
import { saveAnnouncement } from '@diwan/contract/content/announcements';
import { pages } from '@diwan/contract/portal/pages';
import { Button } from '../actions/button.tsx';
import { IconButton } from '../actions/icon-button.tsx';
import { LinkButton } from '../actions/links.tsx';
import { buttonColumn, DataTable } from '../data/data-table.tsx';
import { FileButton } from '../files/file-button.tsx';
import { May, SavedFields } from './permitted.tsx';

const ignore = () => undefined;

/** Everything that names a call, beside what names none. */
function Sample() {
  return (
    <>
      <Button>Plain</Button>
      <Button call={saveAnnouncement}>Send</Button>
      <IconButton call={saveAnnouncement} label="Icon">
        x
      </IconButton>
      <LinkButton call={pages.adminServicesImport} to="/home">
        Go
      </LinkButton>
      <FileButton
        call={saveAnnouncement}
        label="File"
        pendingLabel="File"
        isPending={false}
        accept={[]}
        onChoose={ignore}
      />
      <DataTable
        caption="Rows"
        rows={[1]}
        rowKey={(row) => row}
        columns={[
          { key: 'row', header: 'Row', isPrimary: true, cell: (row) => row },
          buttonColumn({
            header: 'Action',
            text: 'Edit',
            labelOf: () => 'Edit',
            onPress: ignore,
            call: saveAnnouncement,
          }),
        ]}
      />
      <May call={saveAnnouncement}>Secret</May>
      <SavedFields call={saveAnnouncement}>
        <input aria-label="Field" />
      </SavedFields>
    </>
  );
}

it.each([
  ['Content', true],
  ['Auditor', false],
  ['Finance', false],
] as const)('shows the controls of a call to those who may make it: %s', async (role, mayCall) => {
  signInAs(role);
  const screen = await renderComponent(<Sample />);
  await expect.element(page.getByRole('button', { name: 'Plain' })).toBeEnabled();
  const names = [...screen.container.querySelectorAll('button, a')].map((each) =>
    (each.getAttribute('aria-label') ?? each.textContent).trim(),
  );
  expect(names).toEqual(mayCall ? ['Plain', 'Send', 'Icon', 'Go', 'File', 'Edit'] : ['Plain']);
  expect(screen.container.textContent.includes('Action')).toBe(mayCall);
  expect(screen.container.textContent.includes('Secret')).toBe(mayCall);
  expect(screen.container.querySelector('input:enabled') !== null).toBe(mayCall);
});
