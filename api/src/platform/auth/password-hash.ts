import { hash } from '@node-rs/argon2';

// argon2id, the default algorithm of the library, with the minimum costs of OWASP's password storage
// cheat sheet; memory in KiB.
const costs = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes a password for storage. The hash holds its own salt and costs. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, costs);
}
