import { ArrowLeft, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { DraftSummary } from '@diwan/contract/requests/drafts';
import { servicePath } from '@diwan/contract/catalogue/sitemap';
import { useFormat } from '../../../lib/i18n/format.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { IconButton } from '../../../ui/actions/icon-button.tsx';
import { Reference } from '../../../ui/values/reference.tsx';
import { StatusTag } from '../../../ui/values/status-tag.tsx';
import { detailsLink } from '../data/details-link.ts';
import { useDiscard } from './draft-list.data.ts';

interface DraftRowProps {
  draft: DraftSummary;
  statusName: string;
  isGone: boolean;
  onGone: (isGone: boolean) => void;
}

/**
 * One draft: the row leads on to where the person was. Discarded, it can be taken back in its place
 * for as long as the page is open.
 */
export function DraftRow({ draft, statusName, isGone, onGone }: DraftRowProps) {
  const { t } = useTranslation('drafts');
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
    mends,
  } = draft;
  const link = mends
    ? detailsLink(mends.requestNumber)
    : { to: `${servicePath}${encodeURIComponent(replacedName)}#review` };
  if (isGone) {
    return (
      <li
        data-surface
        className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg border border-dashed border-ink-200 p-4"
      >
        <p role="status" className="min-w-0 text-ink-600">
          {t('list.discarded', { service: serviceName })}
        </p>
        <Button
          variant="secondary"
          size="sm"
          isPending={isPending}
          onPress={() => restore(() => onGone(false))}
        >
          {t('list.undo')}
        </Button>
      </li>
    );
  }
  return (
    <li
      data-surface
      className={`relative flex gap-4 rounded-lg border border-ink-100 bg-white p-4 transition-colors duration-150 md:p-6 ${isOffered ? 'hover:border-gold-600 hover:bg-desert-50' : ''}`}
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
          <StatusTag tone="waiting">{mends ? t('list.mends') : statusName}</StatusTag>
          <div className="relative z-10 -my-2 -me-2">
            <IconButton
              label={t('list.discard', { service: serviceName })}
              isDisabled={isPending}
              onPress={() => discard(() => onGone(true))}
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
          {mends ? (
            <Reference>{mends.requestNumber}</Reference>
          ) : isOffered ? (
            <span>{t('list.progress', { done, count: total })}</span>
          ) : (
            <span className="font-medium text-amber-800">{t('list.notOffered')}</span>
          )}
          <span>{t('saving.saved', { when: relative(savedAt) })}</span>
          <span>{t('list.keptUntil', { date: date(keptUntil) })}</span>
        </p>
        {isOffered ? (
          <p className="mt-3 flex items-center gap-2 font-semibold text-gold-700">
            <span>{t(mends ? 'list.mendGoOn' : 'list.goOn')}</span>
            <ArrowLeft aria-hidden size={18} className="shrink-0 ltr:-scale-x-100" />
          </p>
        ) : null}
      </div>
    </li>
  );
}
