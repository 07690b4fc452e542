import { Check, Circle } from 'lucide-react';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import type { Attachment } from '@diwan/contract/requests/attachments';

/** Whether staff have opened a document; for staff also who opened it first, and when. */
export function ViewedStatus({
  attachment: { isViewed, viewedBy, viewedAt },
}: {
  attachment: Pick<Attachment, 'isViewed' | 'viewedBy' | 'viewedAt'>;
}) {
  const { t } = useTranslation(['requests', 'staff']);
  const { dateTime, relative } = useFormat();
  return (
    <span
      className={`flex items-start gap-1 text-sm ${isViewed ? 'text-green-700' : 'text-amber-800'}`}
    >
      <span className="flex h-[1lh] shrink-0 items-center">
        {isViewed ? (
          <Check aria-hidden size={16} />
        ) : (
          <Circle aria-hidden size={12} className="mx-0.5" />
        )}
      </span>
      <span
        data-viewed={isViewed}
        title={viewedAt && dateTime(viewedAt)}
        className="min-w-0 wrap-anywhere"
      >
        {isViewed && viewedAt
          ? t('staff:viewer.viewedBy', {
              name: `\u2068${viewedBy ?? ''}\u2069`,
              when: `\u2068${relative(viewedAt)}\u2069`,
            })
          : t(isViewed ? 'documents.viewed' : 'documents.notViewed')}
      </span>
    </span>
  );
}
