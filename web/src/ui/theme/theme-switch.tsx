import { classNames } from '#lib/browser/class-names.ts';
import { chooseTheme, themes, useTheme } from '#lib/browser/theme.ts';
import { useTranslation } from '#lib/i18n/translate.ts';

/** Light, dark, or as the device. */
export function ThemeSwitch() {
  const { t } = useTranslation('shell');
  const chosen = useTheme();
  return (
    <div
      role="group"
      aria-label={t('theme.label')}
      className="flex w-fit flex-wrap rounded-md border border-ink-400 bg-white p-0.5 text-sm"
    >
      {themes.map((theme) => {
        return (
          <button
            key={theme}
            type="button"
            aria-pressed={theme === chosen}
            onClick={() => chooseTheme(theme)}
            className={classNames(
              'min-h-9 rounded-sm px-3',
              theme === chosen
                ? 'bg-gold-100 font-semibold text-gold-800'
                : 'text-ink-700 hover:bg-gold-50',
            )}
          >
            {t(`theme.${theme}`)}
          </button>
        );
      })}
    </div>
  );
}
