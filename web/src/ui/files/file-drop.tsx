import { Camera, Upload } from 'lucide-react';
import type { ClipboardEvent } from 'react';
import {
  Button as AriaButton,
  DropZone,
  FileTrigger,
  Text,
  type FileDropItem,
} from 'react-aria-components';
import { classNames } from '#lib/browser/class-names.ts';
import { useMediaQuery } from '#lib/browser/media.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { buttonStyle } from '../actions/button.tsx';
import {
  FieldError,
  FieldHint,
  OptionalMark,
  focusIdOf,
  useFieldIds,
  type FieldProps,
} from '../forms/field-frame.tsx';
import { FileRow, type FileItem } from './file-row.tsx';

interface FileDropProps extends FieldProps {
  name?: string;
  /** Media types, for example `application/pdf`. */
  accept: readonly string[];
  maximumCount: number;
  files: readonly FileItem[];
  onAdd: (files: File[]) => void;
  onCancel: (id: string) => void;
  onRemove: (id: string) => void;
  onRetry: (id: string) => void;
}

/**
 * Selects files from the disk, the camera, by drop or paste, and lists each with its progress. The
 * caller and the server validate the files, so that the reason of a rejection can be shown.
 */
export function FileDrop({
  label,
  description,
  error,
  isOptional,
  isDisabled,
  focusIds,
  name,
  accept,
  maximumCount,
  files,
  onAdd,
  onCancel,
  onRemove,
  onRetry,
}: FileDropProps) {
  const { t } = useTranslation('attachments');
  const isTouch = useMediaQuery('(pointer: coarse)');
  const ids = useFieldIds({ description, error });
  const isFull = files.length >= maximumCount;
  const add = (added: File[]) => onAdd(added.slice(0, maximumCount - files.length));
  // Handles a paste anywhere in the group; the drop zone itself handles one only on its hidden
  // button.
  const paste = (event: ClipboardEvent) => {
    const pasted = [...event.clipboardData.files];
    if (pasted.length === 0 || isFull || isDisabled) return;
    event.preventDefault();
    event.stopPropagation();
    add(pasted);
  };
  return (
    <div
      role="group"
      aria-labelledby={ids.label}
      aria-describedby={ids.describedBy}
      onPaste={paste}
      className={error ? 'border-s-4 border-red-700 ps-3' : undefined}
    >
      <div className="flex flex-col gap-1">
        <span id={ids.label} className="font-semibold">
          <span>{label}</span>
          {isOptional ? <OptionalMark /> : null}
        </span>
        <FieldHint id={ids.hint}>{description}</FieldHint>
        <FieldError id={ids.error}>{error}</FieldError>
        {files.length > 0 ? (
          <ul className="mt-1 flex flex-col gap-2">
            {files.map((file) => (
              <FileRow
                key={file.id}
                file={file}
                onCancel={onCancel}
                onRemove={onRemove}
                onRetry={onRetry}
              />
            ))}
          </ul>
        ) : null}
        {isFull ? null : (
          <DropZone
            aria-label={label}
            isDisabled={isDisabled}
            onDrop={(event) =>
              void Promise.all(
                event.items
                  .filter((item): item is FileDropItem => item.kind === 'file')
                  .map((item) => item.getFile()),
              ).then(add)
            }
            className={classNames(
              'mt-1 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md border border-dashed',
              'border-ink-400 bg-desert-50 p-4 transition-colors duration-150',
              'data-drop-target:border-gold-600 data-drop-target:bg-gold-50',
              'data-focus-visible:outline-2',
            )}
          >
            <FileTrigger
              acceptedFileTypes={[...accept]}
              allowsMultiple={maximumCount - files.length > 1}
              onSelect={(list) => add([...(list ?? [])])}
            >
              <AriaButton
                aria-label={`${t('kit.chooseFile', { ns: 'shell' })}: ${label}`}
                isDisabled={isDisabled}
                data-focus-id={focusIdOf(name, focusIds)}
                className={buttonStyle('secondary')}
              >
                <Upload aria-hidden size={18} />
                {t('kit.chooseFile', { ns: 'shell' })}
              </AriaButton>
            </FileTrigger>
            {isTouch && accept.includes('image/jpeg') ? (
              <FileTrigger
                acceptedFileTypes={['image/jpeg', 'image/png']}
                defaultCamera="environment"
                onSelect={(list) => add([...(list ?? [])])}
              >
                <AriaButton
                  aria-label={`${t('camera')}: ${label}`}
                  isDisabled={isDisabled}
                  className={buttonStyle('secondary')}
                >
                  <Camera aria-hidden size={18} />
                  {t('camera')}
                </AriaButton>
              </FileTrigger>
            ) : null}
            <Text slot="label" className="text-sm text-ink-500 max-md:sr-only">
              {t('dropOrPaste')}
            </Text>
          </DropZone>
        )}
      </div>
    </div>
  );
}
