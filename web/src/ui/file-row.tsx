import { CircleAlert, CircleCheck, FileText, RotateCw, Trash2, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../lib/format.ts';
import { IconButton } from './icon-button.tsx';

export interface FileItem {
  id: string;
  name: string;
  size: number;
  state: 'sending' | 'done' | 'failed';
  /** 0 to 1 while sending. */
  progress: number;
  /** Why it failed, in words. */
  error?: string;
}

interface FileRowProps {
  file: FileItem;
  onCancel: (id: string) => void;
  onRemove: (id: string) => void;
  onRetry: (id: string) => void;
}

const icons = { sending: FileText, done: CircleCheck, failed: CircleAlert };
const marks = { sending: 'text-ink-500', done: 'text-green-700', failed: 'text-red-700' };

export function FileRow({ file, onCancel, onRemove, onRetry }: FileRowProps) {
  const { t } = useTranslation('shell');
  const { fileSize, percent } = useFormat();
  const Icon = icons[file.state];
  return (
    <li data-surface className={`rounded-md border bg-white py-1 ps-4 pe-1 ${file.state === 'failed' ? 'border-red-200' : 'border-ink-200'}`}>
      <div className="flex items-center gap-3">
        <Icon aria-hidden size={22} className={`shrink-0 ${marks[file.state]}`} />
        <div className="min-w-0 grow py-1">
          <p className="line-clamp-2 font-medium wrap-anywhere"><bdi>{file.name}</bdi></p>
          <p role="status" className={`text-sm ${file.state === 'failed' ? 'text-red-700' : 'text-ink-500'}`}>
            {file.state === 'failed' ? (file.error ?? t('kit.fileFailed')) : file.state === 'done' ? t('kit.fileDone', { size: fileSize(file.size) }) : t('kit.fileSending', { share: percent(file.progress) })}
          </p>
        </div>
        {file.state === 'failed' ? <IconButton label={t('kit.retryFile', { name: file.name })} onPress={() => onRetry(file.id)}><RotateCw aria-hidden size={20} /></IconButton> : null}
        {file.state === 'sending'
          ? <IconButton label={t('kit.cancelFile', { name: file.name })} onPress={() => onCancel(file.id)}><X aria-hidden size={20} /></IconButton>
          : <IconButton label={t('kit.removeFile', { name: file.name })} onPress={() => onRemove(file.id)}><Trash2 aria-hidden size={20} /></IconButton>}
      </div>
      {file.state === 'sending' ? <progress aria-label={file.name} value={file.progress} max={1} className="mb-2 me-3 block h-1.5 w-[calc(100%-12px)] appearance-none overflow-hidden rounded-full bg-ink-100 [&::-moz-progress-bar]:bg-primary [&::-webkit-progress-bar]:bg-ink-100 [&::-webkit-progress-value]:bg-primary" /> : null}
    </li>
  );
}
