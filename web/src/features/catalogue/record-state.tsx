import { useTranslation } from '#lib/i18n/translate.ts';

/** Whether a record of the catalogue is in use, in words. */
export function RecordState({ isRetired }: { isRetired: boolean }) {
  const { t } = useTranslation('catalogue');
  return (
    <span className={isRetired ? 'text-ink-500' : 'font-semibold text-green-700'}>
      {t(isRetired ? 'retired' : 'inUse')}
    </span>
  );
}
