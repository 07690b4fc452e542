import { refusals, type RefusalName, type ValidationIssue } from '@diwan/contract/wire/errors';
import type { LocalizedText } from '@diwan/contract/wire/languages';

/**
 * Values for the placeholders in the text of a refusal; texts from the data are in every language.
 * `detail` is a sentence that follows the text, such as who changed the record before.
 */
export type RefusalParams = Record<string, string | number | LocalizedText>;

/** A refusal by name. The error handler turns it into the reply of specification §8. */
export class Refusal extends Error {
  readonly refusal: RefusalName;
  readonly params: RefusalParams;
  constructor(refusal: RefusalName, params: RefusalParams = {}) {
    super(refusal);
    this.refusal = refusal;
    this.params = params;
  }
  get status(): number {
    return refusals[this.refusal];
  }
}

/** A failed validation with every issue by field. The reply is 400 with `errors`. */
export class ValidationRefusal extends Error {
  readonly issues: readonly ValidationIssue[];
  constructor(issues: readonly ValidationIssue[]) {
    super('ValidationFailed');
    this.issues = issues;
  }
}

/**
 * Refuses days that end before they begin: a `ValidationRefusal` of the end, which the call names
 * `field`.
 */
export function checkDayOrder(
  { From, Until }: { From?: string | undefined; Until?: string | undefined },
  field = 'Until',
): void {
  if (From && Until && Until < From)
    throw new ValidationRefusal([{ field, code: 'dateTooEarly', params: { minimum: From } }]);
}
