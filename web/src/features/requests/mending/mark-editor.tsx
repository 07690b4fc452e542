import { useTranslation } from 'react-i18next';
import { longestMarkText, markKey } from '@diwan/contract/requests/return-marks';
import { Button } from '../../../ui/actions/button.tsx';
import { SelectField } from '../../../ui/forms/select-field.tsx';
import { messagesOf, type DraftMark, type Messages } from '../staff/action-draft.ts';
import { MessageFields } from './message-fields.tsx';
import { useReasons } from '../data/requests.data.ts';

const ownWords = 'own';

interface MarkEditorProps {
  title: string;
  mark: DraftMark;
  onChange: (mark: DraftMark) => void;
  missing: readonly (keyof Messages)[];
}

/**
 * Why something is marked: a prepared reason brings its words in three languages, which can be
 * changed; or own words.
 */
export function MarkEditor({ title, mark, onChange, missing }: MarkEditorProps) {
  const { t } = useTranslation('returns');
  const reasons = useReasons(true).data ?? [];
  const reason = reasons.find(({ id }) => String(id) === mark.reasonId);
  const choose = (value: string) =>
    onChange({
      ...mark,
      reasonId: value === ownWords ? '' : value,
      hasOwnWords: value === ownWords,
    });
  return (
    <div className="mt-3 flex flex-col gap-3 border-s-4 border-amber-300 ps-3">
      <SelectField
        name={`${markKey(mark)}:reason`}
        label={t('marks.reason')}
        value={mark.reasonId === '' ? ownWords : mark.reasonId}
        onChange={choose}
        choices={[
          { value: ownWords, label: t('marks.ownWords') },
          ...reasons.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
      />
      {mark.hasOwnWords ? (
        <MessageFields
          prefix={`${markKey(mark)}:`}
          legend={t('marks.words', { title })}
          hint={t('marks.wordsHint')}
          rows={2}
          maxLength={longestMarkText}
          value={mark.messages}
          missing={missing}
          onChange={(messages) => onChange({ ...mark, messages })}
        />
      ) : reason ? (
        <div>
          <Button
            variant="quiet"
            size="sm"
            onPress={() =>
              onChange({ ...mark, hasOwnWords: true, messages: messagesOf(reason.names) })
            }
          >
            {t('marks.changeWords')}
          </Button>
        </div>
      ) : null}
    </div>
  );
}
