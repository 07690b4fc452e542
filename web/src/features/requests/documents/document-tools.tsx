import { ExternalLink, Minus, Plus, RotateCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/i18n/format.ts';
import { IconButton } from '../../../ui/actions/icon-button.tsx';

/** Steps of enlargement; 1 is as wide as its place. */
const zooms = [0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4] as const;

interface DocumentToolsProps {
  zoom: number;
  onZoom: (zoom: number) => void;
  onRotate: () => void;
  page: number;
  /** Undefined for a picture, and until the document is open. */
  pages: number | undefined;
  onPage: (page: number) => void;
  onNewTab: () => void;
}

/** What can be done with the document that is shown. */
export function DocumentTools({
  zoom,
  onZoom,
  onRotate,
  page,
  pages,
  onPage,
  onNewTab,
}: DocumentToolsProps) {
  const { t } = useTranslation('staff');
  const { count, percent } = useFormat();
  const larger = zooms.find((each) => each > zoom);
  const smaller = zooms.findLast((each) => each < zoom);
  const goTo = (text: string) => {
    const wanted = Number(text);
    if (pages && Number.isInteger(wanted) && wanted >= 1 && wanted <= pages) onPage(wanted);
  };
  return (
    <div
      role="toolbar"
      aria-label={t('viewer.tools')}
      className="flex flex-wrap items-center gap-x-1"
    >
      <IconButton
        label={t('viewer.smaller')}
        isDisabled={smaller === undefined}
        onPress={() => smaller && onZoom(smaller)}
      >
        <Minus aria-hidden size={18} />
      </IconButton>
      <button
        type="button"
        title={t('viewer.fit')}
        onClick={() => onZoom(1)}
        className="min-h-11 min-w-14 rounded-md text-sm tabular-nums hover:bg-ink-50 max-sm:hidden"
      >
        <bdi>{percent(zoom)}</bdi>
        <span className="sr-only"> {t('viewer.fit')}</span>
      </button>
      <IconButton
        label={t('viewer.larger')}
        isDisabled={larger === undefined}
        onPress={() => larger && onZoom(larger)}
      >
        <Plus aria-hidden size={18} />
      </IconButton>
      <IconButton label={t('viewer.rotate')} onPress={onRotate}>
        <RotateCw aria-hidden size={18} />
      </IconButton>
      {pages ? (
        <label className="ms-auto flex items-center gap-2 text-sm text-ink-600">
          <span className="sr-only">{t('viewer.page')}</span>
          <input
            key={page}
            defaultValue={page}
            inputMode="numeric"
            dir="ltr"
            aria-label={t('viewer.page')}
            onBlur={(event) => goTo(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') goTo(event.currentTarget.value);
            }}
            className="min-h-9 w-12 rounded-md border border-ink-300 text-center text-ink-900 tabular-nums"
          />
          <span>{t('viewer.of', { number: count(pages) })}</span>
        </label>
      ) : (
        <span className="ms-auto" />
      )}
      <IconButton label={t('viewer.newTab')} onPress={onNewTab}>
        <ExternalLink aria-hidden size={18} className="mirror" />
      </IconButton>
    </div>
  );
}
