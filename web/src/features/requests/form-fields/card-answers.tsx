import { useQuery } from '@tanstack/react-query';
import { Check, ScanText } from 'lucide-react';
import { useState } from 'react';
import { send } from '#lib/api/send.ts';
import { serverToday } from '#lib/browser/server-time.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button, Spinner } from '#ui/actions/button.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { readValue } from '@diwan/contract/forms/answer-values';
import { isFieldShown } from '@diwan/contract/forms/check-answers';
import type { FormField, ServiceForm } from '@diwan/contract/forms/forms';
import { readIdentityCard, type ReadCardReply } from '@diwan/contract/requests/attachments';
import type { UploadedDocument } from '../documents/uploaded-documents.ts';
import { AnswerText } from './step-answers.tsx';
import type { AnswersForm } from './use-answers-form.ts';

interface CardAnswersProps {
  form: ServiceForm;
  answersForm: AnswersForm;
  attachment: string;
  /** The pictures of the document: one, or the two sides of a card. */
  pictures: readonly UploadedDocument[];
}

interface Suggestion {
  field: FormField;
  value: string;
}

const isEmpty = (value: unknown): boolean => value === undefined || value === '';

// The zone has capital letters only.
const withSmallLetters = (name: string): string =>
  name.toLowerCase().replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());

/** What is read for each field; nothing that the rules of its field refuse. */
function suggestionsOf(fields: readonly FormField[], card: ReadCardReply): Suggestion[] {
  return fields.flatMap((field): Suggestion[] => {
    const part = field.readFrom?.part;
    const raw = part ? card[part] : undefined;
    if (raw === undefined) return [];
    const read = readValue(field, part === 'name' ? withSmallLetters(raw) : raw, serverToday());
    return read !== 'nothing' && 'value' in read ? [{ field, value: String(read.value) }] : [];
  });
}

/** The shown fields of the form that a document can answer. */
export function fieldsReadFrom(
  form: ServiceForm,
  attachment: string | undefined,
  answers: AnswersForm['values'],
): FormField[] {
  return form.steps
    .flatMap((step) => step.fields)
    .filter(
      (field) =>
        field.readFrom !== undefined &&
        field.readFrom.attachment === attachment &&
        isFieldShown(form, field, answers),
    );
}

/** The card on the newest picture that shows one. The server reads one picture of a user at a time. */
async function readNewestCard(ids: readonly string[]): Promise<ReadCardReply> {
  for (const attachmentId of ids.toReversed()) {
    const card = await send(readIdentityCard, {
      params: { attachmentId },
      skipErrorHandling: true,
    });
    if (card.kind) return card;
  }
  return {};
}

/**
 * The answers that the server reads from a picture of an identity card or a passport. The user
 * confirms each, or all together. Pass the ids of the pictures as `key`.
 */
export function CardAnswers({ form, answersForm, attachment, pictures }: CardAnswersProps) {
  const { t } = useTranslation('forms');
  const { date } = useFormat();
  const { values, fill } = answersForm;
  const fields = fieldsReadFrom(form, attachment, values);
  // A document whose answers are all given is not read again.
  const [isWanted] = useState(() => fields.some(({ name }) => isEmpty(values[name])));
  const ids = pictures.map(({ attachmentId }) => attachmentId);
  const card = useQuery({
    queryKey: ['card', ...ids],
    enabled: isWanted,
    staleTime: Infinity,
    retry: false,
    refetchOnWindowFocus: false,
    queryFn: () => readNewestCard(ids),
  });
  if (!isWanted) return null;
  if (card.isFetching)
    return (
      <p role="status" className="flex items-center gap-2 text-sm text-ink-600">
        <Spinner size={18} />
        {t('card.reading')}
      </p>
    );
  if (card.isError)
    return (
      <Alert isLive>
        <p>{t('card.failed')}</p>
        <div className="mt-2">
          <Button variant="secondary" size="sm" onPress={() => void card.refetch()}>
            {t('card.again')}
          </Button>
        </div>
      </Alert>
    );
  if (!card.data?.kind) return <Alert isLive>{t('card.unread')}</Alert>;
  const { isExpired, expiryDate } = card.data;
  return (
    <>
      {isExpired && expiryDate ? (
        <Alert tone="warning" isLive>
          {t('card.expired', { date: `\u2068${date(expiryDate)}\u2069` })}
        </Alert>
      ) : null}
      <SuggestionList
        suggestions={suggestionsOf(fields, card.data)}
        values={values}
        onUse={(used) =>
          fill(Object.fromEntries(used.map(({ field, value }) => [field.name, value])))
        }
      />
    </>
  );
}

function SuggestionList({
  suggestions,
  values,
  onUse,
}: {
  suggestions: readonly Suggestion[];
  values: AnswersForm['values'];
  onUse: (used: readonly Suggestion[]) => void;
}) {
  const { t } = useTranslation('forms');
  const { language } = useLanguage();
  const isUsed = ({ field, value }: Suggestion) => values[field.name] === value;
  const open = suggestions.filter((each) => !isUsed(each));
  if (suggestions.length === 0) return null;
  return (
    <section
      aria-label={t('card.title')}
      className="rounded-lg border border-ink-200 bg-desert-50 p-4"
    >
      <p className="flex items-center gap-2 font-semibold text-ink-900">
        <ScanText aria-hidden size={20} className="shrink-0 text-gold-700" />
        {t('card.title')}
      </p>
      <p role="status" className="text-sm text-ink-600">
        {t(open.length > 0 ? 'card.lead' : 'card.done')}
      </p>
      <ul className="mt-3 flex flex-col divide-y divide-ink-200 border-y border-ink-200">
        {suggestions.map((each) => (
          <li
            key={each.field.name}
            className="flex min-h-14 items-center justify-between gap-3 py-2"
          >
            <span className="min-w-0">
              <span className="block text-sm text-ink-600">{each.field.title[language]}</span>
              <span className="font-medium wrap-anywhere">
                <AnswerText field={each.field} value={each.value} />
              </span>
            </span>
            {isUsed(each) ? (
              <span className="flex shrink-0 items-center gap-1 text-sm text-green-700">
                <Check aria-hidden size={18} />
                {t('card.used')}
              </span>
            ) : (
              <Button
                variant="secondary"
                size="sm"
                aria-label={t('card.useOne', { field: each.field.title[language] })}
                onPress={() => onUse([each])}
              >
                {t('card.use')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {open.length > 1 ? (
        <div className="mt-4">
          <Button onPress={() => onUse(open)}>{t('card.useAll')}</Button>
        </div>
      ) : null}
    </section>
  );
}
