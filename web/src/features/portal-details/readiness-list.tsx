import { Check, Circle } from 'lucide-react';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Link } from '#lib/router/link.tsx';
import { Reference } from '#ui/values/reference.tsx';
import { pages } from '@diwan/contract/portal/pages';
import {
  readinessOf,
  type ReadinessList,
  type ReadinessName,
} from '@diwan/contract/portal/readiness';

/** The items of a list: what is done, and where the rest is done. */
export function ReadinessItems({
  list,
  done,
}: {
  list: ReadinessList;
  done: readonly ReadinessName[];
}) {
  const { t } = useTranslation('portal');
  return (
    <ul className="grid gap-x-8 gap-y-1 md:grid-cols-2">
      {readinessOf(list).map(({ name, page, query = '', settings }) => {
        const isDone = done.includes(name);
        const Icon = isDone ? Check : Circle;
        const text = t(`readiness.${name}`);
        return (
          <li key={name} className="flex items-start gap-3 py-1.5">
            <span
              className={`flex h-[1lh] items-center ${isDone ? 'text-green-700' : 'text-ink-400'}`}
            >
              <Icon aria-hidden size={20} />
            </span>
            <span className="min-w-0">
              <span className="sr-only">{t(isDone ? 'readiness.done' : 'readiness.open')} </span>
              {isDone ? (
                <span className="text-ink-600">{text}</span>
              ) : page ? (
                <Link to={pages[page].path + query} className="link">
                  {text}
                </Link>
              ) : (
                <span>{text}</span>
              )}
              {settings && !isDone ? (
                <span className="block text-sm text-ink-600">
                  <span>{t('readiness.settings')}</span>{' '}
                  {settings.map((setting) => (
                    <span key={setting} className="me-2 inline-block">
                      <Reference>{setting}</Reference>
                    </span>
                  ))}
                </span>
              ) : null}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
