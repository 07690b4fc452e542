import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import * as calls from '@diwan/contract/catalogue/service-designs';
import { ApiError } from '../../lib/api/api-error.ts';
import { send } from '../../lib/api/send.ts';
import { useCall } from '../../lib/api/use-call.ts';

/** The names of the queries that a change of a service makes outdated. */
const outdated = [
  calls.getServiceDesign,
  calls.getServiceDesigns,
  calls.getServiceVersions,
  calls.compareServiceVersions,
];

/** A service in its designer, its versions and what its draft changes. */
export function useServiceDesign(serviceId: number) {
  const query = { serviceId };
  return {
    design: useCall(calls.getServiceDesign, { query, staleTime: 0 }),
    versions: useCall(calls.getServiceVersions, { query, staleTime: 0 }),
    differences: useCall(calls.compareServiceVersions, { query, staleTime: 0 }),
  };
}

/** The actions on a draft. `problem` is the refusal of the last one; nothing typed is lost by it. */
export function useDesignActions(serviceId: number, version: number) {
  const client = useQueryClient();
  const [problem, setProblem] = useState<ApiError>();
  const [pending, setPending] = useState('');
  const run = async (name: string, work: () => Promise<unknown>): Promise<boolean> => {
    setPending(name);
    setProblem(undefined);
    try {
      await work();
      await Promise.all(
        outdated.map((call) => client.invalidateQueries({ queryKey: [call.name] })),
      );
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setProblem(error);
      return false;
    } finally {
      setPending('');
    }
  };
  const at = { serviceId, version };
  const options = { skipErrorHandling: true };
  return {
    problem,
    pending,
    save: (document: string) =>
      run('save', () => send(calls.saveServiceDraft, { body: { ...at, document }, ...options })),
    discard: () => run('discard', () => send(calls.discardServiceDraft, { body: at, ...options })),
    update: () => run('update', () => send(calls.updateServiceDraft, { body: at, ...options })),
    publish: (time?: string) =>
      run('publish', () =>
        send(calls.publishService, { body: time ? { ...at, at: time } : at, ...options }),
      ),
    cancel: () => run('cancel', () => send(calls.cancelPublication, { body: at, ...options })),
    restoreVersion: (number: number) =>
      run(`version ${number}`, () =>
        send(calls.restoreServiceVersion, { body: { serviceId, number }, ...options }),
      ),
    offerAgain: () =>
      run('offer', () => send(calls.restoreService, { body: { serviceId }, ...options })),
  };
}
