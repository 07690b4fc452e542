import type { z } from 'zod';
import type { RefusalName } from './errors.ts';

/** The roles that act on requests, as a workflow names them. Source: specification §1, §6. */
export const actingRoles = [
  'Admin',
  'Employee',
  'ServiceProvider',
  'CompanyUser',
  'Client',
] as const;
export type ActingRole = (typeof actingRoles)[number];

/** The roles of those who work for the government. */
export const governmentRoles = [
  'Admin',
  'Employee',
  'Finance',
  'Content',
  'Auditor',
  'AgencyAdmin',
] as const;

/** The roles that concern all agencies; an employee may be limited to some. Decision 0141. */
export const portalWideRoles = ['Admin', 'Finance', 'Content', 'Auditor'] as const;

/**
 * The roles that an administrator gives; that of company users follows from their company.
 * `Finance`, `Content`, `Auditor` and `AgencyAdmin` are ours: decisions 0127 and 0144.
 */
export const grantedRoles = [...governmentRoles, 'ServiceProvider'] as const;
export type GrantedRole = (typeof grantedRoles)[number];

/**
 * Roles of the token's role claim; a user with none of the others is a Client. Of several roles the
 * first decides where a user begins.
 */
export const roles = [...grantedRoles, 'CompanyUser', 'Client'] as const;
export type Role = (typeof roles)[number];

/** For a call that every signed-in user may make. */
export const signedIn: readonly Role[] = roles;
/** The roles that send requests and own them. */
export const applicants: readonly Role[] = ['Client', 'CompanyUser'];
/** The roles that process requests for the government. */
export const staff: readonly Role[] = ['Admin', 'Employee'];
/** All roles that process requests. */
export const staffAndProviders: readonly Role[] = ['Admin', 'Employee', 'ServiceProvider'];
/** The roles of the government that see requests: employees those of their agencies, the others all. */
export const requestReaders: readonly Role[] = [...staff, 'Finance', 'Auditor'];
/** All roles that see requests of others. */
export const requestReadersAndProviders: readonly Role[] = [...requestReaders, 'ServiceProvider'];

// What an administrator may do, by duty. A call that changes something names the first of a pair, a
// call that only reads the second. Decision 0127.

/** Users, companies, service providers, workflow, security: what no other role changes. */
export const administrators: readonly Role[] = ['Admin'];
/** … and who reads it. */
export const auditReaders: readonly Role[] = ['Admin', 'Auditor'];
/** Payments, refunds, ledger, payouts, settlement, receipts. */
export const money: readonly Role[] = ['Admin', 'Finance'];
/** … and who reads it. */
export const moneyReaders: readonly Role[] = [...money, 'Auditor'];
/** Services and all that the portal says about them. */
export const editors: readonly Role[] = ['Admin', 'Content'];
/** … and who reads it. */
export const contentReaders: readonly Role[] = [...editors, 'Auditor'];

// What an administrator of some agencies may do, for these only: a call that names one of these groups
// says by `byAgency` of what. Decision 0144.

/** Services of an agency and all that the portal says about them. */
export const agencyEditors: readonly Role[] = [...editors, 'AgencyAdmin'];
/** … and who reads it. */
export const agencyContentReaders: readonly Role[] = [...contentReaders, 'AgencyAdmin'];
/** … and of what lists of payments filter by too: agencies. */
export const agencyReaders: readonly Role[] = [...agencyContentReaders, 'Finance'];
/** Staff of an agency, and the second person about a service. */
export const agencyAdministrators: readonly Role[] = [...administrators, 'AgencyAdmin'];
/** … and who reads the staff. */
export const agencyAuditors: readonly Role[] = [...auditReaders, 'AgencyAdmin'];
/** The roles of second persons: who gave one, and when, is stored. Decision 0117. */
export const secondPersons: readonly Role[] = [...money, 'AgencyAdmin'];

/** What belongs to an agency, in a call of an agency administrator. */
export type AgencySubject =
  | 'service'
  | 'agency'
  | 'staff'
  | 'invitation'
  | 'catalogueJob'
  | 'urgentOpening'
  | 'complaint'
  | 'synonyms'
  | 'searchQuestion'
  | 'rejectionReason';

/**
 * What a call is about, for an agency administrator. The fields that name it, by what they name: one of
 * another agency is answered as unknown. `reply`: the call names nothing of an agency, and its reply has
 * only what is of theirs. `rows`: the rows of a file name it, and each row of another agency is refused
 * beside the row. `shared`: the reply is the same for all agencies, and nothing is changed.
 */
export type ByAgency =
  | 'reply'
  | 'rows'
  | 'shared'
  | { readonly [Subject in AgencySubject]?: string };

/**
 * Why a signed-in user may open only the page that explains the restriction: staff who must set up
 * a second factor, and service providers that are not active yet or refused (both `inactive`) or
 * suspended. Source: specification §4.
 */
export const restrictions = ['secondFactor', 'inactive', 'suspended'] as const;
export type Restriction = (typeof restrictions)[number];

/**
 * The header of a call that no user has caused, such as a poll of a page that is left open. It does
 * not keep the session alive. Decision 0037.
 */
export const backgroundHeader = 'x-background';

/**
 * The header of every reply that names the version of the corrected texts, so that an open page loads
 * them again after a change. Decision 0062.
 */
export const textsVersionHeader = 'texts-version';
/** The version while no text is corrected. */
export const noTextsVersion = 'none';

/**
 * The header with the key of a call: a UUID that its caller makes for one act and sends again with each
 * repeat of that act. Decision 0161.
 */
export const callKeyHeader = 'idempotency-key';

/** The hours after which the answer to a key is deleted: a repeat is a new act from then on. */
export const callAnswerHours = 24;

/**
 * How a call repeats whose caller does not know whether it was done. Decision 0161.
 * - `byKey`: it is one transaction, which stores the answer; a repeat with the key gets that.
 * - `harmless`: a second one changes nothing that matters: it only reads, or sets the same again.
 * - `continues`: a repeat finds what the first one began, and answers with that, such as the open payment
 *   of a request. The portal repeats it as it repeats one by key.
 * - `unstored`: nothing of it may be stored, such as passwords, codes, tokens and files, or it works in
 *   several transactions, some with another system, or answers with what comes after the commit. Its
 *   own rules refuse a second one, such as a version.
 */
export type Repeats = 'byKey' | 'harmless' | 'continues' | 'unstored';

/** The reply of a call: a JSON shape, a stream of bytes, or a redirect of the browser. */
export type Reply = z.ZodType | 'file' | 'redirect';

/**
 * One call over the wire. The server registers it (`serve`), the browser sends it (`send`), OpenAPI
 * prints it and the role matrix walks it.
 * `path` holds parameters in braces as the specification spells them, such as
 * `/api/Request/ReceiveRequest{requestId}`.
 * `consumes: 'bytes'` marks a call whose body is the raw content of a file.
 * `repeats` is `byKey` where it is missing and the call writes: see `repeatsOf`.
 * `isExport` marks a call that hands out a list as a file, or makes such files: who called it and with
 * what filter goes into the audit log.
 * `mayLag` marks a call that only reads and whose reply may be older by seconds: it reads a standby,
 * where there is one. Never what people look at after an act.
 * `byAgency` is there in every call for agency administrators, and `serve` checks it.
 * `openTo` names the restrictions under which the call is allowed. Other calls for anyone treat a
 * restricted caller as anonymous; all other calls refuse a restricted caller.
 */
export interface Call {
  name: string;
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  summary: string;
  who: 'anyone' | readonly Role[];
  byAgency?: ByAgency;
  openTo?: readonly Restriction[];
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  consumes?: 'bytes';
  reply: Reply;
  isExport?: true;
  mayLag?: true;
  repeats?: Exclude<Repeats, 'byKey'>;
  refusals: readonly RefusalName[];
}

/** How a call repeats; undefined where it is a GET, which may always be repeated. */
export const repeatsOf = ({ method, repeats }: Call): Repeats | undefined =>
  method === 'GET' ? undefined : (repeats ?? 'byKey');

/** Preserves the exact type of a call, so that a wrong shape does not compile. */
export function defineCall<const C extends Call>(call: C): C {
  return call;
}

/**
 * A reply with all fields, the optional ones as `undefined`. A function that returns it names every
 * field of the reply, so that the compiler finds a new field that nothing fills.
 */
export type EveryField<T> = { [Field in keyof Required<T>]: T[Field] };

type OutputOf<T> = T extends z.ZodType ? z.output<T> : undefined;
type InputOf<T> = T extends z.ZodType ? z.input<T> : undefined;

/** The parsed parts that the handler receives. */
export type ParamsOf<C extends Call> = OutputOf<C['params']>;
export type QueryOf<C extends Call> = OutputOf<C['query']>;
export type BodyOf<C extends Call> = OutputOf<C['body']>;
/** The parts that the browser passes. */
export type QueryInputOf<C extends Call> = InputOf<C['query']>;
export type BodyInputOf<C extends Call> = InputOf<C['body']>;
/** The parsed reply; `undefined` for files and redirects. */
export type ReplyOf<C extends Call> = OutputOf<C['reply']>;
