import type { OwnCookie } from '../../../platform/core/cookies.ts';

// Who signed in from this browser before is not kept waiting by strangers who guess. Decision 0010.
export const deviceCookie: OwnCookie = { name: 'diwan-device', path: '/', seconds: 90 * 86_400 };
