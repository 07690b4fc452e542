import { z } from 'zod';

/**
 * Every refusal of the product: name -> HTTP status. The name is the translation key in
 * `errors.json` and, for 400, the focus id of the form element that it concerns. Source:
 * specification §8, design §10.
 */
export const refusals = {
  ValidationFailed: 400,
  WrongUsernameOrPassword: 400,
  IncorrectPassword: 400,
  IdentityNotConfirmed: 400,
  IdentityNotVerified: 400,
  AccountSuspended: 400,
  CompanySuspended: 400,
  TermsNotAccepted: 400,
  SpecialDataConsentMissing: 400,
  NotEligible: 400,
  ServiceClosed: 400,
  OwnCounterRequest: 400,
  ReasonForReadingRequired: 400,
  UrgentRightMissing: 400,
  RequestInScope: 400,
  AnotherApproverNeeded: 400,
  AttachmentTooLarge: 400,
  AttachmentTypeNotAccepted: 400,
  AttachmentOtherType: 400,
  AttachmentHeic: 400,
  AttachmentEmpty: 400,
  AttachmentIncomplete: 400,
  AttachmentDamaged: 400,
  AttachmentPictureTooLarge: 400,
  AttachmentEncrypted: 400,
  AttachmentActive: 400,
  AttachmentHoldsFiles: 400,
  AttachmentInfected: 400,
  AttachmentBeingScanned: 400,
  AttachmentCountExceeded: 400,
  ActionNotAllowed: 400,
  KeyOfAnotherCall: 400,
  HolderNotPossible: 400,
  VersionHasChanged: 400,
  ActionHeld: 400,
  TooLateToUndo: 400,
  ObjectionTooLate: 400,
  RejectionReasonNotFound: 400,
  RecordHasChanged: 400,
  GroupInUse: 400,
  LogoNotFound: 400,
  LogoNotUsable: 400,
  CatalogueFileTooLarge: 400,
  CatalogueFileUnreadable: 400,
  CatalogueHasChanged: 400,
  CatalogueJobRuns: 400,
  MessageIncomplete: 400,
  NothingToExport: 400,
  ResultRequired: 400,
  CommunicationTypeNotFound: 400,
  AddressNotProved: 400,
  NotificationNeeded: 400,
  PushServiceUnknown: 400,
  ChargeNotPossible: 400,
  ChargeVatWrong: 400,
  ChargeRequired: 400,
  ChargeNotConfirmed: 400,
  PublicationNeedsSecondPerson: 400,
  ReferralCodeTaken: 400,
  ReferralCodeIsUsed: 400,
  DiscountUndecided: 400,
  IssueFeeDue: 400,
  WorkflowNotUsable: 400,
  WorkflowHasChanged: 400,
  RequestAlreadyPaid: 400,
  RequestNotPayable: 400,
  FilterNameTaken: 400,
  TooManySavedFilters: 400,
  SnippetNotFound: 404,
  SnippetNameTaken: 400,
  TooManySnippets: 400,
  DraftHasChanged: 400,
  DraftAlreadySent: 400,
  DocumentSpaceFull: 400,
  DraftLimitReached: 400,
  ServiceNotAvailable: 400,
  TotalHasChanged: 400,
  FineHasChanged: 400,
  ServiceHasProblems: 400,
  ServiceDraftOutdated: 400,
  PublicationTimePassed: 400,
  ReferralCodeNotValid: 400,
  RefundTooLarge: 400,
  RefundReferenceTaken: 400,
  RefundHasChanged: 400,
  RefundNeedsSecondPerson: 400,
  RefundIsDecided: 400,
  CaseIsDecided: 400,
  DecisionNotPossible: 400,
  PaymentIsHeld: 400,
  ReceiptRunIsRunning: 400,
  NoDocumentsInPeriod: 400,
  LastPaymentProvider: 400,
  SettlementFileTooLarge: 400,
  SettlementNotOffered: 400,
  DayIsNotOver: 400,
  DayIsClosed: 400,
  SettlementIsMissing: 400,
  DayHasDifferences: 400,
  DayHasWithdrawal: 400,
  ClosingIsWaiting: 400,
  SettlementIsWithdrawn: 400,
  DifferenceIsResolved: 400,
  DecisionNeedsSecondPerson: 400,
  SecondPersonNotIndependent: 400,
  PayoutAboveOwed: 400,
  PayoutReferenceTaken: 400,
  PayoutDayWrong: 400,
  StatementPeriodWrong: 400,
  VerificationCodeRequired: 400,
  VerificationCodeWrong: 400,
  UsernameTaken: 400,
  SetupCodeWrong: 400,
  CompanyLicenceInUse: 400,
  LinkConfirmationRequired: 400,
  LinkNotPossible: 400,
  InvitationNotValid: 400,
  InvitationForAnotherAddress: 400,
  AlreadyInCompany: 400,
  AccountCannotJoinCompany: 400,
  CompanyNeedsManager: 400,
  AccountCannotRegisterProvider: 400,
  LicenceNumberInUse: 400,
  ProviderActionNotAllowed: 400,
  ProviderHasChanged: 400,
  ReasonRequired: 400,
  UsernameNotFound: 400,
  AccountCannotSupervise: 400,
  AlreadySupervisor: 400,
  ProviderNeedsSupervisor: 400,
  SecondFactorRequired: 400,
  SecondFactorWrong: 400,
  SecondFactorNotBegun: 400,
  SecondFactorRequiredByRole: 400,
  NotOnOwnAccount: 400,
  NotOnOwnChange: 400,
  NotOnOwnReading: 400,
  LastAdministrator: 400,
  TwoAdministratorsNeeded: 400,
  ChangeIsPending: 400,
  AddressHasAccount: 400,
  AccountCannotAcceptInvitation: 400,
  AccountCannotHaveRoles: 400,
  PasswordCodeNotPossible: 400,
  BotCheckRequired: 400,
  BotCheckFailed: 400,
  YouHaveToLoginFirst: 401,
  SessionEnded: 401,
  YouAreUnauthorized: 403,
  NotWhileActing: 403,
  MessageNotAccepted: 403,
  SecondFactorSetupRequired: 403,
  ServiceProviderInactive: 403,
  ServiceProviderSuspended: 403,
  NotFound: 404,
  SetupClosed: 404,
  PersonNotFound: 404,
  ServiceNotFound: 404,
  RequestNotFound: 404,
  AttachmentNotFound: 404,
  DraftNotFound: 404,
  PaymentNotFound: 404,
  InvoiceNotFound: 404,
  PaymentRuleNotFound: 404,
  PaymentCaseNotFound: 404,
  RefundNotFound: 404,
  DifferenceNotFound: 404,
  SettlementFileNotFound: 404,
  PayeeNotFound: 404,
  PayoutNotFound: 404,
  CertificateNotFound: 404,
  ComplaintNotFound: 404,
  MessageNotFound: 404,
  TextFileUnreadable: 400,
  TextNotFound: 404,
  LegalPageNotFound: 404,
  SynonymNotFound: 404,
  AnnouncementNotFound: 404,
  TooManyRequests: 429,
  InternalServerError: 500,
  ServerBusy: 503,
  PaymentProviderUnreachable: 503,
  FinesRegisterUnreachable: 503,
  IdentityProviderUnreachable: 503,
  MailUnreachable: 503,
} as const;
export type RefusalName = keyof typeof refusals;
export const refusalNames = Object.keys(refusals) as RefusalName[];

/**
 * The error that the browser shows automatically when no reply arrives; its text is beside those of the
 * refusals. Source: specification §8.
 */
export const noAnswer = 'ServerNotConnected';

/**
 * The error that the browser shows when it has repeated a call that changes something, and no answer
 * has come: it may have been done. Its text is beside those of the refusals. Decision 0161.
 */
export const unknownOutcome = 'OutcomeUnknown';

/**
 * The reply body of every refusal but a failed validation. `message` is in the caller's language;
 * `requestId` is sent with 500 only.
 */
export const refusalReply = z.object({
  error: z.enum(refusalNames as [RefusalName, ...RefusalName[]]),
  message: z.string(),
  requestId: z.string().optional(),
});
export type RefusalReply = z.infer<typeof refusalReply>;

/**
 * The reply body of a failed validation: messages in the caller's language by field, such as
 * `answers.licenceNumber` or `attachments.passport`.
 */
export const validationReply = z.object({ errors: z.record(z.string(), z.array(z.string())) });
export type ValidationReply = z.infer<typeof validationReply>;

/** The problems of one value; each is a translation key under `validation` in `errors.json`. */
export type ValidationCode =
  | 'required'
  | 'whitespace'
  | 'wrongType'
  | 'notAllowed'
  | 'tooShort'
  | 'tooLong'
  | 'tooSmall'
  | 'tooLarge'
  | 'pattern'
  | 'notAWholeNumber'
  | 'unknownField'
  | 'unreadableText'
  | 'date'
  | 'dateTooEarly'
  | 'dateTooLate'
  | 'endsBeforeBeginning'
  | 'endsInThePast'
  | 'daysOverlap'
  | 'noWorkingDay'
  | 'needsAllAgencies'
  | 'needsSomeAgencies'
  | 'otherAgency'
  | 'emiratesId'
  | 'mobile'
  | 'email'
  | 'iban'
  | 'trn'
  | 'makani'
  | 'tooFewItems'
  | 'tooManyItems'
  | 'username'
  | 'tooManyFines'
  | 'fineNotDue'
  | 'fineInOtherRequest'
  | 'finesFixed'
  | 'attachmentMissing'
  | 'attachmentTooMany'
  | 'attachmentUnknown'
  | 'attachmentInfected'
  | 'markNotCorrected'
  | 'reasonUnknown'
  | 'markTwice'
  | 'nameTaken'
  | 'nameHoldsAddress'
  | 'notInArabic'
  | 'notInEnglish'
  | 'notInUrdu'
  | 'mustBeAccepted'
  | 'textLacks'
  | 'textUnknownPlaceholder'
  | 'textBraces'
  | 'textReference'
  | 'textLines'
  | 'textMarkup'
  | 'legalTable'
  | 'legalHeading'
  | 'legalLink'
  | 'PasswordMinLengthIs12'
  | 'PasswordMaxLengthIs50'
  | 'PasswordCannotContainSpaces'
  | 'OneLowercaseCharacterIsRequired'
  | 'OneUppercaseCharacterIsRequired'
  | 'OneNumberIsRequired'
  | 'OneSpecialCharacterIsRequired'
  | 'PasswordIsTooWellKnown'
  | 'OldPasswordIsRequired'
  | 'NewPasswordIsRequired'
  | 'ConfirmNewPasswordIsRequired'
  | 'NewPasswordMustBeDifferentFromTheOldPassword'
  | 'NewPasswordAndConfirmNewPasswordDoNotMatch';

/**
 * One problem of a value: the field, the problem, and the figures that its text names. `message`
 * replaces the text where the form defines its own, by language.
 */
export interface ValidationIssue {
  field: string;
  code: ValidationCode;
  params?: Record<string, string | number>;
  message?: Record<string, string>;
}
