import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { hasRole, useSession } from '#lib/api/session.ts';
import { useCall } from '#lib/api/use-call.ts';
import { classNames } from '#lib/browser/class-names.ts';
import { serverToday } from '#lib/browser/server-time.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Link, type LinkProps } from '#lib/router/link.tsx';
import { TextLink } from '#ui/actions/links.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { Reference } from '#ui/values/reference.tsx';
import { getServiceNameByServiceId } from '@diwan/contract/catalogue/services';
import { servicePath } from '@diwan/contract/portal/pages';
import type { DraftSummary } from '@diwan/contract/requests/drafts';
import type { StatusGroup } from '@diwan/contract/requests/request-lists';
import { getRequestById, type RequestSummary } from '@diwan/contract/requests/requests';
import { detailsLink } from '../data/details-link.ts';
import { findLatestMessage } from '../data/latest-message.ts';
import { useRequestList } from '../data/request-list.data.ts';
import { findExpectedStep } from '../data/status-groups.ts';
import { aboutAYearAgo } from '../data/year-ago.ts';
import { useDrafts } from '../drafts/draft-list.data.ts';

const shownRows = 3;

/** The first requests of a group, newest first. `sent` limits the days of sending. */
function useGroup(
  group: StatusGroup,
  sent: { from: string; to: string; pageSize: number } = { from: '', to: '', pageSize: shownRows },
) {
  const { data, isError } = useRequestList({
    statusGroup: group,
    keyword: '',
    sort: 'desc',
    page: 1,
    ...sent,
  });
  return { data, hasFailed: isError };
}

/**
 * Services that were completed about a year ago, each once, unless the applicant uses them again
 * already. Results have no stored expiry, so that this is an offer and no claim.
 */
function useYearAgo(current: readonly { serviceId: number }[]) {
  const { data, hasFailed } = useGroup('finished', aboutAYearAgo());
  const rows = (data?.items ?? []).filter(
    (request, index, all) =>
      request.statusTone === 'done' &&
      all.findIndex(({ serviceId }) => serviceId === request.serviceId) === index &&
      !current.some(({ serviceId }) => serviceId === request.serviceId),
  );
  return { data, hasFailed, rows: rows.slice(0, shownRows) };
}

function useOwnWork() {
  const waiting = useGroup('waiting');
  const running = useGroup('progress');
  const drafts = useDrafts();
  const needed = waiting.data?.items ?? [];
  const current = running.data?.items ?? [];
  const yearAgo = useYearAgo([...needed, ...current, ...(drafts.data ?? [])]);
  const isLoading = [waiting, running, yearAgo].some(({ data, hasFailed }) => !data && !hasFailed);
  return {
    isLoading: isLoading || drafts.isLoading,
    needed,
    neededCount: waiting.data?.totalCount ?? 0,
    current,
    begun: (drafts.data ?? []).filter(({ isOffered, corrects }) => isOffered && !corrects),
    yearAgo: yearAgo.rows,
  };
}

/**
 * What the signed-in applicant has to do, what is under way and what they have begun, before the
 * rest of their start page. The rest appears together with it, so that nothing moves; after an error
 * it appears alone.
 */
export function OwnWork({ children }: { children: ReactNode }) {
  const { t } = useTranslation(['requests', 'drafts']);
  const { count } = useFormat();
  const isCompany = hasRole(useSession(), 'CompanyUser');
  const { isLoading, needed, neededCount, current, begun, yearAgo } = useOwnWork();
  if (isLoading) return <OwnWorkSkeleton />;
  if (needed.length + current.length + begun.length + yearAgo.length === 0) return children;
  return (
    <>
      <div className="page grid gap-4 pb-8 lg:grid-cols-2 lg:items-start lg:gap-6">
        {needed.length > 0 ? (
          <WorkList isUrgent title={t('own.needs', { number: count(neededCount) })}>
            {needed.map((request) => (
              <NeededRow key={request.requestId} request={request} />
            ))}
          </WorkList>
        ) : null}
        {current.length > 0 ? (
          <WorkList
            title={t('own.running')}
            // Beside all others, so that the shorter lists leave no gap between them.
            className={
              needed.length > 0 ? 'lg:col-start-2 lg:row-span-2 lg:row-start-1' : undefined
            }
          >
            {current.map((request) => (
              <WorkRow
                key={request.requestId}
                link={detailsLink(request.requestNumber)}
                title={request.serviceName}
                about={request.statusName}
                aside={<DueDay promisedBy={request.promisedBy} />}
              />
            ))}
          </WorkList>
        ) : null}
        {begun.length > 0 ? (
          <WorkList title={t('own.drafts')}>
            {begun.slice(0, shownRows).map((draft) => (
              <WorkRow
                key={draft.draftId}
                link={{ to: `${servicePath}${encodeURIComponent(draft.replacedName)}#review` }}
                title={draft.serviceName}
                about={<DraftState draft={draft} />}
              />
            ))}
          </WorkList>
        ) : null}
        <YearAgoList rows={yearAgo} />
        <p className="lg:col-span-2">
          <TextLink to={isCompany ? '/companies/my-requests/new' : '/requests'}>
            {t('own.all')}
          </TextLink>
        </p>
      </div>
      {children}
    </>
  );
}

/** While the work is loading; the start page shows the same while the code is loading. */
function OwnWorkSkeleton() {
  return (
    <div className="page pb-8">
      <SkeletonRows count={3} />
    </div>
  );
}

interface WorkListProps {
  title: string;
  isUrgent?: boolean;
  className?: string | undefined;
  children: ReactNode;
}

function WorkList({ title, isUrgent = false, className, children }: WorkListProps) {
  return (
    <section
      data-surface
      aria-label={title}
      className={classNames(
        'rounded-lg border p-4 pb-2 md:p-6 md:pb-3',
        isUrgent ? 'border-amber-300 bg-amber-50' : 'border-ink-100 bg-white',
        className,
      )}
    >
      <h2 className="mb-1 text-lg">{title}</h2>
      <ul className={classNames('divide-y', isUrgent ? 'divide-amber-300' : 'divide-ink-100')}>
        {children}
      </ul>
    </section>
  );
}

interface WorkRowProps {
  link: Pick<LinkProps, 'to' | 'state'>;
  title: ReactNode;
  about: ReactNode;
  aside?: ReactNode;
}

/** One line of a list. The whole row is a link. */
function WorkRow({ link, title, about, aside }: WorkRowProps) {
  return (
    <li className="relative flex items-center gap-3 py-3">
      <div className="min-w-0 grow">
        <Link {...link} className="row-link font-semibold text-ink-900">
          {title}
        </Link>
        <p className="flex flex-wrap gap-x-4 text-sm text-ink-600">
          <span>{about}</span>
          {aside}
        </p>
      </div>
      <ChevronRight aria-hidden size={20} className="mirror shrink-0 text-ink-500" />
    </li>
  );
}

/** Whether a draft can be sent, or until when its service is closed. */
function DraftState({ draft: { closure } }: { draft: DraftSummary }) {
  const { t } = useTranslation('drafts');
  const { dateTime } = useFormat();
  if (!closure) return <span>{t('list.goOn')}</span>;
  return (
    <span className="text-amber-800">
      {closure.until ? t('list.closedUntil', { at: dateTime(closure.until) }) : t('list.closed')}
    </span>
  );
}

/** A request that waits for the applicant, by what they do: pay an amount or correct named items. */
function NeededRow({ request }: { request: RequestSummary }) {
  const { t } = useTranslation('requests');
  const { list, money } = useFormat();
  const step = findExpectedStep(request) ?? 'look';
  const { data: record } = useCall(getRequestById, {
    query: { RequestId: request.requestId },
    enabled: step === 'correct',
    skipErrorHandling: true,
  });
  const items = record ? (findLatestMessage(record)?.marks ?? []).map(({ title }) => title) : [];
  const title =
    step === 'pay'
      ? t('record.pay', { amount: money(request.due) })
      : step === 'look'
        ? t('mine.expected.look')
        : items.length > 0
          ? t('own.correct', { items: list(items.slice(0, shownRows)) })
          : t('record.correct');
  return (
    <WorkRow
      link={detailsLink(request.requestNumber)}
      title={title}
      about={request.serviceName}
      aside={<Reference>{request.requestNumber}</Reference>}
    />
  );
}

function YearAgoList({ rows }: { rows: readonly RequestSummary[] }) {
  const { t } = useTranslation('requests');
  if (rows.length === 0) return null;
  return (
    <WorkList title={t('own.yearAgo')}>
      {rows.map((request) => (
        <AgainRow key={request.requestId} request={request} />
      ))}
    </WorkList>
  );
}

/** Opens the service of an earlier request anew; the request itself until its address is known. */
function AgainRow({ request }: { request: RequestSummary }) {
  const { t } = useTranslation('requests');
  const { date } = useFormat();
  const { data: service } = useCall(getServiceNameByServiceId, {
    query: { serviceId: request.serviceId },
    skipErrorHandling: true,
  });
  return (
    <WorkRow
      link={
        service
          ? { to: `${servicePath}${encodeURIComponent(service.replacedName)}` }
          : detailsLink(request.requestNumber)
      }
      title={request.serviceName}
      about={service ? t('own.again') : request.statusName}
      aside={<span>{t('own.sentOn', { date: date(request.createdAt) })}</span>}
    />
  );
}

function DueDay({ promisedBy }: Pick<RequestSummary, 'promisedBy'>) {
  const { t } = useTranslation('requests');
  const { date, day } = useFormat();
  if (!promisedBy) return null;
  return promisedBy < serverToday() ? (
    <span className="text-amber-800">{t('promise.shortOver', { date: date(promisedBy) })}</span>
  ) : (
    <span>{t('own.by', { day: day(promisedBy) })}</span>
  );
}
