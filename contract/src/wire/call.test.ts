import { expect, it } from 'vitest';
import type { EveryField } from './call.ts';

interface Summary {
  id: number;
  name?: string | undefined;
}

it('EveryField makes the compiler name a field that a mapping does not fill', () => {
  // @ts-expect-error `name` is optional in the reply, but the mapping has to mention it.
  const incomplete: EveryField<Summary> = { id: 1 };
  const complete: EveryField<Summary> = { id: 1, name: undefined };
  const reply: Summary = complete;
  expect(JSON.stringify(reply)).toBe(JSON.stringify(incomplete));
});
