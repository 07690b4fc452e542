import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openFakeBrowser, type Asked } from '#testing/fake-browser.ts';

let answer: (asked: Asked) => Response | Promise<Response> = () =>
  new Response('', { status: 201 });
const { asked } = openFakeBrowser((one) => answer(one));
const { uploadBlocks } = await import('./upload-document.ts');
const { uploadDocument } = await import('./upload-document.ts');
const { ApiError } = await import('../api/api-error.ts');

beforeEach(() => {
  asked.length = 0;
  answer = () => new Response('', { status: 201 });
  vi.useRealTimers();
});

const address = { url: '/storage/one?sig=a', blockBytes: 4, expiresAt: '' };
const file = new Blob(['0123456789']);
const options = {
  file,
  address,
  isResumed: false,
  renew: async () => address,
  onProgress: () => undefined,
  onWaiting: () => undefined,
  signal: new AbortController().signal,
};
const sent = () =>
  asked
    .filter(({ url }) => url.searchParams.get('comp') === 'block')
    .map(({ url }) => window.atob(url.searchParams.get('blockid') ?? '').slice(0, 6));

vi.stubGlobal('window', Object.assign(window, { atob }));

describe('a file in blocks', () => {
  it('is sent block by block, then the list of blocks, without a token', async () => {
    const shares: number[] = [];
    await uploadBlocks({ ...options, onProgress: (share) => shares.push(share) });
    expect(sent()).toEqual(['000000', '000001', '000002']);
    expect(asked.at(-1)?.url.searchParams.get('comp')).toBe('blocklist');
    expect(asked.every(({ headers }) => !headers.has('authorization'))).toBe(true);
    expect(shares.at(-1)).toBe(1);
  });

  it('continues with stored blocks of the same file, not with those of another', async () => {
    await uploadBlocks(options);
    const names = asked.flatMap(({ url }) => url.searchParams.get('blockid') ?? []);
    const listed = () =>
      new Response(
        `<BlockList>${names
          .slice(0, 2)
          .map((name) => `<Block><Name>${name}</Name></Block>`)
          .join('')}</BlockList>`,
      );
    answer = ({ method }) => (method === 'GET' ? listed() : new Response('', { status: 201 }));
    asked.length = 0;
    await uploadBlocks({ ...options, isResumed: true });
    expect(sent()).toEqual(['000002']);
    asked.length = 0;
    await uploadBlocks({ ...options, file: new Blob(['0123X56789']), isResumed: true });
    expect(sent()).toEqual(['000001', '000002']);
  });

  it('requests a new address when the old one has expired', async () => {
    answer = ({ url }) =>
      new Response('', { status: url.searchParams.get('sig') === 'a' ? 403 : 201 });
    await uploadBlocks({
      ...options,
      renew: async () => ({ ...address, url: '/storage/one?sig=b' }),
    });
    expect(asked.map(({ url }) => url.searchParams.get('sig'))).toEqual(['a', 'b', 'b', 'b', 'b']);
  });

  it('repeats failed blocks only, and fails immediately when the server refuses', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    Object.assign(window, { setTimeout, clearTimeout });
    let broken = 2;
    answer = ({ url }) => {
      if (window.atob(url.searchParams.get('blockid') ?? '').startsWith('000001') && broken-- > 0)
        throw new TypeError('network');
      return new Response('', { status: 201 });
    };
    const waits: boolean[] = [];
    const done = uploadBlocks({ ...options, onWaiting: (isWaiting) => waits.push(isWaiting) });
    await vi.waitFor(async () => {
      await vi.advanceTimersByTimeAsync(5000);
      expect(asked.at(-1)?.url.searchParams.get('comp')).toBe('blocklist');
    }, 20_000);
    await done;
    expect(sent()).toEqual(['000000', '000001', '000001', '000001', '000002']);
    expect(waits).toEqual([true, false, true, false]);
    // A busy server has no limit of attempts.
    let busy = 12;
    const began = Date.now();
    answer = () =>
      busy-- > 0
        ? new Response('<Error><Code>ServerBusy</Code></Error>', {
            status: 503,
            headers: { 'retry-after': '3' },
          })
        : new Response('', { status: 201 });
    let elapsed = 0;
    // Removes the block list of the upload before.
    asked.length = 0;
    const arrived = uploadBlocks(options).then(() => 'arrived');
    await vi.waitFor(
      async () => {
        await vi.advanceTimersByTimeAsync(1000);
        elapsed += 1;
        expect(asked.at(-1)?.url.searchParams.get('comp')).toBe('blocklist');
      },
      { timeout: 20_000, interval: 1 },
    );
    expect([await arrived, busy]).toEqual(['arrived', -4]);
    expect(elapsed).toBeGreaterThanOrEqual(36);
    expect(Date.now() - began).toBeLessThan(25_000);
    answer = () => new Response('', { status: 413 });
    asked.length = 0;
    await expect(uploadBlocks(options)).rejects.toMatchObject({ status: 413 });
    expect(asked).toHaveLength(1);
  });
});

describe('a document', () => {
  const calls = (complete: () => Promise<string>) => ({
    announce: vi.fn(async () => ({ id: 'new', upload: address })),
    renew: vi.fn(async () => address),
    complete,
  });
  const sending = {
    onStarted: () => undefined,
    onStage: () => undefined,
    onProgress: () => undefined,
    signal: options.signal,
  };

  it('is in the stage `checking` when all bytes are sent', async () => {
    const events: (string | number)[] = [];
    answer = ({ url }) => {
      if (url.searchParams.get('comp') === 'blocklist') events.push('storage asked');
      return new Response('', { status: 201 });
    };
    await uploadDocument(
      file,
      calls(async () => {
        events.push('server asked');
        return 'there';
      }),
      {
        ...sending,
        onStage: (stage) => events.push(stage),
        onProgress: (share) => events.push(share),
      },
    );
    const last = events.indexOf(1);
    expect(events.slice(0, last)).not.toContain('checking');
    expect(
      events.slice(last).filter((one) => typeof one === 'string' && one !== 'checking'),
    ).toEqual(['storage asked', 'server asked']);
    expect(events[last + 1]).toBe('checking');
    expect(events).not.toContain('waiting');
  });

  it('is sent once more when the storage is incomplete', async () => {
    const answers = [
      () => {
        throw new ApiError(400, 'AttachmentIncomplete', '');
      },
      () => 'there',
    ];
    expect(
      await uploadDocument(
        file,
        calls(async () => answers.shift()?.() ?? 'none'),
        sending,
      ),
    ).toEqual({ id: 'new', received: 'there' });
    expect(sent()).toHaveLength(6);
  });

  it('is completed again while the server is busy', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    Object.assign(window, { setTimeout, clearTimeout });
    let busy = 8;
    const complete = vi.fn(async () => {
      if (busy-- > 0) throw Object.assign(new ApiError(503, 'ServerBusy', ''), { retryAfter: 3 });
      return 'there';
    });
    const done = uploadDocument(file, calls(complete), sending);
    await vi.waitFor(async () => {
      await vi.advanceTimersByTimeAsync(3000);
      expect(complete).toHaveBeenCalledTimes(9);
    }, 20_000);
    expect((await done).received).toBe('there');
    expect(sent()).toHaveLength(3);
  });

  it('continues under the id of an unfinished upload, or starts again when that is deleted', async () => {
    const known = calls(async () => 'there');
    expect((await uploadDocument(file, known, { ...sending, unfinishedId: 'old' })).id).toBe('old');
    expect(known.announce).not.toHaveBeenCalled();
    known.renew.mockRejectedValueOnce(new ApiError(404, 'AttachmentNotFound', ''));
    expect((await uploadDocument(file, known, { ...sending, unfinishedId: 'old' })).id).toBe('new');
  });

  it('succeeds when another window has completed it, and fails when it was deleted', async () => {
    answer = ({ url }) =>
      new Response('', { status: url.pathname.startsWith('/storage/') ? 403 : 201 });
    const over = calls(async () => 'there');
    over.renew.mockRejectedValue(new ApiError(404, 'AttachmentNotFound', ''));
    expect(await uploadDocument(file, over, sending)).toEqual({ id: 'new', received: 'there' });
    const gone = calls(async () => {
      throw new ApiError(404, 'AttachmentNotFound', '');
    });
    gone.renew.mockRejectedValue(new ApiError(404, 'AttachmentNotFound', ''));
    await expect(uploadDocument(file, gone, sending)).rejects.toMatchObject({
      name: 'AttachmentNotFound',
    });
  });

  it('waits while three others are sent', async () => {
    const running: (() => void)[] = [];
    const slow = () => new Promise<string>((resolve) => running.push(() => resolve('there')));
    const all = Promise.all(
      Array.from({ length: 8 }, () => uploadDocument(file, calls(slow), sending)),
    );
    for (let left = 8; left > 0; left -= 1) {
      await expect.poll(() => running).toHaveLength(Math.min(3, left));
      running.shift()?.();
    }
    await all;
  });
});
