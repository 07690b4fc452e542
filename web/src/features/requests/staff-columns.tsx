import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import type { RequestSummary } from '@diwan/contract/requests';
import { hasRole, useSession } from '../../lib/session.ts';
import type { Column } from '../../ui/data-table.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Money } from '../../ui/money.tsx';
import { Reference } from '../../ui/reference.tsx';
import { StatusTag } from '../../ui/status-tag.tsx';
import { detailsLink } from './details-link.ts';
import { ReceiveInRow } from './receive-in-row.tsx';
import type { StaffListName } from './staff-lists.ts';

interface StaffColumnsOptions {
  list: StaffListName;
  isUnseen: (request: RequestSummary) => boolean;
  received: readonly RequestSummary[];
  onReceived: (request: RequestSummary) => void;
}

export function useStaffColumns({ list, isUnseen, received, onReceived }: StaffColumnsOptions): Column<RequestSummary>[] {
  const { t } = useTranslation('requests');
  const { pathname, search } = useLocation();
  // Receiving is the call of these two roles; whether a request can be received is the server's answer.
  const canReceive = hasRole(useSession(), 'Admin', 'Employee');
  const columns: Column<RequestSummary>[] = [
    {
      key: 'number', header: t('fields.number'), isPrimary: true,
      cell: (request) => (
        <span className="flex flex-wrap items-center gap-2">
          <Link {...detailsLink(request.requestNumber, `${pathname}${search}`)} className="row-link link"><Reference>{request.requestNumber}</Reference></Link>
          {isUnseen(request) ? <span className="rounded-full bg-amber-100 px-2 text-sm text-amber-800">{t('staff.unseen')}</span> : null}
        </span>
      ),
    },
    { key: 'status', header: t('fields.status'), cell: (request) => <StatusTag tone={request.statusTone}>{request.statusName}</StatusTag> },
    {
      key: 'service', header: t('fields.service'),
      cell: (request) => <span className="block min-w-0"><span className="block font-medium">{request.serviceName}</span><span className="block text-ink-500">{request.governmentAgency.name}</span></span>,
    },
    { key: 'applicant', header: t('fields.applicant'), cell: (request) => <bdi>{request.applicantName}</bdi> },
    {
      key: 'sentOn', header: t('fields.sentOn'),
      cell: (request) => <span className="md:block md:whitespace-nowrap"><Moment at={request.createdAt} as="date" /> <span className="whitespace-nowrap text-ink-500 md:block"><Moment at={request.createdAt} as="time" /></span></span>,
    },
    { key: 'total', header: t('fields.total'), align: 'end', isHiddenOnPhone: true, cell: (request) => <Money fils={request.total} short /> },
  ];
  if (list !== 'new' || !canReceive) return columns;
  const action: Column<RequestSummary> = {
    key: 'action', header: t('fields.action'), isControl: true,
    cell: (request) => <ReceiveInRow request={request} isReceived={received.some((each) => each.requestId === request.requestId)} onReceived={onReceived} />,
  };
  return [...columns, action];
}
