import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/i18n/format.ts';
import type { CountName } from '../../lib/live/live-counts.ts';
import { badgeText, useRequestCounts } from './request-counts.ts';

/** How many requests wait behind a link of the staff. */
export function NavigationCount({ of }: { of: CountName }) {
  const { t } = useTranslation('shell');
  const { count } = useFormat();
  const value = useRequestCounts()?.[of];
  if (!value) return null;
  return (
    <span className="inline-flex min-w-6 items-center justify-center rounded-full bg-amber-100 px-2 text-sm leading-6 font-semibold text-amber-800">
      <bdi dir="ltr" aria-hidden>
        {badgeText(value, count)}
      </bdi>
      <span className="sr-only">{t('requestsCount', { count: value })}</span>
    </span>
  );
}
