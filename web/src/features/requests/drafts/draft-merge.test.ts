import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSameAnswer, isSameDraft, mergeDrafts } from './draft-merge.ts';
import type { Draft } from './draft.ts';

const file = (attachmentId: string) => ({
  attachmentId,
  name: 'passport',
  fileName: 'a.pdf',
  size: 1,
  mediaType: 'application/pdf',
});
const draftOf = (
  answers: Record<string, unknown>,
  files: string[] = [],
  passed: string[] = [],
): Draft => ({ answers, explanations: {}, documents: files.map(file), passed });

describe('isSameAnswer', () => {
  it.each([
    ['', undefined],
    [null, ''],
    [[], ''],
    [Number.NaN, null],
    ['e\u0301', '\u00e9'],
    [
      { a: '1', b: '2' },
      { b: '2', a: '1' },
    ],
    [{ a: '1' }, { a: '1', b: '' }],
    [['x'], ['x']],
    [[{ n: '1' }], [{ n: '1', m: null }]],
    [0, 0],
    [false, false],
  ])('%o equals %o', (one, other) =>
    expect([isSameAnswer(one, other), isSameAnswer(other, one)]).toEqual([true, true]),
  );
  it.each([
    [0, ''],
    [false, undefined],
    ['1', 1],
    ['a', 'b'],
    [
      ['x', 'y'],
      ['y', 'x'],
    ],
    [{ a: '1' }, { a: '2' }],
    [{}, 'x'],
  ])('%o differs from %o', (one, other) =>
    expect([isSameAnswer(one, other), isSameAnswer(other, one)]).toEqual([false, false]),
  );
});

describe('mergeDrafts', () => {
  it('keeps changes of different fields and unchanged fields', () => {
    const { merged, conflicts } = mergeDrafts(
      draftOf({ a: '1', b: '1', c: '1' }),
      draftOf({ a: '2', b: '1', c: '1' }),
      draftOf({ a: '1', b: '3', c: '1', d: 'new' }),
    );
    expect([merged.answers, conflicts]).toEqual([{ a: '2', b: '3', c: '1', d: 'new' }, []]);
  });
  it('reports a conflict for a field that both changed, and keeps mine', () => {
    const { merged, conflicts } = mergeDrafts(
      draftOf({ a: '1' }),
      draftOf({ a: '2' }),
      draftOf({ a: '3' }),
    );
    expect([merged.answers, conflicts]).toEqual([
      { a: '2' },
      [{ part: 'answers', name: 'a', mine: '2', theirs: '3' }],
    ]);
  });
  it('merges explanations, with a conflict for the same mark', () => {
    const why = (explanations: Record<string, string>): Draft => ({ ...draftOf({}), explanations });
    const { merged, conflicts } = mergeDrafts(
      why({ a: '' }),
      why({ a: 'right', b: 'mine' }),
      why({ a: '', b: 'theirs', c: 'new' }),
    );
    expect([merged.explanations, conflicts]).toEqual([
      { a: 'right', b: 'mine', c: 'new' },
      [{ part: 'explanations', name: 'b', mine: 'mine', theirs: 'theirs' }],
    ]);
  });
  it('keeps a field that one side emptied', () => {
    expect(
      mergeDrafts(draftOf({ a: '1', b: '1' }), draftOf({ a: '', b: '1' }), draftOf({ a: '1' }))
        .merged.answers,
    ).toEqual({ a: '' });
  });
  it('keeps documents that one side added and no side removed', () => {
    const { merged } = mergeDrafts(
      draftOf({}, ['a', 'b', 'c']),
      draftOf({}, ['b', 'c', 'm']),
      draftOf({}, ['a', 'b', 't']),
    );
    expect(merged.documents.map(({ attachmentId }) => attachmentId)).toEqual(['b', 't', 'm']);
  });
  it('handles field names such as constructor', () => {
    expect(
      mergeDrafts(draftOf({}), draftOf({ constructor: 'x' }), draftOf({})).merged.answers,
    ).toEqual({ constructor: 'x' });
  });
});

const names = fc.constantFrom('a', 'b', 'c', 'd');
const value = fc.oneof(
  fc.constantFrom('', 'x', 'y', 'z'),
  fc.boolean(),
  fc.array(fc.constantFrom('p', 'q')),
);
const anyDraft = fc
  .record({
    answers: fc.dictionary(names, value),
    files: fc.uniqueArray(fc.constantFrom('1', '2', '3')),
    passed: fc.uniqueArray(names),
  })
  .map(({ answers, files, passed }) => draftOf(answers, files, passed));

it('loses no change: each field is mine or theirs, and only a conflict omits a change', () => {
  fc.assert(
    fc.property(anyDraft, anyDraft, anyDraft, (base, mine, theirs) => {
      const { merged, conflicts } = mergeDrafts(base, mine, theirs);
      for (const name of ['a', 'b', 'c', 'd']) {
        const [before, here, there, now] = [base, mine, theirs, merged].map(
          (draft) => draft.answers[name],
        );
        expect([here, there].some((one) => isSameAnswer(one, now))).toBe(true);
        const lost = [here, there].filter(
          (one) => !isSameAnswer(one, before) && !isSameAnswer(one, now),
        );
        expect(lost.length > 0).toBe(conflicts.some((each) => each.name === name));
      }
      expect(
        isSameDraft(mergeDrafts(base, mine, base).merged, {
          ...mine,
          passed: [...new Set([...base.passed, ...mine.passed])],
        }),
      ).toBe(true);
      expect(mergeDrafts(mine, mine, theirs).conflicts).toEqual([]);
    }),
  );
});
