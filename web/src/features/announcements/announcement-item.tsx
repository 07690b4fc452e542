import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Alert } from '#ui/feedback/alert.tsx';
import { toneOf } from '#ui/feedback/announcements.tsx';
import type { Announcement } from '@diwan/contract/content/announcements';

/** One announcement with its times, in a list. */
export function AnnouncementItem({ announcement }: { announcement: Announcement }) {
  const { t } = useTranslation('announcements');
  const { dateTime, list } = useFormat();
  const { severity, kind, title, text, audience, concerns, from, until } = announcement;
  const about = [
    t(`kinds.${kind}`),
    ...(concerns ? [concerns] : []),
    ...(audience.of === 'roles' ? [list(audience.names.map((name) => t(`roles.${name}`)))] : []),
  ];
  return (
    <li>
      <Alert tone={toneOf[severity]} title={title}>
        <p className="whitespace-pre-line">{text}</p>
        <p className="pt-1 text-sm text-ink-600">{about.join(' · ')}</p>
        <p className="text-sm text-ink-600">
          {until
            ? t('public.fromUntil', { from: dateTime(from), until: dateTime(until) })
            : t('public.from', { from: dateTime(from) })}
        </p>
      </Alert>
    </li>
  );
}
