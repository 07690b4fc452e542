import { FilePen } from 'lucide-react';
import { servicePath } from '@diwan/contract/catalogue/sitemap';
import { classNames } from '../../../lib/browser/class-names.ts';
import { useTranslation } from '../../../lib/i18n/translate.ts';
import { TextLink } from '../../../ui/actions/links.tsx';
import { detailsLink } from '../data/details-link.ts';
import { useDrafts } from './draft-list.data.ts';

/** Reminds a returning user of the last draft. */
export function DraftReminder() {
  const { t } = useTranslation('drafts');
  const { data = [] } = useDrafts();
  const [last, ...others] = data.filter(({ isOffered }) => isOffered);
  if (!last) return null;
  return (
    <div className="page">
      <div
        data-surface
        className={classNames(
          'mt-4 flex flex-wrap items-center gap-x-4 gap-y-1',
          'rounded-md border border-gold-200 bg-gold-50 px-4 py-3',
        )}
      >
        <FilePen aria-hidden size={22} className="shrink-0 text-gold-700" />
        <p className="min-w-0 grow basis-56">
          <span className="font-medium">
            {t(last.mends ? 'reminder.begunMend' : 'reminder.begun')}
          </span>{' '}
          {last.serviceName}
        </p>
        <TextLink
          {...(last.mends
            ? detailsLink(last.mends.requestNumber)
            : { to: `${servicePath}${encodeURIComponent(last.replacedName)}#review` })}
        >
          {t(last.mends ? 'list.mendGoOn' : 'list.goOn')}
        </TextLink>
        {others.length > 0 ? (
          <TextLink to="/requests">{t('reminder.others', { count: others.length })}</TextLink>
        ) : null}
      </div>
    </div>
  );
}
