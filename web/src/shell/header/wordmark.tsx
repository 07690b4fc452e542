import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { classNames } from '../../lib/browser/class-names.ts';

/** `isNarrow`: beside it stands so much that a phone has room for its sign alone. */
export function Wordmark({ isNarrow }: { isNarrow: boolean }) {
  const { t } = useTranslation('shell');
  return (
    <Link to="/home" className="flex min-h-12 items-center lg:py-2 gap-3 text-ink-900 no-underline">
      <img src="/favicon.svg" alt="" width={44} height={44} className="size-10 md:size-11" />
      <span
        className={classNames(
          'flex flex-col max-[22rem]:sr-only in-data-signed-in:max-[24rem]:sr-only',
          isNarrow && 'max-[28rem]:sr-only',
        )}
      >
        <span className="font-heading text-xl leading-tight font-bold rtl:leading-(--leading-control)">
          {t('wordmark')}
        </span>
        <span className="hidden text-sm leading-tight text-ink-500 lg:block rtl:leading-(--leading-control)">
          {t('portal')}
        </span>
      </span>
    </Link>
  );
}
