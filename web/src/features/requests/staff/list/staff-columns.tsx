import { Check } from 'lucide-react';
import { detailsLink } from '#features/requests/data/details-link.ts';
import type { ListFilters } from '#features/requests/data/list-filters.ts';
import { usePlainActions } from '#features/requests/data/request-actions.data.ts';
import { useActorName } from '#features/requests/record/actor-name.tsx';
import { StaffDueDate } from '#features/requests/record/due-date.tsx';
import { messageOf } from '#lib/api/handle-error.ts';
import { hasRole, useSession } from '#lib/api/session.ts';
import { classNames } from '#lib/browser/class-names.ts';
import { useDebouncedInteractivity } from '#lib/browser/interaction.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Link } from '#lib/router/link.tsx';
import { useLocation } from '#lib/router/router-provider.tsx';
import { Button } from '#ui/actions/button.tsx';
import type { Column } from '#ui/data/data-table.tsx';
import type { RowSelection } from '#ui/data/row-selection.ts';
import { selectColumn } from '#ui/data/select-box.tsx';
import { useIsOfOneAgency } from '#ui/search/agency-choices.ts';
import { Moment } from '#ui/values/moment.tsx';
import { Money } from '#ui/values/money.tsx';
import { Reference } from '#ui/values/reference.tsx';
import { StatusTag } from '#ui/values/status-tag.tsx';
import { receiveRequest } from '@diwan/contract/requests/request-actions';
import type { SortColumn } from '@diwan/contract/requests/request-lists';
import type { RequestSummary } from '@diwan/contract/requests/requests';
import type { ListOrder } from '@diwan/contract/requests/saved-filters';
import { requestReaders, staff } from '@diwan/contract/wire/call';
import type { RowChange } from './live-rows.ts';
import type { StaffListName } from './staff-lists.ts';

export interface StaffColumnsOptions {
  list: StaffListName;
  filters: Pick<ListFilters, 'keyword' | 'sort'>;
  onSort: (sort: ListOrder) => void;
  /** Whether the request arrived or changed since the user last viewed the list or the request. */
  changeOf: (request: RequestSummary) => RowChange | undefined;
  received: readonly RequestSummary[];
  onReceived: (request: RequestSummary) => void;
  onReleased: (request: RequestSummary) => void;
  selection: RowSelection<RequestSummary>;
}

interface ShortTextProps {
  text: string;
  /** A sentence in the language of the page, behind a name. */
  after?: string | undefined;
  isSentence?: boolean;
  className?: string;
}

/**
 * A text of two lines in a table, of one line in compact rows, and all of it in a card. It is cut off
 * at its own end: a Latin name on an Arabic page on the right.
 */
function ShortText({ text, after, isSentence = false, className }: ShortTextProps) {
  return (
    <span
      title={after ? `${text} · ${after}` : text}
      dir={isSentence || after ? undefined : 'auto'}
      className={classNames(
        'block w-fit max-w-full lg:line-clamp-2 lg:leading-(--leading-small)',
        'lg:group-data-[density=compact]/rows:line-clamp-1',
        className,
      )}
    >
      {after ? (
        <>
          <bdi>{text}</bdi>
          {/* One line has no room for it, and would cut a Latin name in it at its beginning. */}
          <span className="text-ink-500 max-lg:block lg:group-data-[density=compact]/rows:hidden">
            <span className="max-lg:hidden">{' · '}</span>
            <span>{after}</span>
          </span>
        </>
      ) : (
        text
      )}
    </span>
  );
}

/** Who applied, and who sent the request for them. */
function toApplicantLine(
  { applicantName, sentBy }: RequestSummary,
  actorName: ReturnType<typeof useActorName>,
): ShortTextProps {
  if (!sentBy) return { text: applicantName };
  const kind = sentBy.actedFor.by === 'counter' ? 'employee' : 'applicant';
  const sender = actorName({ kind, ...sentBy });
  // Who sends for a company is its applicant, and is named once.
  return sentBy.name === applicantName
    ? { text: sender, isSentence: true }
    : { text: applicantName, after: sender };
}

/** The employee who works on a request. */
function Holder({ holder }: Pick<RequestSummary, 'holder'>) {
  const { t } = useTranslation('staff');
  if (!holder) return <span className="text-ink-500">{t('list.nobody')}</span>;
  return holder.isYou ? (
    <span className="font-semibold text-gold-800">{t('list.you')}</span>
  ) : (
    <ShortText text={holder.name} />
  );
}

/** How the row of a request has changed. */
function ChangeTag({ change }: { change: RowChange }) {
  const { t } = useTranslation(['requests', 'staff']);
  return (
    <span
      className={classNames(
        'rounded-full px-2 text-sm',
        change === 'left' ? 'bg-ink-100 text-ink-700' : 'bg-amber-100 text-amber-800',
      )}
    >
      {t(change === 'unseen' ? 'staff.unseen' : `staff:list.${change}`)}
    </span>
  );
}

const ordersOf = (column: 'sent' | 'due' | SortColumn) =>
  column === 'sent'
    ? ({ ascending: 'asc', descending: 'desc' } as const)
    : ({ ascending: column, descending: `${column}Last` } as const);

/** How a column sorts its list. A search by words is in the order of sending. */
function sortOf(
  column: Parameters<typeof ordersOf>[0],
  first: 'ascending' | 'descending',
  { filters, onSort }: Pick<StaffColumnsOptions, 'filters' | 'onSort'>,
): NonNullable<Column<unknown>['sort']> {
  const { keyword, sort } = filters;
  const current = keyword !== '' && sort !== 'asc' ? 'desc' : sort;
  const orders = ordersOf(column);
  const order = (['ascending', 'descending'] as const).find((each) => orders[each] === current);
  const next = order === undefined ? first : order === 'ascending' ? 'descending' : 'ascending';
  return { order, onChange: () => onSort(orders[next]) };
}

/** The columns of the list for this user, in their order. */
export function useStaffColumns(options: StaffColumnsOptions): Column<RequestSummary>[] {
  // Only these roles receive requests and run bulk actions. The server decides which requests can be
  // received.
  const session = useSession();
  const isClerk = hasRole(session, ...staff);
  const columns = useColumnsByName(options);
  const texts = useIsOfOneAgency()
    ? (['service', 'applicant'] as const)
    : (['service', 'agency', 'applicant'] as const);
  const names: readonly (keyof typeof columns)[] = !isClerk
    ? hasRole(session, ...requestReaders)
      ? ['number', 'due', ...texts, 'status', 'sent', 'total', 'holder']
      : ['number', 'due', ...texts, 'status', 'sent', 'total']
    : options.list === 'new'
      ? ['select', 'number', 'due', ...texts, 'sent', 'total', 'action']
      : ['select', 'number', 'due', ...texts, 'status', 'sent', 'holder'];
  return names.map((name) => columns[name]);
}

/** Every column that a list of staff can have. */
function useColumnsByName(options: StaffColumnsOptions) {
  const { changeOf, received, onReceived, onReleased, selection } = options;
  const { t } = useTranslation(['requests', 'staff']);
  const { pathname, search } = useLocation();
  const actorName = useActorName();
  return {
    select: {
      ...selectColumn(selection, ({ requestId }) => requestId, {
        page: t('staff:list.selectPage'),
        row: ({ requestNumber }) => t('staff:list.selectName', { number: requestNumber }),
        card: t('staff:list.select'),
      }),
      call: receiveRequest,
    },
    number: {
      key: 'number',
      header: t('fields.number'),
      isPrimary: true,
      className: 'w-px whitespace-nowrap',
      sort: sortOf('number', 'ascending', options),
      cell: (request) => {
        const change = changeOf(request);
        return (
          <span className="flex items-center gap-2">
            <Link
              {...detailsLink(request.requestNumber, `${pathname}${search}`)}
              className="row-link link"
            >
              <Reference>{request.requestNumber}</Reference>
            </Link>
            {change ? <ChangeTag change={change} /> : null}
          </span>
        );
      },
    },
    due: {
      key: 'due',
      header: t('staff:due.title'),
      className: 'w-px whitespace-nowrap',
      sort: sortOf('due', 'ascending', options),
      cell: (request) => <StaffDueDate request={request} />,
    },
    service: {
      key: 'service',
      header: t('fields.service'),
      className: 'w-2/5 max-w-0',
      sort: sortOf('service', 'ascending', options),
      cell: ({ serviceName }) => <ShortText text={serviceName} className="font-medium" />,
    },
    agency: {
      key: 'agency',
      header: t('fields.agency'),
      className: 'w-[30%] max-w-0',
      sort: sortOf('agency', 'ascending', options),
      cell: ({ governmentAgency }) => (
        <ShortText text={governmentAgency.name} className="text-ink-600" />
      ),
    },
    applicant: {
      key: 'applicant',
      header: t('fields.applicant'),
      className: 'w-[30%] max-w-0',
      sort: sortOf('applicant', 'ascending', options),
      cell: (request) => <ShortText {...toApplicantLine(request, actorName)} />,
    },
    status: {
      key: 'status',
      header: t('fields.status'),
      className: 'w-px',
      sort: sortOf('status', 'ascending', options),
      cell: (request) => <StatusTag tone={request.statusTone}>{request.statusName}</StatusTag>,
    },
    sent: {
      key: 'sentOn',
      header: t('fields.sentOn'),
      className: 'w-px whitespace-nowrap text-ink-600',
      sort: sortOf('sent', 'descending', options),
      cell: (request) => <Moment at={request.createdAt} as="relative" />,
    },
    total: {
      key: 'total',
      header: t('fields.total'),
      align: 'end',
      className: 'w-px whitespace-nowrap',
      isHiddenOnPhone: true,
      sort: sortOf('total', 'descending', options),
      cell: (request) => <Money fils={request.total} />,
    },
    holder: {
      key: 'holder',
      header: t('staff:list.holder'),
      className: 'w-32 max-w-32',
      sort: sortOf('holder', 'ascending', options),
      cell: ({ holder }) => <Holder holder={holder} />,
    },
    action: {
      key: 'action',
      header: t('fields.action'),
      isControl: true,
      call: receiveRequest,
      className: 'w-px whitespace-nowrap',
      cell: (request) => (
        <ReceiveButton
          request={request}
          isReceived={received.some((each) => each.requestId === request.requestId)}
          onReceived={onReceived}
          onReleased={onReleased}
        />
      ),
    },
  } satisfies Record<string, Column<RequestSummary>>;
}

interface ReceiveButtonProps {
  request: RequestSummary;
  isReceived: boolean;
  onReceived: (request: RequestSummary) => void;
  onReleased: (request: RequestSummary) => void;
}

/**
 * Receives a request without leaving the list, and releases it again. The result replaces the
 * button. It lies above the link of its row.
 */
function ReceiveButton({ request, isReceived, onReceived, onReleased }: ReceiveButtonProps) {
  const { t } = useTranslation(['requests', 'errors', 'staff']);
  const { run, pending, error } = usePlainActions(request);
  const isSettled = useDebouncedInteractivity(String(isReceived));
  if (request.isOwnCounterRequest)
    return (
      <span
        title={t('errors:refusals.OwnCounterRequest')}
        className="block text-sm text-ink-600 lg:w-40 lg:truncate"
      >
        {t('errors:refusals.OwnCounterRequest')}
      </span>
    );
  if (!isReceived && !request.allowedActions.includes('receive')) return null;
  const problem = error ? (
    <span role="alert" className="max-w-72 text-sm font-medium whitespace-normal text-red-700">
      {messageOf(error)}
    </span>
  ) : null;
  if (isReceived) {
    return (
      <div className="relative z-1 flex items-center gap-2">
        <span
          role="status"
          className="flex items-center gap-1 font-semibold whitespace-nowrap text-green-700"
        >
          <Check aria-hidden size={18} />
          {t('staff.received')}
        </span>
        {request.allowedActions.includes('release') ? (
          <span className={isSettled ? undefined : 'pointer-events-none'}>
            <Button
              variant="quiet"
              size="sm"
              isPending={pending === 'release'}
              aria-label={t('staff:list.putBackName', { number: request.requestNumber })}
              onPress={() => run('release', onReleased)}
            >
              {t('staff:list.putBack')}
            </Button>
          </span>
        ) : null}
        {problem}
      </div>
    );
  }
  return (
    <div className="relative z-1 flex flex-wrap items-center gap-x-2">
      <Button
        variant="secondary"
        size="sm"
        isPending={pending === 'receive'}
        aria-label={t('staff.receiveName', { number: request.requestNumber })}
        focusIds={['receiveRow']}
        onPress={() => run('receive', onReceived)}
      >
        {t('staff.receive')}
      </Button>
      {problem}
    </div>
  );
}
