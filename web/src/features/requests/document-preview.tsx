import { ExternalLink, RotateCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Attachment } from '@diwan/contract/attachments';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Bone, Skeleton } from '../../ui/skeleton.tsx';
import { openInNewTab, useDocument, usePointedAt } from './documents.data.ts';

interface DocumentPreviewProps {
  attachment: Attachment;
  reload: () => Promise<unknown>;
  onViewed?: (attachment: Attachment) => void;
}

/** Images are drawn in place. A PDF gets its own tab: the content policy lets no document into a frame. */
export function DocumentPreview({ attachment, reload, onViewed }: DocumentPreviewProps) {
  const { t } = useTranslation('requests');
  const { data: content, error, isFetching, refetch } = useDocument(attachment);
  const pointed = usePointedAt(content);
  const again = async () => {
    await reload();
    await refetch();
  };
  if (error) {
    return (
      <Notice tone="danger" isLive action={<Button variant="secondary" size="sm" icon={<RotateCw aria-hidden size={18} />} isPending={isFetching} onPress={() => void again()}>{t('documents.again')}</Button>}>
        {t('documents.failed')}
      </Notice>
    );
  }
  if (!content) return <Skeleton><Bone className="h-40 w-full" /></Skeleton>;
  const open = () => {
    openInNewTab(content);
    onViewed?.(attachment);
  };
  if (attachment.mediaType.startsWith('image/')) {
    return <img ref={pointed} alt={attachment.title} onLoad={() => onViewed?.(attachment)} className="max-h-[80vh] w-full rounded-md border border-ink-100 bg-desert-50 object-contain" />;
  }
  return (
    <div className="flex flex-wrap items-center justify-between gap-4 rounded-md bg-desert-50 p-4">
      <p className="min-w-0 basis-60 grow text-sm text-ink-600">{t('documents.pdfText')}</p>
      <Button size="sm" icon={<ExternalLink aria-hidden size={18} className="mirror" />} onPress={open}>{t('documents.newTab')}</Button>
    </div>
  );
}
