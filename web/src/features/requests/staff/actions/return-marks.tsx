import { Flag } from 'lucide-react';
import {
  maximumMarks,
  markKey,
  maximumMarkLength,
  findAnswer,
  findTargetTitle,
} from '@diwan/contract/requests/return-marks';
import type { RequestRecord } from '@diwan/contract/requests/requests';
import { isFieldShown } from '@diwan/contract/forms/check-answers';
import type { Language } from '@diwan/contract/wire/languages';
import { useTranslation } from '../../../../lib/i18n/translate.ts';
import { useLanguage } from '../../../../lib/i18n/language.ts';
import { Button } from '../../../../ui/actions/button.tsx';
import { FileName } from '../../../../ui/files/file-name.tsx';
import { SelectField } from '../../../../ui/forms/select-field.tsx';
import type { MarkTarget } from '../../record/mark-flag.tsx';
import { useReasons } from '../../data/requests.data.ts';
import { toMessages, createMark, type DraftMark } from './action-draft.ts';
import { MarkedAnswer } from './marked-answer.tsx';
import { MessageFields, type Messages } from '../../../../ui/forms/message-fields.tsx';

interface ReturnMarksProps {
  record: RequestRecord;
  value: readonly DraftMark[];
  onChange: (marks: DraftMark[]) => void;
  /** The missing languages of the marks' texts, by the mark's key. */
  missing: ReadonlyMap<string, readonly (keyof Messages)[]>;
}

/** All answers and documents, each with a flag button; a marked one shows the editor of its reason. */
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
                          <MarkedAnswer
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
                      isDisabled={!mark && value.length >= maximumMarks}
                      icon={<Flag aria-hidden size={18} fill={mark ? 'currentColor' : 'none'} />}
                      onPress={() => change(target, mark ? undefined : createMark(target))}
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

/** The choice of a text without a prepared reason. */
const customText = 'own';

interface MarkEditorProps {
  title: string;
  mark: DraftMark;
  onChange: (mark: DraftMark) => void;
  missing: readonly (keyof Messages)[];
}

/**
 * The reason of a mark: a prepared reason, whose text in three languages can be changed, or a text
 * of its own.
 */
function MarkEditor({ title, mark, onChange, missing }: MarkEditorProps) {
  const { t } = useTranslation('returns');
  const reasons = useReasons(true).data ?? [];
  const reason = reasons.find(({ id }) => String(id) === mark.reasonId);
  const choose = (value: string) =>
    onChange({
      ...mark,
      reasonId: value === customText ? '' : value,
      hasOwnWords: value === customText,
    });
  return (
    <div className="mt-3 flex flex-col gap-3 border-s-4 border-amber-300 ps-3">
      <SelectField
        name={`${markKey(mark)}:reason`}
        label={t('marks.reason')}
        value={mark.reasonId === '' ? customText : mark.reasonId}
        onChange={choose}
        choices={[
          { value: customText, label: t('marks.ownWords') },
          ...reasons.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
      />
      {mark.hasOwnWords ? (
        <MessageFields
          prefix={`${markKey(mark)}:`}
          legend={t('marks.words', { title })}
          hint={t('marks.wordsHint')}
          rows={2}
          maxLength={maximumMarkLength}
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
              onChange({ ...mark, hasOwnWords: true, messages: toMessages(reason.names) })
            }
          >
            {t('marks.changeWords')}
          </Button>
        </div>
      ) : null}
    </div>
  );
}

/** Something that a return can mark. */
interface Target extends MarkTarget {
  title: string;
  fileName?: string;
}

interface TargetGroup {
  name: string;
  /** Empty for the documents, whose heading is not a text of the form. */
  title: string;
  targets: Target[];
}

type MarkableRecord = Pick<RequestRecord, 'form' | 'answers' | 'attachmentRules' | 'attachments'>;

/** The paths of all fields in all items of a group. */
function findGroupPaths(
  record: MarkableRecord,
  name: string,
  fieldNames: readonly string[],
): string[] {
  const items = findAnswer(record.answers, `answers.${name}`);
  return Array.isArray(items)
    ? items.flatMap((_, index) => fieldNames.map((each) => `answers.${name}.${index}.${each}`))
    : [];
}

/**
 * Everything that the form asks for: the answers by step, then the documents, including those that
 * were not uploaded.
 */
function findTargets(record: MarkableRecord, language: Language): TargetGroup[] {
  const { form, answers, attachmentRules: rules, attachments } = record;
  const titleOf = (field: string) => findTargetTitle(form, rules, answers, field)?.[language] ?? '';
  const steps = form.steps.map((step) => {
    const shown = step.fields.filter(
      (field) => field.kind !== 'file' && isFieldShown(form, field, answers),
    );
    const fields = shown.flatMap((field) => [
      `answers.${field.name}`,
      ...(field.fields
        ? findGroupPaths(
            record,
            field.name,
            field.fields.map(({ name }) => name),
          )
        : []),
    ]);
    return {
      name: step.name,
      title: step.title[language],
      targets: fields.map((field): Target => ({ field, title: titleOf(field) })),
    };
  });
  const documents = rules.flatMap(({ name }): Target[] => {
    const field = `attachments.${name}`;
    const sent = attachments
      .filter((each) => each.name === name && !each.isResult)
      .map(({ attachmentId, fileName }) => ({
        field,
        attachmentId,
        title: titleOf(field),
        fileName,
      }));
    return sent.length > 0 ? sent : [{ field, title: titleOf(field) }];
  });
  return [...steps, { name: 'documents', title: '', targets: documents }].filter(
    ({ targets }) => targets.length > 0,
  );
}
