import { X } from 'lucide-react';
import { hasRole, useSession, type Session } from '#lib/api/session.ts';
import { useCall } from '#lib/api/use-call.ts';
import { createStore, useStore } from '#lib/browser/create-store.ts';
import { storeCookie } from '#lib/browser/storage.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Link } from '#lib/router/link.tsx';
import { useLocation } from '#lib/router/router-provider.tsx';
import {
  getAnnouncements,
  type Announcement,
  type AnnouncementPlace,
  type AnnouncementSeverity,
} from '@diwan/contract/content/announcements';
import { IconButton } from '../actions/icon-button.tsx';
import { Alert, type AlertTone } from './alert.tsx';

const cookie = /(?:^|;\s*)dismissed=([\d.~]*)/;
const maximumDismissed = 40;

/** The marks of dismissed announcements; in a cookie, so that the server leaves them out too. */
const dismissed = createStore<readonly string[]>(
  typeof document === 'undefined' ? [] : (cookie.exec(document.cookie)?.[1]?.split('~') ?? []),
);
export const setDismissed = dismissed.set;

function dismiss(mark: string): void {
  dismissed.set([...dismissed.get(), mark].slice(-maximumDismissed));
  storeCookie('dismissed', dismissed.get().join('~'));
}

export const toneOf: Record<AnnouncementSeverity, AlertTone> = {
  information: 'info',
  warning: 'warning',
  urgent: 'danger',
};

/** Specification §3. */
const accountTypes = ['individuals', 'companies', 'investors'];

const isOfAccountType = (ids: readonly number[], session: Session | null, pathname: string) =>
  ids.includes(accountTypes.indexOf(pathname.split('/')[3] ?? '') + 1) ||
  (hasRole(session, 'Client') && ids.includes(1)) ||
  (hasRole(session, 'CompanyUser') && ids.includes(2));

function usePlacedAnnouncements({ agencyId, serviceId }: AnnouncementPlace): Announcement[] {
  const session = useSession();
  const { pathname } = useLocation();
  const hidden = useStore(dismissed);
  const { data = [] } = useCall(getAnnouncements, {
    staleTime: 60_000,
    refetchInterval: 60_000,
    skipErrorHandling: true,
  });
  const isFrame = agencyId === undefined && serviceId === undefined;
  const concerns = ({ audience }: Announcement) => {
    if (audience.of === 'agency') return audience.id === agencyId;
    if (audience.of === 'service') return audience.id === serviceId;
    if (!isFrame) return false;
    if (audience.of === 'roles') return hasRole(session, ...audience.names);
    return audience.of === 'everybody' || isOfAccountType(audience.ids, session, pathname);
  };
  return data.filter(
    (each) =>
      each.isCurrent && !(each.isDismissible && hidden.includes(each.mark)) && concerns(each),
  );
}

// More are on their own page.
const maximumShown = 3;

/** The announcements of now that concern a place. They are in the page when it arrives. */
export function Announcements(place: AnnouncementPlace) {
  const { t } = useTranslation('shell');
  const { dateTime } = useFormat();
  const placed = usePlacedAnnouncements(place);
  if (placed.length === 0) return null;
  return (
    <section aria-label={t('announcements.title')} data-no-print className="flex flex-col gap-2">
      {placed.slice(0, maximumShown).map((each) => (
        <Alert
          key={each.mark}
          tone={toneOf[each.severity]}
          title={each.title}
          end={
            each.isDismissible ? (
              <span className="-my-2 -me-2">
                <IconButton
                  label={t('announcements.dismiss', { title: each.title })}
                  onPress={() => dismiss(each.mark)}
                >
                  <X aria-hidden size={18} />
                </IconButton>
              </span>
            ) : null
          }
        >
          <p className="whitespace-pre-line">{each.text}</p>
          {each.until ? (
            <p className="text-sm text-ink-600">
              {t('announcements.until', { at: dateTime(each.until) })}
            </p>
          ) : null}
        </Alert>
      ))}
      {placed.length > maximumShown ? (
        <Link to="/announcements" className="link self-start text-sm">
          {t('announcements.all')}
        </Link>
      ) : null}
    </section>
  );
}

/** The element for the slot of a page. */
export const showAnnouncements = (place: AnnouncementPlace) => <Announcements {...place} />;
