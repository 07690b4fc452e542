import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ValidationIssue } from '@diwan/contract/wire/errors';
import type { SummaryError } from '../../../ui/forms/error-summary.tsx';

type Messages = Record<string, readonly string[]>;

/**
 * What is wrong with a form that was sent, by field. It speaks the language of the moment, except
 * where the server has spoken already.
 */
export interface FieldMessages {
  of: (name: string) => string | undefined;
  summary: SummaryError[];
  /** A new one for each attempt. */
  attempt: number;
  show: (issues: readonly ValidationIssue[], said?: Messages) => void;
  /** A field that is being mended is wrong no more until it is sent. */
  forget: (...names: string[]) => void;
}

/**
 * `labels` name the fields in the list of all that is wrong; `ownWords` are said in place of the
 * usual ones.
 */
export function useFieldMessages(
  labels: Record<string, string> = {},
  ownWords: Record<string, string> = {},
): FieldMessages {
  const { t } = useTranslation('errors');
  const [{ issues, said, attempt }, setState] = useState<{
    issues: readonly ValidationIssue[];
    said: Messages;
    attempt: number;
  }>({ issues: [], said: {}, attempt: 0 });
  const words = ({ field, code, params }: ValidationIssue) =>
    ownWords[`${field} ${code}`] ?? t(`validation.${code}`, params ?? {});
  const first = new Map<string, string>();
  for (const issue of issues) if (!first.has(issue.field)) first.set(issue.field, words(issue));
  for (const [field, messages] of Object.entries(said))
    if (messages[0] !== undefined && !first.has(field)) first.set(field, messages[0]);
  return {
    of: (name) => first.get(name),
    summary: [...first].map(([focusId, message]) => ({
      focusId,
      message: labels[focusId] ? `${labels[focusId]}: ${message}` : message,
    })),
    attempt,
    show: (found, bySomebody = {}) =>
      setState({ issues: found, said: bySomebody, attempt: attempt + 1 }),
    forget: (...names) => {
      if (!names.some((name) => first.has(name))) return;
      setState({
        issues: issues.filter(({ field }) => !names.includes(field)),
        said: Object.fromEntries(Object.entries(said).filter(([field]) => !names.includes(field))),
        attempt,
      });
    },
  };
}
