import { FileButton } from '../ui/files/file-button.tsx';
import { FileDrop } from '../ui/files/file-drop.tsx';
import { FileName } from '../ui/files/file-name.tsx';
import { FileRow, type FileItem } from '../ui/files/file-row.tsx';
import { LogoField } from '../ui/files/logo-field.tsx';
import { ignore, type Examples, type Stories } from './story.tsx';

const handlers = { onAdd: ignore, onCancel: ignore, onRemove: ignore, onRetry: ignore };
const accepted = ['application/pdf', 'image/jpeg', 'image/png'];

const fileOf = (texts: Examples, file: Partial<FileItem>): FileItem => ({
  id: 'file',
  name: texts.fileName,
  size: 1_468_006,
  state: 'done',
  progress: 1,
  ...file,
});

const row = (file: FileItem) => (
  <ul>
    <FileRow file={file} {...handlers} />
  </ul>
);

export const fileStories: Stories = (texts) => {
  const file = (change: Partial<FileItem>) => fileOf(texts, change);
  const drop = { label: texts.file, accept: accepted, maximumCount: 3, ...handlers };
  return [
    {
      name: 'LogoField',
      states: {
        empty: <LogoField label={texts.file} value="" onChange={ignore} />,
        filled: (
          <LogoField value="/logos/categories/utilities.svg" onChange={ignore} onRemove={ignore} />
        ),
      },
    },
    {
      name: 'FileDrop',
      states: {
        empty: <FileDrop {...drop} description={texts.fileHint} files={[]} />,
        optional: <FileDrop {...drop} isOptional files={[]} />,
        invalid: (
          <FileDrop {...drop} description={texts.fileHint} error={texts.fileError} files={[]} />
        ),
        disabled: <FileDrop {...drop} isDisabled files={[]} />,
        'with files': (
          <FileDrop
            {...drop}
            description={texts.fileHint}
            files={[
              file({ id: 'first' }),
              file({ id: 'second', name: texts.longFileName, state: 'sending', progress: 0.4 }),
            ]}
          />
        ),
        full: <FileDrop {...drop} maximumCount={1} files={[file({})]} />,
      },
    },
    {
      name: 'FileButton',
      states: Object.fromEntries(
        [false, true].map((isPending) => [
          isPending ? 'pending' : 'default',
          <FileButton
            key={String(isPending)}
            label={texts.file}
            pendingLabel={texts.submitting}
            isPending={isPending}
            accept={accepted}
            onChoose={ignore}
          />,
        ]),
      ),
    },
    {
      name: 'FileRow',
      states: {
        preparing: row(file({ state: 'preparing', progress: 0 })),
        queued: row(file({ state: 'queued', progress: 0 })),
        sending: row(file({ state: 'sending', progress: 0.62 })),
        'waiting for the network': row(file({ state: 'waiting', progress: 0.62 })),
        checking: row(file({ state: 'checking' })),
        'unfinished after a reload': row(file({ state: 'unfinished', progress: 0.3 })),
        done: row(file({})),
        'malware scan waiting': row(file({ scan: 'waiting' })),
        'malware scan clean': row(file({ scan: 'clean' })),
        failed: row(file({ state: 'failed' })),
        'failed for good': row(
          file({ state: 'failed', error: texts.fileTypeError, isFinal: true }),
        ),
        'long name': row(file({ name: texts.longFileName })),
      },
    },
    {
      name: 'FileName',
      states: {
        default: <FileName name={texts.fileName} />,
        Latin: <FileName name="2026-11-20 scan.pdf" />,
        long: <FileName name={texts.longFileName} />,
      },
    },
  ];
};
