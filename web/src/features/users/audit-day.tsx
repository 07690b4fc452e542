import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { controlStyle, FieldFrame, useFieldIds } from '../../ui/field-frame.tsx';

/** One day; a date that is still being typed is not asked for. Give it the day as `key`, so that it follows the address. */
export function AuditDay({ day, onChange }: { day: string; onChange: (day: string) => void }) {
  const { t } = useTranslation('dashboards');
  const ids = useFieldIds({});
  const [typed, setTyped] = useState(day);
  const apply = () => {
    if (typed !== day) onChange(typed);
  };
  return (
    <div className="md:w-44">
      <FieldFrame ids={ids} label={t('audit.day')}>
        <input
          id={ids.control} type="date" value={typed} min="2000-01-01" className={controlStyle}
          onChange={(event) => setTyped(event.target.value)} onBlur={apply} onKeyDown={(event) => event.key === 'Enter' && apply()}
        />
      </FieldFrame>
    </div>
  );
}
