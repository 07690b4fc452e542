import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import type { RequestSummary } from '@diwan/contract/requests/requests';
import { hasRole, useSession } from '../../../lib/api/session.ts';
import type { Column } from '../../../ui/data/data-table.tsx';
import { Moment } from '../../../ui/values/moment.tsx';
import { Money } from '../../../ui/values/money.tsx';
import { Reference } from '../../../ui/values/reference.tsx';
import { StatusTag } from '../../../ui/values/status-tag.tsx';
import { useActorName } from '../record/actor-name.tsx';
import { detailsLink } from '../data/details-link.ts';
import { DueLine } from './due-line.tsx';
import { ReceiveInRow } from './receive-in-row.tsx';
import { SelectBox } from './select-box.tsx';
import type { StaffListName } from './staff-lists.ts';
import type { RowSelection } from './use-row-selection.ts';

interface StaffColumnsOptions {
  list: StaffListName;
  /** Why a row is marked: it came, or changed, since the person last looked. */
  markOf: (request: RequestSummary) => 'unseen' | 'changed' | undefined;
  received: readonly RequestSummary[];
  onReceived: (request: RequestSummary) => void;
  onPutBack: (request: RequestSummary) => void;
  selection: RowSelection<RequestSummary>;
}

export function useStaffColumns({
  list,
  markOf,
  received,
  onReceived,
  onPutBack,
  selection,
}: StaffColumnsOptions): Column<RequestSummary>[] {
  const { t } = useTranslation(['requests', 'staff']);
  const { pathname, search } = useLocation();
  const actorName = useActorName();
  // Receiving is the call of these two roles; whether a request can be received is the server's
  // answer. What several can be done with is theirs too.
  const isClerk = hasRole(useSession(), 'Admin', 'Employee');
  const select: Column<RequestSummary> = {
    key: 'select',
    isControl: true,
    header: (
      <SelectBox
        label={t('staff:list.selectPage')}
        isOn={selection.isPageOn}
        isMixed={selection.isPageMixed}
        onChange={selection.setPage}
      />
    ),
    cell: (request) => (
      <SelectBox
        label={t('staff:list.selectName', { number: request.requestNumber })}
        cardText={t('staff:list.select')}
        isOn={selection.rows.has(request.requestId)}
        onChange={(_isOn, isRange) => selection.toggle(request, isRange)}
      />
    ),
  };
  const columns: Column<RequestSummary>[] = [
    {
      key: 'number',
      header: t('fields.number'),
      isPrimary: true,
      cell: (request) => {
        const mark = markOf(request);
        return (
          <span className="flex flex-wrap items-center gap-2">
            <Link
              {...detailsLink(request.requestNumber, `${pathname}${search}`)}
              className="row-link link"
            >
              <Reference>{request.requestNumber}</Reference>
            </Link>
            {mark ? (
              <span className="rounded-full bg-amber-100 px-2 text-sm text-amber-800">
                {t(mark === 'unseen' ? 'staff.unseen' : 'staff:list.changed')}
              </span>
            ) : null}
          </span>
        );
      },
    },
    {
      key: 'status',
      header: t('fields.status'),
      cell: (request) => (
        <span className="flex flex-col items-start gap-1 [&>span]:max-xl:whitespace-normal">
          <StatusTag tone={request.statusTone}>{request.statusName}</StatusTag>
          <DueLine request={request} />
        </span>
      ),
    },
    {
      key: 'service',
      header: t('fields.service'),
      cell: (request) => (
        <span className="block min-w-0 lg:min-w-44">
          <span className="block font-medium">{request.serviceName}</span>
          <span
            title={request.governmentAgency.name}
            className="block text-ink-500 lg:line-clamp-1"
          >
            {request.governmentAgency.name}
          </span>
        </span>
      ),
    },
    {
      key: 'applicant',
      header: t('fields.applicant'),
      cell: ({ applicantName, sentBy }) => (
        <>
          <bdi>{applicantName}</bdi>
          {sentBy ? (
            <span className="block text-sm text-ink-500">
              {actorName({
                kind: sentBy.actedFor.by === 'counter' ? 'employee' : 'applicant',
                ...sentBy,
              })}
            </span>
          ) : null}
        </>
      ),
    },
    {
      key: 'sentOn',
      header: t('fields.sentOn'),
      cell: (request) => (
        <span className="lg:block lg:whitespace-nowrap">
          <Moment at={request.createdAt} as="date" />{' '}
          <span className="whitespace-nowrap text-ink-500 lg:block">
            <Moment at={request.createdAt} as="relative" />
          </span>
        </span>
      ),
    },
  ];
  const total: Column<RequestSummary> = {
    key: 'total',
    header: t('fields.total'),
    align: 'end',
    isHiddenOnPhone: true,
    cell: (request) => <Money fils={request.total} short />,
  };
  const holder: Column<RequestSummary> = {
    key: 'holder',
    header: t('staff:list.holder'),
    cell: ({ holder: by }) =>
      by ? (
        by.isYou ? (
          <span className="font-semibold text-gold-800">{t('staff:list.you')}</span>
        ) : (
          <bdi>{by.name}</bdi>
        )
      ) : (
        <span className="text-ink-500">{t('staff:list.nobody')}</span>
      ),
  };
  if (!isClerk) return [...columns, total];
  if (list !== 'new') return [select, ...columns, holder];
  const action: Column<RequestSummary> = {
    key: 'action',
    header: t('fields.action'),
    isControl: true,
    cell: (request) => (
      <ReceiveInRow
        request={request}
        isReceived={received.some((each) => each.requestId === request.requestId)}
        onReceived={onReceived}
        onPutBack={onPutBack}
      />
    ),
  };
  return [select, ...columns, total, action];
}
