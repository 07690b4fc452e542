import { useEffect, useState } from 'react';
import { checkUAEPassEnabled } from '@diwan/contract/people/users';
import { send } from '../api/send.ts';
import { loadItem, storeItem } from '../browser/storage.ts';

const enabledKey = 'uaePassEnabled';
/** A check without an answer has failed after this time. */
const longestMs = 15_000;
let pending: Promise<boolean> | undefined;

async function requestStatus(): Promise<boolean> {
  const { isEnabled } = await send(checkUAEPassEnabled, {
    skipErrorHandling: true,
    signal: AbortSignal.timeout(longestMs),
  });
  storeItem('session', enabledKey, String(isEnabled));
  return isEnabled;
}

/** Whether UAE PASS is enabled, requested once per session. Throws `ApiError`; the next call asks again. */
export function isUAEPassEnabled(): Promise<boolean> {
  const known = loadItem('session', enabledKey);
  if (known !== null) return Promise.resolve(known === 'true');
  pending ??= requestStatus().finally(() => {
    pending = undefined;
  });
  return pending;
}

/** For pages that mention UAE PASS: false until the server has said that it is enabled. */
export function useUAEPass(): boolean {
  const [isEnabled, setIsEnabled] = useState(false);
  useEffect(() => {
    let isShown = true;
    isUAEPassEnabled()
      .then((value) => isShown && setIsEnabled(value))
      .catch(() => undefined);
    return () => {
      isShown = false;
    };
  }, []);
  return isEnabled;
}
