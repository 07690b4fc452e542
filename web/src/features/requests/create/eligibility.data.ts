import { useState } from 'react';
import {
  checkEligibility,
  type EligibilityPoint,
  type EligibilityState,
} from '@diwan/contract/forms/eligibility';
import type { Service } from '@diwan/contract/catalogue/services';
import { recallJson, remember } from '../../../lib/browser/browser-memory.ts';
import { hasRole, useSession } from '../../../lib/api/session.ts';
import { useCall } from '../../../lib/api/use-call.ts';

/**
 * A rule of a service and how it stands for the person; `isAnswered` where they said so themselves.
 */
export interface JudgedPoint extends EligibilityPoint {
  state: EligibilityState;
  isAnswered: boolean;
}

export interface Eligibility {
  points: readonly JudgedPoint[];
  /** Something is known that speaks against it. */
  isShut: boolean;
  /** What the person answers to a question; undefined takes it back. It stays in this window. */
  answer: (name: string, isSo: boolean | undefined) => void;
}

type Answers = Readonly<Record<string, boolean>>;

function read(key: string): Answers {
  return Object.fromEntries(
    Object.entries(recallJson('session', key) ?? {}).filter(
      (pair): pair is [string, boolean] => typeof pair[1] === 'boolean',
    ),
  );
}

/**
 * Whether a service is for the person: what the server knows, and what they answer on the first
 * screen.
 */
export function useEligibility(service: Service | undefined): Eligibility {
  const session = useSession();
  const maySend = hasRole(session, 'Client', 'CompanyUser');
  const rules = service?.eligibility ?? [];
  const { data = [] } = useCall(checkEligibility, {
    query: { serviceId: service?.id ?? 0 },
    enabled: maySend && rules.length > 0,
    staleTime: 60_000,
    skipErrorHandling: true,
  });
  const key = `eligibility:${service?.id ?? 0}:${session?.ssid ?? ''}`;
  const [kept, setKept] = useState({ key: '', answers: {} as Answers });
  const answers = kept.key === key ? kept.answers : read(key);
  const points = rules.map((point): JudgedPoint => {
    const state = data.find(({ name }) => name === point.name)?.state ?? 'ask';
    const answered = state === 'ask' && point.question !== '' ? answers[point.name] : undefined;
    return {
      ...point,
      state: answered === undefined ? state : answered ? 'met' : 'notMet',
      isAnswered: answered !== undefined,
    };
  });
  return {
    points,
    isShut: points.some(({ state }) => state === 'notMet'),
    answer(name, isSo) {
      const { [name]: _, ...others } = answers;
      const next = isSo === undefined ? others : { ...others, [name]: isSo };
      remember('session', key, JSON.stringify(next));
      setKept({ key, answers: next });
    },
  };
}
