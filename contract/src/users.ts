import { z } from 'zod';
import { defineCall, roles } from './call.ts';

/** The claims of a session token. Source: specification §3. `role` is a single value or a list. */
export const sessionClaims = z.object({
  ssid: z.string(),
  displayName: z.string(),
  fullName: z.string(),
  role: z.union([z.enum(roles), z.array(z.enum(roles))]).optional(),
  partnerId: z.int().optional(),
  companyId: z.int().optional(),
  phoneNumber: z.string().optional(),
  email: z.string().optional(),
  isServiceProvider: z.boolean(),
  exp: z.int(),
});
export type SessionClaims = z.infer<typeof sessionClaims>;

export const login = defineCall({
  name: 'login', method: 'POST', path: '/api/User/Login', who: 'anyone',
  summary: 'Sign in with username and password',
  body: z.object({ username: z.string().trim().min(1).max(200), password: z.string().min(1).max(200) }),
  reply: z.object({ token: z.string() }),
  refusals: ['WrongUsernameOrPassword', 'TooManyRequests'],
});

export const refreshToken = defineCall({
  name: 'refreshToken', method: 'POST', path: '/api/User/refreshToken', who: 'anyone',
  summary: 'Exchange the old token, expired or not, for a new one',
  body: z.object({ token: z.string().min(1).max(4000) }),
  reply: z.string(),
  refusals: ['SessionEnded', 'TooManyRequests'],
});

export const logout = defineCall({
  name: 'logout', method: 'POST', path: '/api/User/Logout', who: 'anyone',
  summary: 'End the session of the token that is sent; nothing happens when there is none',
  reply: z.object({ ended: z.boolean() }),
  refusals: [],
});
