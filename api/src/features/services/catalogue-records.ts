import type { EligibilityRule } from '@diwan/contract/catalogue/eligibility';
import type {
  DiscountRule,
  FeeRule,
  LocalizedQuote,
  WithdrawalRule,
} from '@diwan/contract/catalogue/fees';
import type { AttachmentRule, ServiceForm } from '@diwan/contract/forms/forms';
import type { LocalizedText } from '@diwan/contract/wire/languages';

interface CatalogueGroup {
  id: number;
  slug: string;
  name: LocalizedText;
  logo: string;
}
export interface CatalogueAgency extends CatalogueGroup {
  discounts: readonly DiscountRule[];
  centres: LocalizedText | null;
}
export interface CatalogueCategory extends CatalogueGroup {
  description: LocalizedText;
}
export interface CatalogueAccountType {
  id: number;
  slug: string;
  name: LocalizedText;
  alt: LocalizedText;
  description: LocalizedText;
  logo: string;
}

/** What only the page of a service and its requests need. It is read when it is asked for. */
export interface ServiceDetails {
  /** The version of the catalogue that they belong to. */
  version: number;
  form: ServiceForm;
  attachments: AttachmentRule[];
  /** The SHA-256 of form and attachment rules, by which `forms` finds them. */
  formHash: string;
  terms: LocalizedText;
  steps: LocalizedText[];
  result: LocalizedText;
}

/** When and why a service takes no new requests. `until` is null where nobody knows when it opens. */
export interface CatalogueClosure {
  reason: LocalizedText;
  from: Date;
  until: Date | null;
}

/**
 * A service that can be requested. `unofficialTextLanguages`: the languages in which its name or
 * description is our own wording. `quote`, in fils, is for the fees that do not depend on answers.
 * `availableFrom` and `availableUntil` are days in Asia/Dubai.
 */
export interface CatalogueService {
  id: number;
  replacedName: string;
  name: LocalizedText;
  description: LocalizedText;
  agency: CatalogueAgency;
  category: CatalogueCategory;
  accountTypeIds: readonly number[];
  partnerId: number | null;
  attachmentsCount: number;
  fees: readonly FeeRule[];
  quote: LocalizedQuote;
  availableFrom: string | null;
  availableUntil: string | null;
  workingDays: number;
  withdrawal: WithdrawalRule;
  /** 0: one cannot object. */
  objectionDays: number;
  popularRank: number | null;
  eligibility: readonly EligibilityRule[];
  unofficialTextLanguages: readonly string[];
  /** A closure that has not ended; it may begin later. */
  closure: CatalogueClosure | undefined;
}
