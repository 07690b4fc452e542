import { z } from 'zod';

/**
 * Every refusal of the product: name -> HTTP status. The name is the translation key in `errors.json` and, for 400, the focus id of the
 * form element that it speaks of. Source: specification §8, design §10.
 */
export const refusals = {
  ValidationFailed: 400,
  WrongUsernameOrPassword: 400,
  IncorrectPassword: 400,
  IdentityNotConfirmed: 400,
  IdentityNotVerified: 400,
  TermsNotAccepted: 400,
  AttachmentTooLarge: 400,
  AttachmentTypeNotAccepted: 400,
  AttachmentEmpty: 400,
  AttachmentIncomplete: 400,
  AttachmentCountExceeded: 400,
  ActionNotAllowed: 400,
  VersionHasChanged: 400,
  RejectionReasonNotFound: 400,
  MessageIncomplete: 400,
  RequestAlreadyPaid: 400,
  RequestNotPayable: 400,
  VerificationCodeRequired: 400,
  VerificationCodeWrong: 400,
  YouHaveToLoginFirst: 401,
  SessionEnded: 401,
  YouAreUnauthorized: 403,
  NotFound: 404,
  ServiceNotFound: 404,
  RequestNotFound: 404,
  AttachmentNotFound: 404,
  PaymentNotFound: 404,
  TooManyRequests: 429,
  InternalServerError: 500,
  PaymentProviderUnreachable: 503,
  IdentityProviderUnreachable: 503,
} as const;
export type RefusalName = keyof typeof refusals;
export const refusalNames = Object.keys(refusals) as RefusalName[];

/** What the browser says by itself when no answer comes; it has words beside the refusals. Source: specification §8. */
export const noAnswer = 'ServerNotConnected';

/** The form of every refusal but a failed validation; `message` is in the caller's language, `requestId` comes with 500 only. */
export const refusalReply = z.object({ error: z.enum(refusalNames as [RefusalName, ...RefusalName[]]), message: z.string(), requestId: z.string().optional() });
export type RefusalReply = z.infer<typeof refusalReply>;

/** The form of a failed validation: messages in the caller's language by field, such as `answers.licenceNumber` or `attachments.passport`. */
export const validationReply = z.object({ errors: z.record(z.string(), z.array(z.string())) });
export type ValidationReply = z.infer<typeof validationReply>;

/** What can be wrong with one value; each is a translation key under `validation` in `errors.json`, with these parameters. */
export type ValidationCode =
  | 'required' | 'whitespace' | 'wrongType' | 'notAllowed' | 'tooShort' | 'tooLong' | 'tooSmall' | 'tooLarge' | 'pattern' | 'notAWholeNumber' | 'unknownField' | 'unreadableText'
  | 'date' | 'dateTooEarly' | 'dateTooLate' | 'emiratesId' | 'mobile' | 'email' | 'iban' | 'trn' | 'attachmentMissing' | 'attachmentTooMany' | 'attachmentUnknown' | 'mustBeAccepted';

/** One thing that is wrong: where, what, and the figures that the message names. `message` is set where the form brings its own words. */
export interface ValidationIssue {
  field: string;
  code: ValidationCode;
  params?: Record<string, string | number>;
  message?: Record<string, string>;
}
