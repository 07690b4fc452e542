import { ArrowLeft, CircleSlash, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { classNames } from '#lib/browser/class-names.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Link } from '#lib/router/link.tsx';
import { Button } from '#ui/actions/button.tsx';
import { IconButton } from '#ui/actions/icon-button.tsx';
import { Reference } from '#ui/values/reference.tsx';
import { StatusTag } from '#ui/values/status-tag.tsx';
import type { Closure } from '@diwan/contract/catalogue/closures';
import { servicePath } from '@diwan/contract/portal/pages';
import type { DraftSummary } from '@diwan/contract/requests/drafts';
import { detailsLink } from '../data/details-link.ts';
import { useStatuses } from '../data/requests.data.ts';
import { useDrafts, useDiscard } from './draft-list.data.ts';

interface DraftRowProps {
  draft: DraftSummary;
  statusName: string;
  isDiscarded: boolean;
  onDiscardedChange: (isDiscarded: boolean) => void;
}

/** One draft; the row links to it. A discarded draft can be restored while the page is open. */
function DraftRow({ draft, statusName, isDiscarded, onDiscardedChange }: DraftRowProps) {
  const { t } = useTranslation(['drafts', 'saving']);
  const { relative, date } = useFormat();
  const { discard, restore, isPending } = useDiscard(draft);
  const {
    serviceName,
    governmentAgency,
    done,
    total,
    savedAt,
    keptUntil,
    isOffered,
    replacedName,
    corrects,
    closure,
  } = draft;
  const link = corrects
    ? detailsLink(corrects.requestNumber)
    : { to: `${servicePath}${encodeURIComponent(replacedName)}#review` };
  if (isDiscarded) {
    return (
      <li
        data-surface
        className={classNames(
          'flex flex-wrap items-center justify-between gap-x-4',
          'gap-y-2 rounded-lg border border-dashed border-ink-200 p-4',
        )}
      >
        <p role="status" className="min-w-0 text-ink-600">
          {t('list.discarded', { service: serviceName })}
        </p>
        <Button
          variant="secondary"
          size="sm"
          isPending={isPending}
          onPress={() => restore(() => onDiscardedChange(false))}
        >
          {t('list.undo')}
        </Button>
      </li>
    );
  }
  return (
    <li
      data-surface
      className={classNames(
        'relative flex gap-4 rounded-lg border border-ink-100',
        'bg-white p-4 transition-colors duration-150 md:p-6',
        isOffered ? 'hover:border-gold-600 hover:bg-desert-50' : '',
      )}
    >
      <img
        src={governmentAgency.logo}
        alt=""
        width={48}
        height={48}
        className="size-12 shrink-0 max-md:hidden"
      />
      <div className="min-w-0 grow">
        <div className="flex items-center justify-between gap-x-4">
          <StatusTag tone="waiting">{corrects ? t('list.corrects') : statusName}</StatusTag>
          <div className="relative z-10 -my-2 -me-2">
            <IconButton
              label={t('list.discard', { service: serviceName })}
              isDisabled={isPending}
              onPress={() => discard(() => onDiscardedChange(true))}
            >
              <Trash2 aria-hidden size={20} />
            </IconButton>
          </div>
        </div>
        <h3 className="mt-2 text-lg">
          {isOffered ? (
            <Link {...link} className="row-link">
              {serviceName}
            </Link>
          ) : (
            serviceName
          )}
        </h3>
        <p className="text-sm text-ink-600">{governmentAgency.name}</p>
        <p className="mt-2 flex flex-wrap gap-x-4 text-sm text-ink-600">
          {corrects ? (
            <Reference>{corrects.requestNumber}</Reference>
          ) : isOffered ? (
            <span>{t('list.progress', { done, count: total })}</span>
          ) : (
            <span className="font-medium text-amber-800">{t('list.notOffered')}</span>
          )}
          <span>{t('saving:saved', { when: relative(savedAt) })}</span>
          <span>{t('list.keptUntil', { date: date(keptUntil) })}</span>
        </p>
        {closure ? <ClosedNote closure={closure} /> : null}
        {isOffered ? (
          <p className="mt-3 flex items-center gap-2 font-semibold text-gold-700">
            <span>{t(corrects ? 'list.correctGoOn' : closure ? 'list.open' : 'list.goOn')}</span>
            <ArrowLeft aria-hidden size={18} className="shrink-0 ltr:-scale-x-100" />
          </p>
        ) : null}
      </div>
    </li>
  );
}

/** Why the draft cannot be sent now, and when it can. */
function ClosedNote({ closure }: { closure: Closure }) {
  const { t } = useTranslation('drafts');
  const { dateTime } = useFormat();
  return (
    <div className="mt-3 flex gap-2 rounded-lg bg-amber-100 px-3 py-2 text-sm text-amber-800">
      <span className="flex h-[1lh] items-center">
        <CircleSlash aria-hidden size={16} className="shrink-0" />
      </span>
      <div className="min-w-0">
        <p className="font-semibold">
          {closure.until
            ? t('list.closedUntil', { at: dateTime(closure.until) })
            : t('list.closed')}
        </p>
        <p className="whitespace-pre-line">{closure.reason}</p>
        <p>{t('list.closedText')}</p>
      </div>
    </div>
  );
}

const collapsedCount = 3;

/** The user's drafts, above the submitted requests; nothing where there are none. */
export function DraftList() {
  const { t } = useTranslation('drafts');
  const { data } = useDrafts();
  const statuses = useStatuses();
  const [isExpanded, setIsExpanded] = useState(false);
  // Discarded drafts stay in the list, so that they can be restored.
  const [discarded, setDiscarded] = useState<readonly { draft: DraftSummary; index: number }[]>([]);
  const isDiscarded = (draft: DraftSummary) =>
    discarded.some((each) => each.draft.draftId === draft.draftId);
  const known = [...(data ?? [])];
  for (const { draft, index } of discarded)
    if (known.every(({ draftId }) => draftId !== draft.draftId)) known.splice(index, 0, draft);
  if (known.length === 0) return null;
  const statusName =
    statuses.data?.find(({ key }) => key === 'draft')?.statusName ?? t('list.status');
  return (
    <section aria-labelledby="drafts" className="mb-10">
      <h2 id="drafts" className="mb-1 text-xl">
        {t('list.title')}
      </h2>
      <p className="mb-4 text-ink-600">{t('list.lead')}</p>
      <ul className="flex flex-col gap-4">
        {(isExpanded ? known : known.slice(0, collapsedCount)).map((draft, index) => (
          <DraftRow
            key={draft.draftId}
            draft={draft}
            statusName={statusName}
            isDiscarded={isDiscarded(draft)}
            onDiscardedChange={(hasDiscarded) =>
              setDiscarded((before) =>
                hasDiscarded
                  ? [...before, { draft, index }]
                  : before.filter((each) => each.draft.draftId !== draft.draftId),
              )
            }
          />
        ))}
      </ul>
      {!isExpanded && known.length > collapsedCount ? (
        <div className="mt-4">
          <Button variant="secondary" onPress={() => setIsExpanded(true)}>
            {t('list.showAll', { count: known.length })}
          </Button>
        </div>
      ) : null}
    </section>
  );
}
