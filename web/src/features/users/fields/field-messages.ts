import { useState } from 'react';
import { useLanguage } from '#lib/i18n/language.ts';
import { isQuestion, titleInSentence } from '#lib/i18n/title-in-sentence.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import type { SummaryError } from '#ui/forms/error-summary.tsx';
import type { ValidationIssue } from '@diwan/contract/wire/errors';

type Messages = Record<string, readonly string[]>;

/**
 * The errors of a submitted form, by field. Messages follow the current language, except those from
 * the server.
 */
export interface FieldMessages {
  of: (name: string) => string | undefined;
  summary: SummaryError[];
  /** Changes with each attempt. */
  attempt: number;
  show: (issues: readonly ValidationIssue[], serverMessages?: Messages) => void;
  /** Removes the errors of fields that the user is changing. */
  clear: (...names: string[]) => void;
}

/** `labels` are the field names in the summary; `ownTexts` replace the default messages. */
export function useFieldMessages(
  labels: Record<string, string> = {},
  ownTexts: Record<string, string> = {},
): FieldMessages {
  const { t } = useTranslation(['errors', 'shell']);
  const { language } = useLanguage();
  const [{ issues, serverMessages, attempt }, setState] = useState<{
    issues: readonly ValidationIssue[];
    serverMessages: Messages;
    attempt: number;
  }>({ issues: [], serverMessages: {}, attempt: 0 });
  const textOf = ({ field, code, params }: ValidationIssue) =>
    ownTexts[`${field} ${code}`] ?? t(`validation.${code}`, params ?? {});
  const missing = t('validation.required');
  const inSummary = (label: string | undefined, message: string) => {
    if (!label) return message;
    return message === missing && !isQuestion(label)
      ? t('shell:kit.enter', { field: titleInSentence(label, language) })
      : `${label}: ${message}`;
  };
  const first = new Map<string, string>();
  for (const issue of issues) if (!first.has(issue.field)) first.set(issue.field, textOf(issue));
  for (const [field, messages] of Object.entries(serverMessages))
    if (messages[0] !== undefined && !first.has(field)) first.set(field, messages[0]);
  return {
    of: (name) => first.get(name),
    summary: [...first].map(([focusId, message]) => ({
      focusId,
      message: inSummary(labels[focusId], message),
    })),
    attempt,
    show: (found, byServer = {}) =>
      setState({ issues: found, serverMessages: byServer, attempt: attempt + 1 }),
    clear: (...names) => {
      if (!names.some((name) => first.has(name))) return;
      setState({
        issues: issues.filter(({ field }) => !names.includes(field)),
        serverMessages: Object.fromEntries(
          Object.entries(serverMessages).filter(([field]) => !names.includes(field)),
        ),
        attempt,
      });
    },
  };
}
