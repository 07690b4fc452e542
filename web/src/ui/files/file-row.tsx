import {
  CircleAlert,
  CircleCheck,
  CloudOff,
  FileText,
  Hourglass,
  RotateCw,
  ShieldCheck,
  Trash2,
  X,
} from 'lucide-react';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { IconButton } from '../actions/icon-button.tsx';
import { ProgressBar } from '../feedback/progress-bar.tsx';
import { FileName } from './file-name.tsx';

export interface FileItem {
  id: string;
  name: string;
  size: number;
  /**
   * In progress: `preparing`, `queued`, `sending`, `waiting` for the network, `checking`;
   * `unfinished` after a reload; finished: `done` or `failed`.
   */
  state:
    | 'preparing'
    | 'queued'
    | 'sending'
    | 'waiting'
    | 'checking'
    | 'unfinished'
    | 'done'
    | 'failed';
  /** 0 to 1 while the upload is in progress. */
  progress: number;
  /** The error message. */
  error?: string | undefined;
  /** Retrying with the same file would fail again. */
  isFinal?: boolean;
  /** A small picture of the content, as an address. */
  preview?: string | undefined;
  /** A hint about the content that blocks nothing. */
  hint?: string | undefined;
  /** The result of the malware scan. */
  scan?: 'notScanned' | 'waiting' | 'clean' | 'infected' | undefined;
}

interface FileRowProps {
  file: FileItem;
  onCancel: (id: string) => void;
  onRemove: (id: string) => void;
  onRetry: (id: string) => void;
}

const icons = {
  preparing: Hourglass,
  queued: Hourglass,
  sending: FileText,
  waiting: CloudOff,
  checking: FileText,
  unfinished: CircleAlert,
  done: CircleCheck,
  failed: CircleAlert,
};
const marks = {
  preparing: 'text-ink-500',
  queued: 'text-ink-500',
  sending: 'text-ink-500',
  waiting: 'text-amber-600',
  checking: 'text-ink-500',
  unfinished: 'text-amber-600',
  done: 'text-green-700',
  failed: 'text-red-700',
};
const frames: Partial<Record<FileItem['state'], string>> = {
  failed: 'border-red-200',
  waiting: 'border-amber-300',
  unfinished: 'border-amber-300',
};

function useStateText(): (file: FileItem) => string {
  const { t } = useTranslation(['attachments', 'shell']);
  const { fileSize, percent } = useFormat();
  return (file) => {
    switch (file.state) {
      case 'failed':
        return file.error ?? t('kit.fileFailed', { ns: 'shell' });
      case 'done':
        return t('kit.fileDone', { ns: 'shell', size: fileSize(file.size) });
      case 'sending':
        return t('kit.fileSending', { ns: 'shell', share: percent(file.progress) });
      default:
        return t(`row.${file.state}`, { ns: 'attachments', share: percent(file.progress) });
    }
  };
}

/** The scan result of an uploaded file; nothing where no scanner is configured. */
function ScanLine({ scan }: Pick<FileItem, 'scan'>) {
  const { t } = useTranslation('attachments');
  if (scan !== 'waiting' && scan !== 'clean') return null;
  return (
    <p
      role="status"
      className={`flex items-center gap-1 text-sm ${scan === 'clean' ? 'text-green-700' : 'text-ink-500'}`}
    >
      {scan === 'clean' ? (
        <ShieldCheck aria-hidden size={16} className="shrink-0" />
      ) : (
        <Hourglass aria-hidden size={16} className="shrink-0" />
      )}
      <span>{t(`scan.${scan}`)}</span>
    </p>
  );
}

export function FileRow({ file, onCancel, onRemove, onRetry }: FileRowProps) {
  const { t } = useTranslation('shell');
  const stateText = useStateText();
  const Icon = icons[file.state];
  const isInProgress =
    file.state === 'preparing' ||
    file.state === 'queued' ||
    file.state === 'sending' ||
    file.state === 'waiting' ||
    file.state === 'checking';
  return (
    <li
      data-surface
      data-state={file.state}
      className={`rounded-md border bg-white py-1 ps-4 pe-1 ${frames[file.state] ?? 'border-ink-200'}`}
    >
      <div className="flex items-center gap-3">
        <Icon aria-hidden size={22} className={`shrink-0 ${marks[file.state]}`} />
        {file.preview ? (
          // The name beside it says what it is.
          <img
            src={file.preview}
            alt=""
            className="my-1 size-14 shrink-0 rounded-sm border border-ink-200 object-cover"
          />
        ) : null}
        <div className="min-w-0 grow py-1">
          <p className="line-clamp-2 font-medium wrap-anywhere">
            <FileName name={file.name} />
          </p>
          <p
            role="status"
            className={`text-sm ${file.state === 'failed' ? 'text-red-700' : 'text-ink-600'}`}
          >
            {stateText(file)}
          </p>
          {file.state === 'done' ? <ScanLine scan={file.scan} /> : null}
          {file.hint ? (
            <p role="status" className="text-sm font-medium text-amber-800">
              {file.hint}
            </p>
          ) : null}
        </div>
        {file.state === 'failed' && !file.isFinal ? (
          <IconButton
            label={t('kit.retryFile', { name: file.name })}
            onPress={() => onRetry(file.id)}
          >
            <RotateCw aria-hidden size={20} />
          </IconButton>
        ) : null}
        {isInProgress ? (
          <IconButton
            label={t('kit.cancelFile', { name: file.name })}
            onPress={() => onCancel(file.id)}
          >
            <X aria-hidden size={20} />
          </IconButton>
        ) : (
          <IconButton
            label={t('kit.removeFile', { name: file.name })}
            onPress={() => onRemove(file.id)}
          >
            <Trash2 aria-hidden size={20} />
          </IconButton>
        )}
      </div>
      {isInProgress ? (
        <div className="px-3 pb-2">
          <ProgressBar label={file.name} value={file.progress} max={1} className="h-1.5" />
        </div>
      ) : null}
    </li>
  );
}
