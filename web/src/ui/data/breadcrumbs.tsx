import { ChevronLeft, ChevronRight } from 'lucide-react';
import { classNames } from '#lib/browser/class-names.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Link } from '#lib/router/link.tsx';

export interface Crumb {
  label: string;
  /** The last crumb is the current page and has no link. */
  to?: string;
  state?: unknown;
}

/**
 * A phone shows only the way back, because the heading below names the page, unless `isWhole`. A page alone
 * has no trail: who may not open the pages above it sees none.
 */
export function Breadcrumbs({
  crumbs,
  isWhole = false,
}: {
  crumbs: readonly Crumb[];
  isWhole?: boolean | undefined;
}) {
  const { t } = useTranslation('shell');
  const back = crumbs.findLastIndex((crumb) => crumb.to !== undefined);
  if (back < 0) return null;
  return (
    <nav aria-label={t('kit.breadcrumbs')} className="text-sm">
      <ol className="flex flex-wrap items-center gap-x-2">
        {crumbs.map((crumb, index) => (
          <li
            key={crumb.label}
            className={classNames(
              'flex min-h-9 items-center gap-2',
              !isWhole && !crumb.to && 'max-md:sr-only',
              !isWhole && crumb.to !== undefined && index !== back && 'max-md:hidden',
            )}
          >
            {index > 0 ? (
              <ChevronRight
                aria-hidden
                size={16}
                className={classNames('mirror shrink-0 text-ink-400', !isWhole && 'max-md:hidden')}
              />
            ) : null}
            {index === back && !isWhole ? (
              <ChevronLeft aria-hidden size={18} className="mirror -ms-1 shrink-0 md:hidden" />
            ) : null}
            {crumb.to ? (
              <Link to={crumb.to} state={crumb.state} className="link min-w-6 py-1">
                {crumb.label}
              </Link>
            ) : (
              <span aria-current="page" className="text-ink-500">
                {crumb.label}
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
