import type { z } from 'zod';
import type { RefusalName } from './errors.ts';

/**
 * Roles of the token's role claim; a user with none of the first four is a Client. Source:
 * specification §1, §6.
 */
export const roles = ['Admin', 'Employee', 'ServiceProvider', 'CompanyUser', 'Client'] as const;
export type Role = (typeof roles)[number];

/** For a call that everybody may make who is signed in. */
export const signedIn: readonly Role[] = roles;

/**
 * What keeps somebody who is signed in from everything but the page that explains it: staff who
 * must set up a second factor, and a service
 * provider who is not active yet, refused (both `inactive`) or suspended. Source: specification §4.
 */
export const restrictions = ['secondFactor', 'inactive', 'suspended'] as const;
export type Restriction = (typeof restrictions)[number];

/** What a call sends back: a JSON shape, a stream of bytes, or a redirect of the browser. */
export type Reply = z.ZodType | 'file' | 'redirect';

/**
 * One call over the wire. The server registers it (`serve`), the browser sends it (`send`), OpenAPI
 * prints it and the role matrix walks it.
 * `path` holds parameters in braces as the specification spells them, such as
 * `/api/Request/ReceiveRequest{requestId}`.
 * `consumes: 'bytes'` marks a call whose body is the raw content of a file. `openTo` names the
 * restrictions under which the call can be made all the same;
 * to any other call for anyone a restricted caller is nobody, and every other one refuses them by
 * the name of their restriction.
 */
export interface Call {
  name: string;
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  summary: string;
  who: 'anyone' | readonly Role[];
  openTo?: readonly Restriction[];
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  consumes?: 'bytes';
  reply: Reply;
  refusals: readonly RefusalName[];
}

/** Keeps the exact type of a call, so that a wrong shape does not compile. */
export function defineCall<const C extends Call>(call: C): C {
  return call;
}

type OutputOf<T> = T extends z.ZodType ? z.output<T> : undefined;
type InputOf<T> = T extends z.ZodType ? z.input<T> : undefined;

/** What the handler receives. */
export type ParamsOf<C extends Call> = OutputOf<C['params']>;
export type QueryOf<C extends Call> = OutputOf<C['query']>;
export type BodyOf<C extends Call> = OutputOf<C['body']>;
/** What the browser passes. */
export type QueryInputOf<C extends Call> = InputOf<C['query']>;
export type BodyInputOf<C extends Call> = InputOf<C['body']>;
/** What comes back; `undefined` for files and redirects. */
export type ReplyOf<C extends Call> = OutputOf<C['reply']>;
