import { useTranslation } from '#lib/i18n/translate.ts';
import { Link } from '#lib/router/link.tsx';
import type { TextEntry } from '@diwan/contract/content/texts';
import { placesOf } from './texts.data.ts';

/** The nouns that no page shows: what the server writes. */
const kindOf = (noun: string) =>
  noun.endsWith('-messages') ? 'messages' : noun.startsWith('sandbox-') ? 'sandbox' : 'server';

/** Where a text appears: links to its pages, as far as a page needs no record. */
export function TextPlaces({
  entry,
  maximum,
}: {
  entry: Pick<TextEntry, 'noun' | 'key'>;
  maximum: number;
}) {
  const { t } = useTranslation('texts');
  const paths = placesOf(entry);
  if (paths.length === 0) return <span>{t(`places.${kindOf(entry.noun)}`)}</span>;
  if (paths[0] === '*') return <span>{t('places.everyPage')}</span>;
  const rest = paths.length - maximum;
  return (
    <ul className="flex flex-col items-start">
      {paths.slice(0, maximum).map((path) => (
        <li key={path} className="max-w-full">
          {path.includes(':') ? (
            <bdi dir="ltr" className="wrap-anywhere text-ink-600">
              {path.replace(/:\w+/g, '…')}
            </bdi>
          ) : (
            <Link to={path} className="link wrap-anywhere">
              <bdi dir="ltr">{path}</bdi>
            </Link>
          )}
        </li>
      ))}
      {rest > 0 ? <li className="text-ink-600">{t('places.more', { count: rest })}</li> : null}
    </ul>
  );
}

/** A text with its placeholders and quoted labels marked; they keep their own direction. */
export function MarkedText({ text }: { text: string }) {
  return text.split(/(\{\{[^}]*\}\}|\$t\([^)]*\))/).map((part, at) =>
    at % 2 === 1 ? (
      <bdi key={at} dir="ltr" className="rounded-sm bg-ink-50 px-1 text-ink-600">
        {part}
      </bdi>
    ) : (
      <span key={at}>{part}</span>
    ),
  );
}
