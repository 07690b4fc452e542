import { useTranslation } from 'react-i18next';
import { configuration } from '../../lib/browser/configuration.ts';
import { Reference } from '../../ui/values/reference.tsx';

/**
 * Which environment this is, so that nobody takes one for testing for the live one; there it says
 * nothing.
 */
export function EnvironmentLabel() {
  const { t } = useTranslation('shell');
  const { environment } = configuration();
  if (environment === '' || environment === 'live') return null;
  return (
    <p>
      {t('environment')}{' '}
      <span className="rounded-sm border border-amber-300 bg-amber-50 px-2 py-0.5 font-medium text-ink-900">
        <Reference>{environment}</Reference>
      </span>
    </p>
  );
}
