import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ServiceForm } from '@diwan/contract/forms';
import { useLanguage } from '../../../lib/language.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { RadioGroup } from '../../../ui/radio-group.tsx';
import type { DraftConflict } from './draft-merge.ts';
import { AnswerText } from '../form-fields/form-fields-answer.tsx';

type Side = 'mine' | 'theirs';

interface DraftConflictsProps {
  form: ServiceForm;
  conflicts: readonly DraftConflict[];
  onChoose: (answers: Record<string, unknown>) => void;
}

/** What was written here and elsewhere, both shown; nothing is thrown away before the person has chosen. */
export function DraftConflicts({ form, conflicts, onChoose }: DraftConflictsProps) {
  const { t } = useTranslation('drafts');
  const { language } = useLanguage();
  const [chosen, setChosen] = useState<Readonly<Record<string, Side>>>({});
  const fields = form.steps.flatMap((step) => step.fields);
  const sideOf = (name: string): Side => chosen[name] ?? 'mine';
  const done = () => onChoose(Object.fromEntries(conflicts.map((each) => [each.name, each[sideOf(each.name)]])));
  return (
    <Dialog isOpen isBusy onClose={() => undefined} title={t('conflict.title')} actions={<Button onPress={done}>{t('conflict.keep')}</Button>}>
      <div className="flex flex-col gap-6">
        <p>{t('conflict.text')}</p>
        {conflicts.map(({ name, mine, theirs }) => {
          const field = fields.find((each) => each.name === name);
          const shown = (value: unknown) => (value === undefined || value === null || value === '' || !field ? t('conflict.empty') : <AnswerText field={field} value={value} />);
          return (
            <RadioGroup
              key={name} name={name} label={field?.title[language] ?? name} value={sideOf(name)} onChange={(side) => setChosen((before) => ({ ...before, [name]: side === 'theirs' ? 'theirs' : 'mine' }))}
              choices={[{ value: 'mine', label: t('conflict.mine'), hint: shown(mine) }, { value: 'theirs', label: t('conflict.theirs'), hint: shown(theirs) }]}
            />
          );
        })}
      </div>
    </Dialog>
  );
}
