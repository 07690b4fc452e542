import { useCall } from '#lib/api/use-call.ts';
import { classNames } from '#lib/browser/class-names.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { Link } from '#lib/router/link.tsx';
import { useLocation } from '#lib/router/router-provider.tsx';
import { ScrollRow } from '#ui/actions/scroll-row.tsx';
import { PrintedHead } from '#ui/data/page-header.tsx';
import { getProfile } from '@diwan/contract/people/users';
import { useRequestsCount } from '../data/requests.data.ts';
import { StaffList } from '../staff/list/staff-list.tsx';
import { staffListOf, staffLists, type StaffListName } from '../staff/list/staff-lists.ts';

export function StaffRequestsPage() {
  const { t } = useTranslation('requests');
  const list = staffListOf(useLocation().pathname);
  const title = t(`staff.${list}Title`);
  usePageTitle(title);
  return (
    <div className="page max-w-none! pb-16">
      <PrintedHead />
      <StaffListTabs current={list} />
      <SeenAgencies />
      {/* The key resets the state, so that a list does not show the rows of another one. */}
      <StaffList key={list} list={list} />
    </div>
  );
}

/** Whose requests the lists of an employee hold: of which agencies, and of which teams. */
function SeenAgencies() {
  const { t } = useTranslation(['requests', 'urgent']);
  const format = useFormat();
  const { data } = useCall(getProfile, {});
  if (!data?.agencies) return null;
  const { limitedAgencyIds = [], teams = [] } = data;
  const whole = data.agencies.filter(({ id }) => !limitedAgencyIds.includes(id));
  const named = (items: typeof whole) =>
    format.list(items.map(({ name }) => `\u2068${name}\u2069`));
  const sentences = data.allAgencies
    ? [t('staff.seesAll')]
    : [
        ...(data.agencies.length === 0 ? [t('staff.seesNone')] : []),
        ...(whole.length > 0 ? [t('staff.seesSome', { agencies: named(whole) })] : []),
        ...(limitedAgencyIds.length > 0
          ? [
              teams.length > 0
                ? t('staff.seesTeams', { teams: named(teams) })
                : t('staff.seesNoTeam'),
            ]
          : []),
      ];
  return (
    <p className="pt-3 text-sm text-ink-600" data-no-print>
      <span>{sentences.join(' ')}</span>
      {data.readsUrgently ? (
        <Link to="/requests/urgent" className="link ms-2">
          {t('urgent:page.link')}
        </Link>
      ) : null}
    </p>
  );
}

/**
 * Links that look like tabs, because each list has its own address. On a wide screen the header has
 * the same links with the same counts.
 */
function StaffListTabs({ current }: { current: StaffListName }) {
  const { t } = useTranslation('requests');
  const { count } = useFormat();
  const open = useRequestsCount();
  // On a wide screen the header has the same links.
  const counts: Record<StaffListName, number | undefined> = {
    new: open?.newRequestsCount,
    processing: open?.processingRequestsCount,
    all: undefined,
  };
  return (
    <nav aria-label={t('staff.lists')} className="xl:hidden">
      <ScrollRow>
        <ul className="flex min-w-max gap-1 border-b border-ink-100">
          {staffLists.map((list) => {
            const number = counts[list];
            return (
              <li key={list}>
                <Link
                  to={`/requests/${list}`}
                  aria-current={list === current ? 'page' : undefined}
                  className={classNames(
                    '-mb-px flex min-h-12 items-center gap-2 border-b-3 px-3 font-semibold',
                    'whitespace-nowrap transition-colors duration-150 md:px-4',
                    list === current
                      ? 'border-primary text-gold-700'
                      : 'border-transparent text-ink-600 hover:text-ink-900',
                  )}
                >
                  <span>{t(`staff.${list}`)}</span>
                  {number === undefined ? null : (
                    <bdi
                      className={classNames(
                        'min-w-7 rounded-full px-2 text-center text-sm tabular-nums',
                        list === current ? 'bg-gold-100 text-gold-800' : 'bg-ink-100 text-ink-700',
                      )}
                    >
                      {count(number)}
                    </bdi>
                  )}
                </Link>
              </li>
            );
          })}
        </ul>
      </ScrollRow>
    </nav>
  );
}
