import { CircleCheck, MessageSquareText } from 'lucide-react';
import { RequestDocuments } from '#features/requests/documents/request-documents.tsx';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Card } from '#ui/data/card.tsx';
import { Moment } from '#ui/values/moment.tsx';
import { TypedText } from '#ui/values/typed-text.tsx';
import type { Attachment } from '@diwan/contract/requests/attachments';
import type { HistoryEntry, RequestRecord } from '@diwan/contract/requests/requests';
import { findTargetTitle, markKey, type Correction } from '@diwan/contract/requests/return-marks';
import { MarkedAnswer } from '../marks/marked-answer.tsx';

interface CorrectionChangesProps {
  record: RequestRecord;
  reload: () => Promise<unknown>;
  onViewed?: (attachment: Attachment) => void;
}

type CorrectedEntry = HistoryEntry & { correction: Correction };

const hasCorrections = (entry: HistoryEntry): entry is CorrectedEntry =>
  entry.correction !== undefined;

/** A request that was sent again as it was: its story says so, and there is nothing to compare. */
const isEmpty = ({ marks, before, after, documents }: Correction): boolean =>
  marks.length + documents.length + Object.keys(before).length + Object.keys(after).length === 0;

/** The changes of each correction. The latest is open, the earlier ones are collapsed. */
export function CorrectionChanges(props: CorrectionChangesProps) {
  const { t } = useTranslation('returns');
  const [latest, ...earlier] = props.record.history
    .filter(hasCorrections)
    .filter(({ correction }) => !isEmpty(correction))
    .reverse();
  if (!latest) return null;
  return (
    <Card
      title={t('changes.title')}
      action={
        <span className="text-sm text-ink-500">
          <Moment at={latest.at} />
        </span>
      }
    >
      <Changes {...props} correction={latest.correction} />
      {earlier.map((entry) => (
        <details key={entry.at} className="mt-4 border-t border-ink-100 pt-3">
          <summary className="cursor-pointer py-2 font-medium">
            {t('changes.earlier')}{' '}
            <span className="text-sm font-normal text-ink-500">
              <Moment at={entry.at} />
            </span>
          </summary>
          <Changes {...props} correction={entry.correction} />
        </details>
      ))}
    </Card>
  );
}

function Changes({
  record,
  correction,
  reload,
  onViewed,
}: CorrectionChangesProps & { correction: Correction }) {
  const { t } = useTranslation('returns');
  const { language } = useLanguage();
  const changed = [
    ...new Set([...Object.keys(correction.before), ...Object.keys(correction.after)]),
  ].map((name) => `answers.${name}`);
  // A mark on a field of a group shows that field, so the group is not listed again.
  const unmarked = changed.filter(
    (field) =>
      !correction.marks.some((mark) => mark.field === field || mark.field.startsWith(`${field}.`)),
  );
  const documents = correction.documents.filter(
    ({ name }) => !correction.marks.some((mark) => mark.field === `attachments.${name}`),
  );
  const titleOf = (field: string) =>
    findTargetTitle(record.form, record.attachmentRules, record.answers, field)?.[language] ?? '';
  const common = { record, reload, onViewed, correction };
  return (
    <ul className="flex flex-col divide-y divide-ink-100">
      {correction.marks.map((mark) => (
        <li key={markKey(mark)} className="flex flex-col gap-2 py-3 first:pt-0 last:pb-0">
          <div className="flex flex-wrap items-center justify-between gap-2">
            <p className="font-semibold wrap-anywhere">{mark.title}</p>
            {mark.isChanged ? (
              <span className="flex items-center gap-1 text-sm font-semibold text-green-700">
                <CircleCheck aria-hidden size={18} />
                {t('changes.corrected')}
              </span>
            ) : (
              <span className="flex items-center gap-1 text-sm font-semibold text-amber-800">
                <MessageSquareText aria-hidden size={18} />
                {t('changes.explained')}
              </span>
            )}
          </div>
          <p className="text-sm text-ink-600">
            {t('changes.asked')} <bdi className="whitespace-pre-line">{mark.message}</bdi>
          </p>
          {mark.isChanged ? <OneChange field={mark.field} {...common} /> : null}
          {mark.explanation ? (
            <p className="border-s-4 border-gold-500 bg-desert-50 px-3 py-2">
              <span className="block text-sm text-ink-600">{t('changes.why')}</span>
              <TypedText>{mark.explanation}</TypedText>
            </p>
          ) : null}
        </li>
      ))}
      {[...unmarked, ...documents.map(({ name }) => `attachments.${name}`)].map((field) => (
        <li key={field} className="flex flex-col gap-2 py-3 first:pt-0 last:pb-0">
          <p className="font-semibold wrap-anywhere">
            <span>{titleOf(field)}</span>{' '}
            <span className="text-sm font-normal text-ink-500">{t('changes.unasked')}</span>
          </p>
          <OneChange field={field} {...common} />
        </li>
      ))}
    </ul>
  );
}

function OneChange({
  record,
  correction,
  field,
  reload,
  onViewed,
}: CorrectionChangesProps & { correction: Correction; field: string }) {
  const { t } = useTranslation('returns');
  const isDocument = field.startsWith('attachments.');
  const change = correction.documents.find(({ name }) => `attachments.${name}` === field);
  const all = [...record.attachments, ...record.earlierAttachments];
  const find = (ids: readonly string[] = []) =>
    all.filter(({ attachmentId }) => ids.includes(attachmentId));
  const sides = [
    {
      name: 'before',
      answers: correction.before,
      files: find(change?.removed),
      style: 'border-red-200 bg-red-50',
    },
    {
      name: 'after',
      answers: correction.after,
      files: find(change?.added),
      style: 'border-green-200 bg-green-50',
    },
  ] as const;
  return (
    <dl className={`grid grid-cols-1 gap-2 ${isDocument ? '' : 'sm:grid-cols-2'}`}>
      {sides.map(({ name, answers, files, style }) => (
        <div key={name} data-surface className={`min-w-0 rounded-md border px-3 py-2 ${style}`}>
          <dt className="text-sm text-ink-600">{t(`changes.${name}`)}</dt>
          <dd className="wrap-anywhere">
            {!isDocument ? (
              <MarkedAnswer form={record.form} answers={answers} field={field} />
            ) : files.length > 0 ? (
              <RequestDocuments attachments={files} reload={reload} onViewed={onViewed} />
            ) : (
              <span className="text-ink-600">{t('changes.noDocument')}</span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
