import { Flag } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { mostMarks, markKey } from '@diwan/contract/requests/return-marks';
import type { RequestRecord } from '@diwan/contract/requests/requests';
import { useLanguage } from '../../../lib/i18n/language.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { FileName } from '../../../ui/files/file-name.tsx';
import { newMark, type DraftMark, type Messages } from '../staff/action-draft.ts';
import { MarkAnswer } from './mark-answer.tsx';
import { MarkEditor } from './mark-editor.tsx';
import { findTargets, type Target } from './return-targets.ts';

interface ReturnMarksProps {
  record: RequestRecord;
  value: readonly DraftMark[];
  onChange: (marks: DraftMark[]) => void;
  /** What marks still lack, by their keys. */
  missing: ReadonlyMap<string, readonly (keyof Messages)[]>;
}

/** Every answer and document with a flag beside it; what is flagged gets its reason at once. */
export function ReturnMarks({ record, value, onChange, missing }: ReturnMarksProps) {
  const { t } = useTranslation('returns');
  const { language } = useLanguage();
  const change = (target: Target, mark: DraftMark | undefined) => {
    const others = value.filter((each) => markKey(each) !== markKey(target));
    onChange(mark ? [...others, mark] : others);
  };
  return (
    <section aria-labelledby="return-marks" className="flex flex-col gap-4">
      <div>
        <h3 id="return-marks" className="text-base">
          {t('marks.title')}
        </h3>
        <p className="text-sm text-ink-600">{t('marks.hint')}</p>
        <p role="status" className="mt-1 text-sm font-medium text-amber-800">
          {value.length > 0 ? t('marks.count', { count: value.length }) : ''}
        </p>
      </div>
      {findTargets(record, language).map((group) => (
        <div key={group.name} className="rounded-md border border-ink-200">
          <h4 className="rounded-t-md border-b border-ink-200 bg-desert-50 px-3 py-2 text-sm font-semibold">
            {group.title || t('marks.documents')}
          </h4>
          <ul className="divide-y divide-ink-100">
            {group.targets.map((target) => {
              const mark = value.find((each) => markKey(each) === markKey(target));
              return (
                <li key={markKey(target)} className={`px-3 py-2 ${mark ? 'bg-amber-50' : ''}`}>
                  <div className="flex items-center justify-between gap-3">
                    <div className="min-w-0">
                      <p className="text-sm text-ink-600">{target.title}</p>
                      <div className="wrap-anywhere">
                        {target.field.startsWith('answers.') ? (
                          <MarkAnswer
                            form={record.form}
                            answers={record.answers}
                            field={target.field}
                          />
                        ) : target.fileName ? (
                          <FileName name={target.fileName} />
                        ) : (
                          <span className="text-ink-500">{t('marks.notSent')}</span>
                        )}
                      </div>
                    </div>
                    <Button
                      size="sm"
                      isIconOnPhone
                      variant={mark ? 'secondary' : 'quiet'}
                      aria-pressed={mark !== undefined}
                      aria-label={t('marks.markName', {
                        title: `${target.title}${target.fileName ? ` (${target.fileName})` : ''}`,
                      })}
                      isDisabled={!mark && value.length >= mostMarks}
                      icon={<Flag aria-hidden size={18} fill={mark ? 'currentColor' : 'none'} />}
                      onPress={() => change(target, mark ? undefined : newMark(target))}
                    >
                      {t('marks.mark')}
                    </Button>
                  </div>
                  {mark ? (
                    <MarkEditor
                      title={target.title}
                      mark={mark}
                      onChange={(changed) => change(target, changed)}
                      missing={missing.get(markKey(mark)) ?? []}
                    />
                  ) : null}
                </li>
              );
            })}
          </ul>
        </div>
      ))}
    </section>
  );
}
