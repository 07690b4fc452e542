import { z } from 'zod';
import { defineCall } from '../wire/call.ts';

/**
 * Whether the portal still needs its first administrator. Only then `setUpPortal` works. Our own
 * calls.
 */
export const getSetupState = defineCall({
  name: 'getSetupState',
  method: 'GET',
  path: '/api/User/GetSetupState',
  who: 'anyone',
  summary: 'Whether the portal needs its first administrator',
  reply: z.object({ isOpen: z.boolean() }),
  refusals: [],
});

/** `code` is the setup code that the server prints when it starts without an administrator. */
export const setUpPortal = defineCall({
  name: 'setUpPortal',
  method: 'POST',
  repeats: 'unstored',
  path: '/api/User/SetUpPortal',
  who: 'anyone',
  summary: 'Create the first administrator with the setup code; the reply is a session token',
  body: z.object({
    code: z.string().min(1).max(100),
    username: z.string().max(200),
    password: z.string().max(200),
    confirmPassword: z.string().max(200),
    fullName: z.string().max(1000),
    email: z.string().max(300),
    phoneNumber: z.string().max(100),
  }),
  reply: z.object({ token: z.string() }),
  refusals: ['SetupClosed', 'SetupCodeWrong', 'UsernameTaken', 'TooManyRequests'],
});
