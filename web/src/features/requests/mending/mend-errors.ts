import type { SendError } from '../../../lib/api/send-error.ts';

/** What the server found wrong, by field name and by document name. */
export function fieldMessages(error: SendError | null): {
  answers: Record<string, string>;
  attachments: Record<string, string>;
} {
  const found = {
    answers: {} as Record<string, string>,
    attachments: {} as Record<string, string>,
  };
  for (const [field, messages] of Object.entries(error?.fieldErrors ?? {})) {
    const [kind, name] = field.split('.', 2);
    if (name && messages[0] && (kind === 'answers' || kind === 'attachments'))
      found[kind][name] = messages[0];
  }
  return found;
}
