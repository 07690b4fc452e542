import { detailsLink } from '#features/requests/data/details-link.ts';
import {
  noStaffFilters,
  readFilters,
  toRequestListQuery,
} from '#features/requests/data/list-filters.ts';
import {
  staffPageSize,
  useRequestList,
  useTotalText,
} from '#features/requests/data/request-list.data.ts';
import {
  listRefreshMs,
  useRequestsCount,
  useStatuses,
} from '#features/requests/data/requests.data.ts';
import { StaffDueDate } from '#features/requests/record/due-date.tsx';
import { classNames } from '#lib/browser/class-names.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Link } from '#lib/router/link.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { Reference } from '#ui/values/reference.tsx';
import { StatusTag } from '#ui/values/status-tag.tsx';
import type { RequestSummary } from '@diwan/contract/requests/requests';
import { useActiveFilters } from './staff-filter-chips.tsx';
import { staffListOf, staffLists, statusesOfList } from './staff-lists.ts';

/** Whether the address is that of a list of staff. */
export const isStaffListAddress = (address: string): boolean =>
  staffLists.some((list) => address.split('?')[0] === `/requests/${list}`);

interface ListPaneProps {
  /** The address of the list, with its filters. */
  address: string;
  /** The number of the open request. */
  current: string | undefined;
}

/**
 * The list from which a request was opened, beside it: the lists, the filters, and the requests. It
 * stays where it is from one request to the next.
 */
export function ListPane({ address, current }: ListPaneProps) {
  const { t } = useTranslation(['requests', 'staff']);
  const [pathname = '', search] = address.split('?');
  const list = staffListOf(pathname);
  const filters = readFilters(new URLSearchParams(search), noStaffFilters);
  const statuses = useStatuses();
  const chosen = statusesOfList(list, statuses.data ?? [], filters.statusId);
  const { data } = useRequestList(
    { ...toRequestListQuery(filters), ...chosen, pageSize: staffPageSize },
    { enabled: statuses.data !== undefined, refetchInterval: listRefreshMs },
  );
  const active = useActiveFilters(filters, statuses.data ?? []);
  const totalText = useTotalText();
  return (
    <aside
      data-no-print
      aria-label={t(`staff.${list}Title`)}
      className="sticky top-0 flex h-dvh flex-col border-e border-ink-100 bg-desert-50"
    >
      <ListLinks current={address} list={list} />
      <div className="border-b border-ink-100 px-4 py-2 text-sm text-ink-600">
        <Link to={address} className="link font-semibold">
          {t('staff.back')}
        </Link>
        {data ? <span className="ms-3">{totalText(data)}</span> : null}
        {active.length > 0 ? (
          <ul className="flex flex-wrap gap-x-3 pt-1">
            {active.map(({ text }) => (
              <li key={text} className="min-w-0 font-semibold text-gold-800">
                <bdi className="block truncate">{text}</bdi>
              </li>
            ))}
          </ul>
        ) : null}
      </div>
      {data ? (
        <ul className="min-h-0 grow overflow-y-auto overscroll-contain">
          {data.items.map((request) => (
            <PaneRow
              key={request.requestId}
              request={request}
              address={address}
              isCurrent={request.requestNumber === current}
              hasStatus={list !== 'new'}
            />
          ))}
        </ul>
      ) : (
        <div className="p-4">
          <SkeletonRows count={6} />
        </div>
      )}
    </aside>
  );
}

function ListLinks({ current, list }: { current: string; list: string }) {
  const { t } = useTranslation('requests');
  const open = useRequestsCount();
  const counts: Record<string, number | undefined> = {
    new: open?.newRequestsCount,
    processing: open?.processingRequestsCount,
  };
  return (
    <nav aria-label={t('staff.lists')}>
      <ul className="flex border-b border-ink-100 px-2">
        {staffLists.map((name) => (
          <li key={name}>
            <Link
              to={name === list ? current : `/requests/${name}`}
              aria-current={name === list ? 'true' : undefined}
              className={classNames(
                'flex min-h-12 items-center gap-1.5 border-b-3 px-2 text-sm font-semibold whitespace-nowrap',
                name === list ? 'border-primary text-gold-700' : 'border-transparent text-ink-700',
              )}
            >
              <span>{t(`staff.${name}`)}</span>
              {counts[name] === undefined ? null : (
                <bdi className="text-ink-500 tabular-nums">{counts[name]}</bdi>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface PaneRowProps {
  request: RequestSummary;
  address: string;
  isCurrent: boolean;
  hasStatus: boolean;
}

function PaneRow({ request, address, isCurrent, hasStatus }: PaneRowProps) {
  return (
    <li
      className={classNames(
        'relative border-b border-ink-100 border-s-4 px-3 py-2 text-sm leading-(--leading-control)',
        isCurrent ? 'border-s-primary bg-gold-50' : 'border-s-transparent hover:bg-gold-50',
      )}
    >
      <span className="flex flex-wrap items-center justify-between gap-x-2">
        {/* It replaces the open request in the history, so that "back" leads to the list. */}
        <Link
          {...detailsLink(request.requestNumber, address)}
          replace
          aria-current={isCurrent ? 'page' : undefined}
          className="row-link font-semibold text-ink-900"
        >
          <Reference>{request.requestNumber}</Reference>
        </Link>
        <StaffDueDate request={request} />
      </span>
      <bdi title={request.serviceName} className="block truncate">
        {request.serviceName}
      </bdi>
      <span className="flex items-center justify-between gap-2">
        <bdi className="min-w-0 truncate text-ink-600">{request.applicantName}</bdi>
        {hasStatus ? <StatusTag tone={request.statusTone}>{request.statusName}</StatusTag> : null}
      </span>
    </li>
  );
}
