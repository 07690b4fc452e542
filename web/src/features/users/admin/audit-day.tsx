import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isRealDay } from '@diwan/contract/wire/days';
import { DayField } from '../../../ui/forms/day-field.tsx';

/** One day; a date that is still being typed is not asked for. */
export function AuditDay({ day, onChange }: { day: string; onChange: (day: string) => void }) {
  const { t } = useTranslation('dashboards');
  const [typed, setTyped] = useState({ of: day, text: day });
  // It follows the address.
  if (typed.of !== day) setTyped({ of: day, text: day });
  const change = (text: string) => {
    setTyped({ of: day, text });
    if (text !== day && (text === '' || isRealDay(text))) onChange(text);
  };
  return (
    <div className="md:w-44">
      <DayField label={t('audit.day')} value={typed.text} min="2000-01-01" onChange={change} />
    </div>
  );
}
