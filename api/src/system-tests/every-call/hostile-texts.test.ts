import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Parts } from '#testing/well-formed/call.ts';
import { openRoleStage, type RoleStage } from '#testing/well-formed/role-stage.ts';
import { textsOf, withText } from '#testing/well-formed/texts-of-call.ts';
import { allCalls } from '@diwan/contract/all-calls';

/** Numbers that look random and are the same in each run. */
function numbersOf(seed: string): (below: number) => number {
  let count = 0;
  return (below) =>
    createHash('sha256')
      .update(`${seed} ${(count += 1)}`)
      .digest()
      .readUInt32BE(0) % below;
}

const hostileTexts = ['', ' ', '\0', '0', '-1', '%', '%00', '../..', '\ud800', "'", '{}', 'é'];

/** A text cut, changed and lengthened at random places, and texts of another kind. */
function variantsOf(text: string, random: (below: number) => number): string[] {
  const places = Array.from({ length: 12 }, () => random(text.length + 1));
  return [
    ...hostileTexts,
    'a'.repeat(5000),
    ...places.map((at) => text.slice(0, at)),
    ...places.map((at) => text.slice(at)),
    ...places.map((at) => `${text.slice(0, at)}0${text.slice(at)}`),
    ...places.map(
      (at) => `${text.slice(0, at)}${String.fromCharCode(random(0xffff))}${text.slice(at + 1)}`,
    ),
  ];
}

function fileVariantsOf(file: Buffer, random: (below: number) => number): Buffer[] {
  return Array.from({ length: 12 }, () => random(file.length + 1)).flatMap((at) => {
    const changed = Buffer.from(file);
    if (at < changed.length) changed[at] = random(256);
    return [file.subarray(0, at), file.subarray(at), changed];
  });
}

describe('no text of a stranger breaks the server', () => {
  let stage: RoleStage;
  beforeAll(async () => {
    stage = await openRoleStage();
  });
  afterAll(() => stage.app.close());

  const open = allCalls.filter(({ who }) => who === 'anyone');
  it.each(open.map((call) => [call.name, call] as const))('%s', async (name, call) => {
    const made = (await stage.calls[name]?.make('anonymous')) ?? {};
    const random = numbersOf(name);
    for (const { path, text } of textsOf(made))
      for (const variant of Buffer.isBuffer(text)
        ? fileVariantsOf(text, random)
        : variantsOf(text, random)) {
        // An address cannot have half a letter.
        if (path[0] === 'params' && /\p{Cs}/u.test(String(variant))) continue;
        const { status, body } = await stage.send(
          call,
          'anonymous',
          withText(made, path, variant) as Parts,
        );
        expect(
          status,
          `${path.join('.')} = ${JSON.stringify(String(variant).slice(0, 90))}: ${body}`,
        ).toBeLessThan(500);
      }
    await stage.restore();
  });
});
