import { useTranslation } from '#lib/i18n/translate.ts';
import { specialData, type SpecialData } from '@diwan/contract/forms/forms';
import { SelectField } from '../forms/select-field.tsx';

/** Whether a question or a document is special data, which needs a consent of its own. */
export function SpecialDataField({
  value,
  onChange,
}: {
  value: SpecialData | undefined;
  onChange: (kind: SpecialData | undefined) => void;
}) {
  const { t } = useTranslation('designer');
  return (
    <SelectField
      isOptional
      label={t('field.special')}
      description={t('field.specialHint')}
      value={value ?? 'none'}
      onChange={(chosen) => onChange(specialData.find((kind) => kind === chosen))}
      choices={['none', ...specialData].map((kind) => ({
        value: kind,
        label: t(`specialData.${kind}`),
      }))}
    />
  );
}
