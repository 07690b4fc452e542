import { useTranslation } from 'react-i18next';

export function SkipLink() {
  const { t } = useTranslation('shell');
  return (
    <a
      href="#main"
      onClick={(event) => {
        // The fragment belongs to the pages (tabs, steps), so only the focus moves.
        event.preventDefault();
        document.getElementById('main')?.focus();
      }}
      className="sr-only z-60 rounded-md bg-ink-900 px-5 py-3 font-semibold text-white focus:not-sr-only focus:fixed focus:start-4 focus:top-4"
    >
      {t('skipToContent')}
    </a>
  );
}
