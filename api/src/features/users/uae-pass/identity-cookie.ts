import type { OwnCookie } from '../../../platform/core/cookies.ts';
import { attemptMinutes } from './identity-attempts.store.ts';

// Names the browser in which a sign-in began; nobody else can end it there.
export const browserCookie: OwnCookie = {
  name: 'diwan-identity',
  path: '/',
  seconds: attemptMinutes * 60,
};
