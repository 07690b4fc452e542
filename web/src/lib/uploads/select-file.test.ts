import { describe, expect, it } from 'vitest';
import { findFileRefusal, mediaTypeOf } from './select-file.ts';

const rule = { mediaTypes: ['application/pdf', 'image/png'], maximumBytes: 1000 };
const file = (name: string, type: string, size: number) => ({ name, type, size });

describe('findFileRefusal', () => {
  it.each([
    ['a good one', file('a.pdf', 'application/pdf', 1000), undefined],
    ['one whose type the phone does not name', file('a.PNG', '', 5), undefined],
    ['another kind', file('a.exe', 'application/x-msdownload', 5), 'wrongType'],
    ['a kind that this document may not be', file('a.jpg', 'image/jpeg', 5), 'wrongType'],
    ['one byte too many', file('a.pdf', 'application/pdf', 1001), 'tooLarge'],
    ['a picture in its maker’s own format', file('a.HEIC', '', 5), 'heic'],
    ['nothing in it', file('a.pdf', 'application/pdf', 0), 'empty'],
  ])('%s', (_, given, refusal) => expect(findFileRefusal(given, rule)).toBe(refusal));
  it('without type and extension is application/octet-stream', () =>
    expect(mediaTypeOf(file('scan', '', 5))).toBe('application/octet-stream'));
});
