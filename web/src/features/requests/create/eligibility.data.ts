import { useState } from 'react';
import { hasRole, useSession } from '#lib/api/session.ts';
import { useCall } from '#lib/api/use-call.ts';
import { loadJson, storeItem } from '#lib/browser/storage.ts';
import {
  checkEligibility,
  type EligibilityPoint,
  type EligibilityState,
} from '@diwan/contract/catalogue/eligibility';
import type { Service } from '@diwan/contract/catalogue/services';
import type { StoredName } from '@diwan/contract/portal/browser-storage';

/** A rule of a service and its result; `isAnswered` where the user answered the question. */
export interface EligibilityResult extends EligibilityPoint {
  state: EligibilityState;
  isAnswered: boolean;
}

export interface Eligibility {
  points: readonly EligibilityResult[];
  /** A rule is known not to be met. */
  isIneligible: boolean;
  /** Stores the user's answer for this session; undefined removes it. */
  answer: (name: string, isSo: boolean | undefined) => void;
}

type Answers = Readonly<Record<string, boolean>>;

function read(key: StoredName<'session'>): Answers {
  return Object.fromEntries(
    Object.entries(loadJson('session', key) ?? {}).filter(
      (pair): pair is [string, boolean] => typeof pair[1] === 'boolean',
    ),
  );
}

/** The eligibility of the user: the server's results and the answers on the first screen. */
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
  const key = `eligibility:${service?.id ?? 0}:${session?.ssid ?? ''}` as const;
  const [stored, setStored] = useState({ key: '', answers: {} as Answers });
  const answers = stored.key === key ? stored.answers : read(key);
  const points = rules.map((point): EligibilityResult => {
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
    isIneligible: points.some(({ state }) => state === 'notMet'),
    answer(name, isSo) {
      const { [name]: _, ...others } = answers;
      const next = isSo === undefined ? others : { ...others, [name]: isSo };
      storeItem('session', key, JSON.stringify(next));
      setStored({ key, answers: next });
    },
  };
}
