import { X } from 'lucide-react';
import { useState } from 'react';
import { toReasonChoices, useReasons } from '#features/requests/data/requests.data.ts';
import type { MarkTarget } from '#features/requests/record/mark-controls.tsx';
import { focusSoon } from '#lib/browser/focus-on.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { IconButton } from '#ui/actions/icon-button.tsx';
import { FileName } from '#ui/files/file-name.tsx';
import { messageNameOf, toMessages, type Messages } from '#ui/forms/message-fields.tsx';
import { SelectField } from '#ui/forms/select-field.tsx';
import { isFieldShown } from '@diwan/contract/forms/check-answers';
import type { RequestRecord } from '@diwan/contract/requests/requests';
import {
  maximumMarks,
  markKey,
  maximumMarkLength,
  findAnswer,
  findTargetTitle,
} from '@diwan/contract/requests/return-marks';
import type { Language } from '@diwan/contract/wire/languages';
import { StaffMessageFields } from '../snippets/staff-message-fields.tsx';
import { ownWords, reasonsForMark, removeMark, setMark, type DraftMark } from './draft-marks.ts';
import { MarkFlag } from './mark-flag.tsx';
import { MarkedAnswer } from './marked-answer.tsx';

interface ReturnMarksProps {
  record: RequestRecord;
  value: readonly DraftMark[];
  onChange: (marks: DraftMark[]) => void;
  /** The missing languages of the marks' texts, by the mark's key. */
  missing: ReadonlyMap<string, readonly (keyof Messages)[]>;
}

const otherTargets = 'otherTargets';

/**
 * What is marked, each with its reason; below, folded while something is marked, everything else
 * that can be marked.
 */
export function ReturnMarks({ record, value, onChange, missing }: ReturnMarksProps) {
  const { t } = useTranslation('returns');
  const { language } = useLanguage();
  const [openKey, setOpenKey] = useState<string>();
  const [isEmptyAtFirst] = useState(value.length === 0);
  const groups = findTargets(record, language);
  const findMark = (target: Target) => value.find((mark) => markKey(mark) === markKey(target));
  const marked = groups.flatMap(({ targets }) => targets).filter((target) => findMark(target));
  const others = groups
    .map((group) => ({ ...group, targets: group.targets.filter((each) => !findMark(each)) }))
    .filter(({ targets }) => targets.length > 0);
  const mark = (target: MarkTarget, reasonId: string) => {
    onChange(setMark(value, target, reasonId));
    // The row moves up, and its flag disappears.
    const reader = record.applicantLanguage ?? language;
    const field = reasonId === ownWords ? messageNameOf[reader] : 'reason';
    focusSoon(`${markKey(target)}:${field}`);
  };
  const remove = (target: MarkTarget) => {
    onChange(removeMark(value, target));
    focusSoon(otherTargets);
  };
  return (
    <section aria-labelledby="return-marks" className="flex flex-col gap-3">
      <div>
        <h3 id="return-marks" className="text-base">
          {t('marks.title')}
        </h3>
        <p role="status" className="text-sm text-ink-600">
          {value.length > 0 ? t('marks.count', { count: value.length }) : t('marks.none')}
        </p>
      </div>
      {marked.length > 0 ? (
        <ul className="flex flex-col gap-3">
          {marked.map((target) => {
            const found = findMark(target);
            return found ? (
              <li
                key={markKey(target)}
                data-surface
                className="rounded-md border border-amber-300 px-3 py-2"
              >
                <div className="flex items-start justify-between gap-3">
                  <TargetValue record={record} target={target} />
                  <IconButton
                    label={t('marks.removeName', { title: nameOf(target) })}
                    onPress={() => remove(target)}
                  >
                    <X aria-hidden size={18} />
                  </IconButton>
                </div>
                <MarkEditor
                  requestId={record.requestId}
                  title={target.title}
                  mark={found}
                  onChange={(changed) =>
                    onChange(
                      value.map((each) => (markKey(each) === markKey(target) ? changed : each)),
                    )
                  }
                  reader={record.applicantLanguage}
                  missing={missing.get(markKey(target)) ?? []}
                />
              </li>
            ) : null;
          })}
        </ul>
      ) : null}
      {others.length > 0 ? (
        <details open={isEmptyAtFirst} className="rounded-md border border-ink-200">
          <summary data-focus-id={otherTargets} className="min-h-11 px-3 py-2 font-medium">
            {t('marks.others')}
          </summary>
          {others.map((group) => (
            <div key={group.name}>
              <h4 className="border-y border-ink-200 bg-desert-50 px-3 py-2 text-sm font-semibold">
                {group.title || t('marks.documents')}
              </h4>
              <ul className="divide-y divide-ink-100">
                {group.targets.map((target) => (
                  <li
                    key={markKey(target)}
                    className="flex items-center justify-between gap-3 px-3 py-2"
                  >
                    <TargetValue record={record} target={target} />
                    <MarkFlag
                      requestId={record.requestId}
                      target={target}
                      title={nameOf(target)}
                      mark={undefined}
                      isOpen={openKey === markKey(target)}
                      onOpenChange={(isOpen) => setOpenKey(isOpen ? markKey(target) : undefined)}
                      isDisabled={value.length >= maximumMarks}
                      prefix=""
                      reader={record.applicantLanguage ?? language}
                      onMark={mark}
                      onRemove={remove}
                    />
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </details>
      ) : null}
    </section>
  );
}

/** What is marked, with the name of its file. */
const nameOf = ({ title, fileName }: Target) => (fileName ? `${title} (${fileName})` : title);

/** The title of an answer or a document, and what the applicant sent. */
function TargetValue({ record, target }: { record: RequestRecord; target: Target }) {
  const { t } = useTranslation('returns');
  const { field, title, fileName } = target;
  return (
    <div className="min-w-0">
      <p className="text-sm text-ink-600">{title}</p>
      <div className="wrap-anywhere">
        {field.startsWith('answers.') ? (
          <MarkedAnswer form={record.form} answers={record.answers} field={field} />
        ) : fileName ? (
          <FileName name={fileName} />
        ) : (
          <span className="text-ink-500">{t('marks.notSent')}</span>
        )}
      </div>
    </div>
  );
}

interface MarkEditorProps {
  requestId: number;
  title: string;
  mark: DraftMark;
  onChange: (mark: DraftMark) => void;
  missing: readonly (keyof Messages)[];
  /** The language of the applicant. */
  reader: Language | undefined;
  /** Prefix of the field names, for the page below the dialog. */
  prefix?: string;
  /** The reason is chosen elsewhere and shown as text. */
  isReasonText?: boolean;
}

/**
 * The reason of a mark: a prepared reason, whose text in three languages can be changed, or a new
 * text.
 */
export function MarkEditor({
  requestId,
  title,
  mark,
  onChange,
  missing,
  reader,
  prefix = '',
  isReasonText,
}: MarkEditorProps) {
  const { t } = useTranslation('returns');
  const reasons = useReasons([requestId]).data ?? [];
  const reason = reasons.find(({ id }) => String(id) === mark.reasonId);
  const choose = (value: string) => {
    const [changed] = setMark([mark], mark, value);
    if (changed) onChange(changed);
  };
  return (
    <div data-mark={markKey(mark)} className="flex flex-col gap-3">
      {isReasonText ? null : (
        <SelectField
          name={`${prefix}${markKey(mark)}:reason`}
          label={t('marks.reason')}
          value={mark.reasonId === '' ? ownWords : mark.reasonId}
          onChange={choose}
          choices={[
            ...toReasonChoices(reasonsForMark(reasons, mark, mark.reasonId)),
            { value: ownWords, label: t('marks.ownWords') },
          ]}
        />
      )}
      {mark.hasOwnWords ? (
        <StaffMessageFields
          prefix={`${prefix}${markKey(mark)}:`}
          legend={t('marks.words', { title })}
          reader={reader}
          rows={2}
          maxLength={maximumMarkLength}
          value={mark.messages}
          missing={missing}
          onChange={(messages) => onChange({ ...mark, messages })}
        />
      ) : reason ? (
        <div className="flex flex-wrap items-center gap-x-3 text-sm">
          {isReasonText ? <p className="text-amber-800">{reason.name}</p> : null}
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
