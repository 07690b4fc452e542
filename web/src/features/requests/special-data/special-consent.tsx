import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { TextLink } from '#ui/actions/links.tsx';
import { Checkbox } from '#ui/forms/checkbox.tsx';
import { kindsOf, type SpecialItem } from '@diwan/contract/forms/special-data';

interface SpecialConsentProps {
  items: readonly SpecialItem[];
  agency: string;
  consent: {
    hasConsented: boolean;
    setHasConsented: (hasConsented: boolean) => void;
    /** The user has tried to send, or to continue. */
    hasTried: boolean;
  };
  isDisabled?: boolean;
  /** The questions that wait for it: it is asked before they are. */
  before?: readonly string[];
}

/**
 * Asks for the consent to the use of special data, apart from the agreement to the terms: which data, why,
 * and that it can be withdrawn. Nothing where a request holds none.
 */
export function SpecialConsent({
  items,
  agency,
  consent: { hasConsented, setHasConsented, hasTried },
  isDisabled,
  before,
}: SpecialConsentProps) {
  const { t } = useTranslation('forms');
  const { language } = useLanguage();
  if (items.length === 0) return null;
  const titlesOf = (kind: SpecialItem['kind']) => [
    ...new Set(
      items
        .filter((item) => item.kind === kind)
        .map(({ title }) => `\u2068${title[language]}\u2069`),
    ),
  ];
  return (
    <section className="flex flex-col gap-3">
      <h2 className="text-lg">{t('special.title')}</h2>
      <p className="text-ink-700">{t(before ? 'special.askLead' : 'special.lead')}</p>
      <ul className="flex list-disc flex-col gap-1.5 ps-6 text-ink-700">
        {kindsOf(items).map((kind) => (
          <li key={kind}>
            <span className="font-medium">{t(`special.kinds.${kind}`)}</span>
            {': '}
            <span>{new Intl.ListFormat(language).format(titlesOf(kind))}</span>
          </li>
        ))}
      </ul>
      <p className="text-ink-700">
        <span>{t('special.purpose', { agency: `\u2068${agency}\u2069` })}</span>{' '}
        <TextLink to="/privacy-policy#special">{t('special.more')}</TextLink>
      </p>
      <Checkbox
        label={t('special.consent')}
        value={hasConsented}
        onChange={setHasConsented}
        isRequired
        isDisabled={isDisabled}
        name="consentsToSpecialData"
        focusIds={
          before?.flatMap((name) => [name, `answers.${name}`]) ?? ['SpecialDataConsentMissing']
        }
        error={
          hasTried && !hasConsented
            ? t(before ? 'special.askMissing' : 'special.missing')
            : undefined
        }
      />
    </section>
  );
}
