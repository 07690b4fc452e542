import { getActor, nameOfCaller, type Caller } from '#platform/auth/caller.ts';
import type { ActorKind } from '@diwan/contract/requests/workflow';
import type { ActingRole } from '@diwan/contract/wire/call';
import type { StoredActedFor } from '../model/requests.store.ts';

/** Who performs an action, as the history stores it. */
export interface Actor {
  kind: ActorKind;
  id: string | null;
  name: string;
  /** The person or company for whom they act; absent when they act for themselves. */
  actedFor?: StoredActedFor | undefined;
}

/** The actors of steps that nobody takes. */
export const paymentActor: Actor = { kind: 'payment', id: null, name: '' };
export const scheduleActor: Actor = { kind: 'schedule', id: null, name: '' };

const kindsOfRoles: Record<ActingRole, ActorKind> = {
  Client: 'applicant',
  CompanyUser: 'applicant',
  ServiceProvider: 'serviceProvider',
  Employee: 'employee',
  Admin: 'employee',
};

function actedForOf(caller: Caller, role: ActingRole): StoredActedFor | undefined {
  if (caller.actor)
    return {
      by: 'counter',
      name: {
        'ar-EG': nameOfCaller(caller, 'ar-EG'),
        'en-US': nameOfCaller(caller, 'en-US'),
        'ur-PK': nameOfCaller(caller, 'ur-PK'),
      },
    };
  return role === 'CompanyUser' && caller.companyId !== null && caller.companyName
    ? { by: 'company', name: caller.companyName }
    : undefined;
}

/** The caller as the actor of a step, in the role in which they act. */
export function actorOf(caller: Caller, role: ActingRole): Actor {
  const { userId: id, fullName: name } = getActor(caller);
  return { kind: kindsOfRoles[role], id, name, actedFor: actedForOf(caller, role) };
}
