import { hash } from '@node-rs/argon2';
import { demoPassword } from '../seed/seed.ts';

/**
 * A hash of the demo password with the least costs, which the hash itself names: tests sign in
 * thousands of times, and the costs of `hashPassword` are 25 ms for each.
 */
export const demoPasswordHash = await hash(demoPassword, {
  memoryCost: 8,
  timeCost: 1,
  parallelism: 1,
});
