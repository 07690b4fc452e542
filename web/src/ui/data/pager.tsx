import { ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '#lib/browser/class-names.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { useKeptFocus } from '../actions/kept-focus.ts';

interface PagerProps {
  pageNumber: number;
  pageSize: number;
  totalCount: number;
  onSelect: (pageNumber: number) => void;
}

/** Three page links around the current page. Source: specification §9. */
export function pageLinks(pageNumber: number, pages: number): number[] {
  const first = Math.max(1, Math.min(pageNumber - 1, pages - 2));
  return [first, first + 1, first + 2].filter((page) => page <= pages);
}

function PagerButton({
  label,
  isDisabled,
  isCurrent,
  onSelect,
  children,
}: {
  label: string;
  isDisabled?: boolean;
  isCurrent?: boolean;
  onSelect: () => void;
  children: ReactNode;
}) {
  const { isIgnoring, props } = useKeptFocus<HTMLButtonElement>(isDisabled);
  return (
    <button
      type="button"
      aria-label={label}
      {...props}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={isIgnoring ? undefined : onSelect}
      className={classNames(
        'inline-flex h-11 min-w-11 items-center justify-center rounded-md border px-0.5',
        'font-semibold transition-colors duration-150 disabled:text-ink-300 aria-disabled:text-ink-300',
        isCurrent
          ? 'border-primary bg-primary text-white'
          : 'border-transparent text-ink-700 enabled:hover:bg-gold-50 enabled:hover:text-gold-800',
      )}
    >
      {children}
    </button>
  );
}

/** The pages of a list. Paper has no pages to choose, and says which rows of the list it shows. */
export function Pager({ pageNumber, pageSize, totalCount, onSelect }: PagerProps) {
  const { t } = useTranslation('shell');
  const { count } = useFormat();
  const pages = Math.ceil(totalCount / pageSize);
  if (pages < 2) return null;
  const isFirst = pageNumber <= 1;
  const isLast = pageNumber >= pages;
  return (
    <>
      <p className="hidden text-sm text-ink-600 print:block">
        {t('kit.printedRows', {
          first: count((pageNumber - 1) * pageSize + 1),
          last: count(Math.min(pageNumber * pageSize, totalCount)),
          total: count(totalCount),
        })}
      </p>
      <nav aria-label={t('kit.pages')}>
        <ul className="flex flex-wrap items-center gap-1">
          <li>
            <PagerButton
              label={t('kit.firstPage')}
              isDisabled={isFirst}
              onSelect={() => onSelect(1)}
            >
              <ChevronsLeft aria-hidden size={20} className="mirror" />
            </PagerButton>
          </li>
          <li>
            <PagerButton
              label={t('kit.previousPage')}
              isDisabled={isFirst}
              onSelect={() => onSelect(pageNumber - 1)}
            >
              <ChevronLeft aria-hidden size={20} className="mirror" />
            </PagerButton>
          </li>
          {pageLinks(pageNumber, pages).map((page) => (
            <li key={page}>
              <PagerButton
                label={t('kit.page', { number: count(page) })}
                isCurrent={page === pageNumber}
                onSelect={() => onSelect(page)}
              >
                {count(page)}
              </PagerButton>
            </li>
          ))}
          <li>
            <PagerButton
              label={t('kit.nextPage')}
              isDisabled={isLast}
              onSelect={() => onSelect(pageNumber + 1)}
            >
              <ChevronRight aria-hidden size={20} className="mirror" />
            </PagerButton>
          </li>
          <li>
            <PagerButton
              label={t('kit.lastPage')}
              isDisabled={isLast}
              onSelect={() => onSelect(pages)}
            >
              <ChevronsRight aria-hidden size={20} className="mirror" />
            </PagerButton>
          </li>
        </ul>
      </nav>
    </>
  );
}
