import type { ReactNode } from 'react';
import { useMayCall } from '#lib/api/session.ts';
import type { Call } from '@diwan/contract/wire/call';

interface PermittedProps {
  call: Pick<Call, 'who'>;
  children: ReactNode;
}

/** What is there for a call alone: a user who may not make it does not see it. */
export function May({ call, children }: PermittedProps) {
  return useMayCall(call) ? children : null;
}

/** The fields that a call saves: a user who may not make it reads them only. */
export function SavedFields({ call, children }: PermittedProps) {
  return (
    <fieldset disabled={!useMayCall(call)} className="flex min-w-0 flex-col gap-6">
      {children}
    </fieldset>
  );
}
