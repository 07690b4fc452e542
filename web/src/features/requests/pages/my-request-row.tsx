import { ArrowLeft } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { RequestSummary } from '@diwan/contract/requests/requests';
import { useFormat } from '../../../lib/i18n/format.ts';
import { Moment } from '../../../ui/values/moment.tsx';
import { Reference } from '../../../ui/values/reference.tsx';
import { StatusTag } from '../../../ui/values/status-tag.tsx';
import { useActorName } from '../record/actor-name.tsx';
import { detailsLink } from '../data/details-link.ts';
import { PromisedDay } from '../record/promised-day.tsx';
import { expectedOf } from '../data/status-groups.ts';

/** Status first, then what is expected of me, then what it is. The whole row is the target. */
export function MyRequestRow({ request }: { request: RequestSummary }) {
  const { t } = useTranslation('requests');
  const { money } = useFormat();
  const actorName = useActorName();
  const expectation = expectedOf(request);
  const { sentBy } = request;
  return (
    <li
      data-surface
      className="relative flex gap-4 rounded-lg border border-ink-100 bg-white p-4 transition-colors duration-150 hover:border-gold-600 hover:bg-desert-50 md:p-6"
    >
      <img
        src={request.governmentAgency.logo}
        alt=""
        width={48}
        height={48}
        className="size-12 shrink-0 max-md:hidden"
      />
      <div className="min-w-0 grow">
        <StatusTag tone={request.statusTone}>{request.statusName}</StatusTag>
        <h2 className="mt-2 text-lg">
          <Link {...detailsLink(request.requestNumber)} className="row-link">
            {request.serviceName}
          </Link>
        </h2>
        <p className="text-sm text-ink-600">{request.governmentAgency.name}</p>
        <p className="flex flex-wrap gap-x-4 text-sm text-ink-500">
          <span>
            <span className="sr-only">{t('fields.number')} </span>
            <Reference>{request.requestNumber}</Reference>
          </span>
          <span>
            <span className="sr-only">{t('fields.sentOn')} </span>
            <Moment at={request.createdAt} as="date" />
          </span>
          {/* All requests in the list of a company are for that company. */}
          {sentBy ? (
            <span>
              {t('actors.sentBy')}{' '}
              {sentBy.actedFor.by === 'company' ? (
                <bdi>{sentBy.name}</bdi>
              ) : (
                actorName({ kind: 'employee', ...sentBy })
              )}
            </span>
          ) : null}
        </p>
        <PromisedDay request={request} isShort />
        {expectation ? (
          <p className="mt-3 flex items-center gap-2 font-semibold text-gold-700">
            <span>{t(`mine.expected.${expectation}`, { amount: money(request.due) })}</span>
            <ArrowLeft aria-hidden size={18} className="shrink-0 ltr:-scale-x-100" />
          </p>
        ) : null}
      </div>
    </li>
  );
}
