/** The assurance level of a UAE PASS account. SOP1 has no verified Emirates ID. */
type IdentityLevel = 'SOP1' | 'SOP2' | 'SOP3';

/** A person, as the identity provider describes them. */
export interface Identity {
  /** The provider's identifier of the person; it is never given to another person. */
  subject: string;
  level: IdentityLevel;
  nameEn?: string;
  nameAr?: string;
  /** `784-YYYY-NNNNNNN-C`, for verified levels only. */
  emiratesId?: string;
  /** E.164, such as +971501234567. */
  phoneNumber?: string;
  email?: string;
  /** ISO 3166-1, two letters; for verified levels only. */
  nationality?: string;
}
