import { Bell as BellIcon } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { classNames } from '../../lib/browser/class-names.ts';
import { useFormat } from '../../lib/i18n/format.ts';
import { clearBuzz, startLive, useLive, type CountName } from '../../lib/live/live-counts.ts';
import { hasRole, type Session } from '../../lib/api/session.ts';
import { BellNews } from './bell-news.tsx';
import { HeaderMenu } from './header-menu.tsx';
import { badgeText, useRequestCounts } from '../navigation/request-counts.ts';

const lists = [
  { name: 'new', to: '/requests/new' },
  { name: 'processing', to: '/requests/processing' },
] as const satisfies readonly { name: CountName; to: string }[];

function Badge({ value, className }: { value: number; className?: string }) {
  const { count } = useFormat();
  return (
    <bdi
      dir="ltr"
      aria-hidden
      data-badge
      className={classNames(
        'inline-flex min-w-6 items-center justify-center rounded-full px-1.5 text-sm leading-5.5 font-semibold tabular-nums',
        value > 0 ? 'bg-amber-100 text-amber-800' : 'bg-ink-50 text-ink-600',
        className,
      )}
    >
      {badgeText(value, count)}
    </bdi>
  );
}

/** Something came that was not looked at. */
const dot = (
  <span data-buzz className="size-2.5 shrink-0 rounded-full bg-red-600 ring-2 ring-white" />
);

/** The requests that wait for staff, as they come and go. Source: specification §4, §6, §9. */
export function Bell({ session }: { session: Session }) {
  const { t } = useTranslation('shell');
  const { pathname } = useLocation();
  const { state, buzz, arrivals } = useLive();
  const counts = useRequestCounts() ?? { new: 0, processing: 0 };
  const total = counts.new + counts.processing;
  const isSupervisor = hasRole(session, 'ServiceProvider') && session.partnerId !== undefined;

  useEffect(() => startLive({ isSupervisor }), [isSupervisor]);
  // Whoever goes to a list has seen what came, whichever way they took.
  useEffect(() => lists.forEach(({ name, to }) => to === pathname && clearBuzz(name)), [pathname]);

  const words = lists.map(({ name }) => t(`bell.${name}`, { count: counts[name] }));
  return (
    <div data-live={state} className="animate-bell">
      <HeaderMenu
        label={t('bell.title')}
        className="relative inline-flex size-12 items-center justify-center rounded-md text-ink-700 hover:bg-ink-50 active:bg-ink-100"
        items={lists.map(({ name, to }) => ({
          id: name,
          text: t(`navigation.${name}Requests`),
          href: to,
          isCurrent: to === pathname,
          end: (
            <span className="ms-auto inline-flex items-center gap-3 ps-3">
              {buzz[name] ? dot : null}
              <Badge value={counts[name]} />
              <span className="sr-only">{t('requestsCount', { count: counts[name] })}</span>
            </span>
          ),
        }))}
        onChoose={(name) => clearBuzz(name as CountName)}
        heading={
          state === 'disconnected' || state === 'reconnecting' ? (
            <p className="mb-1 max-w-70 border-b border-ink-100 px-3 py-2 text-sm text-ink-600">
              {t('bell.notLive')}
            </p>
          ) : undefined
        }
      >
        <span key={arrivals} aria-hidden className={arrivals > 0 ? 'motion-safe:animate-buzz' : ''}>
          <BellIcon size={24} />
        </span>
        {total > 0 ? (
          <Badge value={total} className="absolute start-6.5 top-0.5 ring-2 ring-white" />
        ) : null}
        {buzz.new || buzz.processing ? (
          <span aria-hidden className="absolute start-7.5 bottom-2 flex">
            {dot}
          </span>
        ) : null}
        <span className="sr-only">
          {t('bell.label', { counts: words.join(t('listSeparator')) })}
        </span>
      </HeaderMenu>
      <BellNews text={words.join(t('listSeparator'))} arrivals={arrivals} />
    </div>
  );
}
