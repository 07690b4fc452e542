import { randomUUID } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import type { House } from '../../platform/house.ts';
import { Refusal } from '../../platform/refusals.ts';
import { findUserByUsername } from './users.store.ts';

// argon2id with the costs that OWASP's password storage cheat sheet asks for at least; memory in KiB. The algorithm is the library's default.
const costs = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The hash that is kept of a password, with its own salt. */
export async function hashPassword(password: string): Promise<string> {
  return hash(password, costs);
}

export type SignIn = (username: string, password: string) => Promise<string>;

/** Makes the sign-in of a house. It gives a token, or refuses an unknown name and a wrong password alike: same words, same time. */
export async function openSignIn({ database, sessions }: Pick<House, 'database' | 'sessions'>): Promise<SignIn> {
  const nobodysHash = await hashPassword(randomUUID());
  return async (username, password) => {
    const user = await findUserByUsername(database, username);
    const isRight = await verify(user?.password_hash ?? nobodysHash, password);
    if (!user || !isRight) throw new Refusal('WrongUsernameOrPassword');
    return sessions.begin(user.id);
  };
}
