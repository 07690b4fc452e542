import { classNames } from '#lib/browser/class-names.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Link } from '#lib/router/link.tsx';
import { Card } from '#ui/data/card.tsx';
import { StatusTag } from '#ui/values/status-tag.tsx';
import type { RequestFigures } from '@diwan/contract/requests/reports';
import type { RequestListPath } from './figure-links.ts';

const fills: Record<string, string> = { waiting: 'bg-amber-300', progress: 'bg-blue-600' };

/**
 * The number of requests in each status, with a bar for those that are open. `list` has the requests in
 * a status; `isShort` leaves out empty statuses that do not wait for the
 * user.
 */
export function StatusCountList({
  statusCounts,
  list,
  isShort,
}: {
  statusCounts: RequestFigures['standing'];
  list: RequestListPath | undefined;
  isShort?: boolean;
}) {
  const { t } = useTranslation('reports');
  const { count } = useFormat();
  // Requests that have ended grow without limit, and would make the bars of the others invisible.
  const isOpen = ({ statusTone }: (typeof statusCounts)[number]) =>
    statusTone === 'waiting' || statusTone === 'progress';
  const maximum = Math.max(1, ...statusCounts.filter(isOpen).map((status) => status.count));
  return (
    <Card title={t('standing.title')} isPrintedWhole>
      <ul className="flex flex-col gap-1 print:grid print:grid-cols-2 print:gap-x-6">
        {statusCounts
          .filter((status) => !isShort || status.count > 0 || status.waitsForMe)
          .map((status) => (
            <li
              key={status.statusId}
              className={classNames(
                'relative rounded-md px-2 py-1.5 -mx-2 print:mx-0 print:p-0',
                'transition-colors duration-150 has-[a]:hover:bg-gold-50',
              )}
            >
              <div className="flex items-center justify-between gap-3">
                {list ? (
                  <Link to={`${list}?status=${status.statusId}`} className="row-link">
                    <StatusTag tone={status.statusTone}>{status.statusName}</StatusTag>
                  </Link>
                ) : (
                  <StatusTag tone={status.statusTone}>{status.statusName}</StatusTag>
                )}
                <bdi className="font-semibold tabular-nums">{count(status.count)}</bdi>
              </div>
              {isOpen(status) ? (
                <div aria-hidden className="mt-1 h-1 rounded-full bg-ink-100 print:hidden">
                  <div
                    data-share
                    className={`h-1 rounded-full ${fills[status.statusTone]}`}
                    style={{ inlineSize: `${(100 * status.count) / maximum}%` }}
                  />
                </div>
              ) : null}
            </li>
          ))}
      </ul>
    </Card>
  );
}
