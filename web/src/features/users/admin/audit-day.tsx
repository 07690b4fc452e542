import { useState } from 'react';
import { useTranslation } from '#lib/i18n/translate.ts';
import { DayField } from '#ui/forms/day-field.tsx';
import { isRealDay } from '@diwan/contract/wire/days';

/** The day of an address; undefined for anything else. */
export const dayOf = (text: string): string | undefined => (isRealDay(text) ? text : undefined);

/** A filter by day; incomplete dates are not applied. */
export function AuditDay({ day, onChange }: { day: string; onChange: (day: string) => void }) {
  const { t } = useTranslation('dashboards');
  const [typed, setTyped] = useState({ of: day, text: day });
  // Follows the address.
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
