import { ChevronDown, Globe } from 'lucide-react';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { languages, type Language } from '@diwan/contract/languages';
import { useLanguage } from '../lib/language.ts';

const order: readonly Language[] = ['en-US', 'ar-EG', 'ur-PK'];

/** Each language by its own name, in its own script. */
export function LanguageMenu() {
  const { t } = useTranslation('shell');
  const { language, setLanguage } = useLanguage();
  return (
    <MenuTrigger>
      <Button className="inline-flex min-h-11 items-center gap-2 rounded-md px-2 leading-(--leading-control) font-medium text-ink-700 hover:bg-ink-50 hover:text-ink-900 data-pressed:bg-ink-100 lg:min-h-9">
        <Globe aria-hidden size={20} className="shrink-0" />
        <span className="sr-only">{t('chooseLanguage')}</span>
        <span className="max-sm:sr-only">{t(`languages.${language}`)}</span>
        <ChevronDown aria-hidden size={16} className="shrink-0 max-sm:hidden" />
      </Button>
      <Popover placement="bottom end" className="min-w-44 rounded-md border border-ink-200 bg-white p-1 shadow-soft data-entering:animate-enter">
        <Menu
          aria-label={t('chooseLanguage')} selectionMode="single" selectedKeys={[language]} className="outline-none"
          onAction={(key) => void setLanguage(languages.find((each) => each === key) ?? language)}
        >
          {order.map((each) => (
            <MenuItem key={each} id={each} textValue={t(`languages.${each}`)} className="flex min-h-11 cursor-pointer items-center rounded-md px-3 outline-none data-focused:bg-gold-50 data-selected:font-semibold data-selected:text-gold-800">
              <span lang={each}>{t(`languages.${each}`)}</span>
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
