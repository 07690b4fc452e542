import type {
  CommunicationType,
  OwnCommunication,
} from '@diwan/contract/people/communication-types';
import type { Language } from '@diwan/contract/wire/languages';
import type { Database } from '../../platform/database/database.ts';
import { localize } from '../../platform/core/localize.ts';
import { Refusal } from '../../platform/core/refusals.ts';
import type { Caller } from '../../platform/auth/session.ts';
import * as store from './messages.store.ts';

export async function readCommunicationTypes(
  database: Database,
  language: Language,
): Promise<CommunicationType[]> {
  return (await store.selectCommunicationTypes(database)).map(({ id, key, name, channels }) => ({
    id,
    key,
    name: localize(name, language),
    channels,
  }));
}

/** How the caller wants to be told of requests, and which ways are proved. */
export async function readOwnCommunication(
  database: Database,
  caller: Caller,
): Promise<OwnCommunication> {
  const own = await store.getCommunication(database, caller.userId);
  return {
    ...(own.communication_type_id === null
      ? {}
      : { communicationTypeId: own.communication_type_id }),
    ...(own.language ? { language: own.language } : {}),
    proved: [
      ...(own.email_verified_at && own.email ? ['email' as const] : []),
      ...(own.phone_verified_at && own.phone_number ? ['sms' as const] : []),
    ],
  };
}

/** Keeps what is given. A way that is not proved would tell nobody: AddressNotProved. */
export async function changeOwnCommunication(
  database: Database,
  caller: Caller,
  {
    communicationTypeId,
    language,
  }: { communicationTypeId?: number | undefined; language?: Language | undefined },
): Promise<OwnCommunication> {
  if (communicationTypeId !== undefined) {
    const type = (await store.selectCommunicationTypes(database)).find(
      ({ id }) => id === communicationTypeId,
    );
    if (!type) throw new Refusal('CommunicationTypeNotFound');
    const { proved } = await readOwnCommunication(database, caller);
    if (type.channels.some((channel) => !proved.includes(channel)))
      throw new Refusal('AddressNotProved');
  }
  const changes = {
    ...(communicationTypeId === undefined ? {} : { communication_type_id: communicationTypeId }),
    ...(language === undefined ? {} : { language }),
  };
  if (Object.keys(changes).length > 0)
    await store.updateCommunication(database, caller.userId, changes);
  return readOwnCommunication(database, caller);
}
