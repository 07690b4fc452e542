import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ServiceForm } from '@diwan/contract/forms/forms';
import { useLanguage } from '../../../lib/i18n/language.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import { RadioGroup } from '../../../ui/forms/radio-group.tsx';
import type { DraftConflict } from './draft-merge.ts';
import type { Draft } from './draft.ts';
import { AnswerText } from '../form-fields/form-fields-answer.tsx';

type Side = 'mine' | 'theirs';

interface DraftConflictsProps {
  form: ServiceForm;
  conflicts: readonly DraftConflict[];
  onChoose: (chosen: Pick<Draft, 'answers' | 'explanations'>) => void;
}

/**
 * What was written here and elsewhere, both shown; nothing is thrown away before the person has
 * chosen.
 */
export function DraftConflicts({ form, conflicts, onChoose }: DraftConflictsProps) {
  const { t } = useTranslation('drafts');
  const { language } = useLanguage();
  const [chosen, setChosen] = useState<Readonly<Record<string, Side>>>({});
  const fields = form.steps.flatMap((step) => step.fields);
  const keyOf = ({ part, name }: DraftConflict) => `${part}:${name}`;
  const sideOf = (conflict: DraftConflict): Side => chosen[keyOf(conflict)] ?? 'mine';
  const chosenOf = (part: DraftConflict['part']) =>
    conflicts
      .filter((each) => each.part === part)
      .map((each) => [each.name, each[sideOf(each)]] as const);
  const done = () =>
    onChoose({
      answers: Object.fromEntries(chosenOf('answers')),
      explanations: Object.fromEntries(
        chosenOf('explanations').map(([name, text]) => [name, String(text ?? '')]),
      ),
    });
  return (
    <Dialog
      isOpen
      isBusy
      onClose={() => undefined}
      title={t('conflict.title')}
      actions={<Button onPress={done}>{t('conflict.keep')}</Button>}
    >
      <div className="flex flex-col gap-6">
        <p>{t('conflict.text')}</p>
        {conflicts.map((conflict) => {
          const { part, name, mine, theirs } = conflict;
          const isWhy = part === 'explanations';
          const field = fields.find((each) => each.name === (isWhy ? name.split(/[.#]/)[1] : name));
          const shown = (value: unknown) =>
            value === undefined || value === null || value === '' ? (
              t('conflict.empty')
            ) : isWhy || !field ? (
              <bdi className="wrap-anywhere">{String(value)}</bdi>
            ) : (
              <AnswerText field={field} value={value} />
            );
          const title = field?.title[language] ?? name;
          return (
            <RadioGroup
              key={keyOf(conflict)}
              name={keyOf(conflict)}
              label={isWhy ? t('conflict.why', { title }) : title}
              value={sideOf(conflict)}
              onChange={(side) =>
                setChosen((before) => ({
                  ...before,
                  [keyOf(conflict)]: side === 'theirs' ? 'theirs' : 'mine',
                }))
              }
              choices={[
                { value: 'mine', label: t('conflict.mine'), hint: shown(mine) },
                { value: 'theirs', label: t('conflict.theirs'), hint: shown(theirs) },
              ]}
            />
          );
        })}
      </div>
    </Dialog>
  );
}
