import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, CDPSession, Page } from '@playwright/test';
import type { Language } from '@diwan/contract/wire/languages';
import { smallPdf, smallPng } from '../api/src/testing/requests/demo-request.ts';
import { findService, storeSession } from './api.ts';
import { fillStep } from './fill-form.ts';
import { expect, test } from './journey.ts';
import { expectAccessible, openBrowser, textsOf } from './steps.ts';

const serviceName = 'register-renew-tenancy-contract';
let folder: string;
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'diwan-papers-'));
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A file of this size on the disk, with a stable modification date. */
function makeFile(name: string, bytes: number): string {
  const path = join(folder, name);
  writeFileSync(
    path,
    Buffer.concat([
      smallPdf.subarray(0, 9),
      Buffer.alloc(bytes, `%${name}${'paper'.repeat(20)}\n`),
      Buffer.from('\n'),
      smallPdf.subarray(9),
    ]),
  );
  return path;
}

/**
 * Metadata that a camera writes into a JPEG: rotated (orientation 6), and the location. Source:
 * Exif 2.3, 4.6.
 */
const fileInput = '25.1972N 55.2744E';
function withExif(jpeg: Buffer): Buffer {
  const tiff = Buffer.alloc(56);
  tiff.write('II*\0', 0, 'latin1');
  tiff.writeUInt32LE(8, 4);
  tiff.writeUInt16LE(2, 8);
  for (const [at, tag, type, count, value] of [
    [10, 0x010e, 2, fileInput.length + 1, 38],
    [22, 0x0112, 3, 1, 6],
  ] as const) {
    tiff.writeUInt16LE(tag, at);
    tiff.writeUInt16LE(type, at + 2);
    tiff.writeUInt32LE(count, at + 4);
    tiff.writeUInt32LE(value, at + 8);
  }
  tiff.write(fileInput, 38, 'latin1');
  const notes = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff]);
  return Buffer.concat([
    jpeg.subarray(0, 2),
    Buffer.from([0xff, 0xe1, 0, notes.length + 2]),
    notes,
    jpeg.subarray(2),
  ]);
}

/**
 * A rotated photo of 4000 by 3000 points whose upper left corner is red and whose lower half is
 * noise.
 */
async function makePhoto(page: Page): Promise<Buffer> {
  const base64 = await page.evaluate(async () => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [4000, 3000];
    const context = canvas.getContext('2d') as CanvasRenderingContext2D;
    const noise = context.createImageData(canvas.width, canvas.height);
    for (let at = 0, seed = 7; at < noise.data.length; at += 4) {
      seed = Math.imul(seed, 1664525) + 1013904223;
      noise.data.set(
        at < noise.data.length / 2
          ? [255, 255, 255, 255]
          : [seed >>> 24, seed >>> 16, seed >>> 8, 255],
        at,
      );
    }
    context.putImageData(noise, 0, 0);
    context.fillStyle = 'rgb(255, 0, 0)';
    context.fillRect(0, 0, 800, 800);
    const blob = await new Promise<Blob | null>((resolve) =>
      canvas.toBlob(resolve, 'image/jpeg', 0.8),
    );
    const bytes = new Uint8Array(await (blob as Blob).arrayBuffer());
    let text = '';
    for (let at = 0; at < bytes.length; at += 8192)
      text += String.fromCharCode(...bytes.subarray(at, at + 8192));
    return window.btoa(text);
  });
  return withExif(Buffer.from(base64, 'base64'));
}

/**
 * Records in the page what it sends to the storage; returns it as one picture: its bytes, its size
 * in points, the colour near a corner.
 */
const recordUploads = (page: Page) =>
  page.evaluate(() => {
    const uploads = new Map<string, Blob>();
    const addresses = new WeakMap<XMLHttpRequest, string>();
    Object.assign(window, { uploads });
    const { send, open } = XMLHttpRequest.prototype;
    XMLHttpRequest.prototype.open = function (method: string, url: string | URL) {
      addresses.set(this, String(url));
      open.call(this, method, url, true);
    };
    XMLHttpRequest.prototype.send = function (body) {
      // A block that is sent again counts once.
      if (body instanceof Blob) uploads.set(addresses.get(this) ?? '', body);
      send.call(this, body);
    };
  });
const readUploads = (page: Page, text: string) =>
  page.evaluate(async (searched) => {
    const whole = new Blob([
      ...(window as unknown as { uploads: Map<string, Blob> }).uploads.values(),
    ]);
    const picture = await createImageBitmap(whole, { imageOrientation: 'none' });
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
    context.drawImage(picture, 0, 0);
    const isRed = (x: number, y: number) => {
      const [red = 0, green = 0, blue = 0] = context.getImageData(x, y, 1, 1).data;
      return red > 200 && green < 60 && blue < 60;
    };
    const bytes = new TextDecoder('latin1').decode(await whole.arrayBuffer());
    return {
      size: whole.size,
      width: picture.width,
      height: picture.height,
      isRedUpperRight: isRed(picture.width - 50, 50),
      isRedUpperLeft: isRed(50, 50),
      holdsNotes: bytes.includes(searched) || bytes.includes('Exif'),
    };
  }, text);

const row = (page: Page, name: string) =>
  page.locator('li[data-state]').filter({ has: page.locator('bdi', { hasText: name }) });

async function choose(page: Page, document: string, files: string | string[]): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await page.locator(`[data-focus-id~="attachments.${document}"]`).click();
  await (await choosing).setFiles(files);
}

/** The speed of the upload in bytes a second; undefined is no network. */
const sessions = new WeakMap<Page, CDPSession>();
async function setNetworkSpeed(page: Page, bytesPerSecond: number | undefined): Promise<void> {
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page));
  sessions.set(page, session);
  await session.send('Network.emulateNetworkConditions', {
    offline: bytesPerSecond === undefined,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: bytesPerSecond ?? -1,
  });
}

/** The names of the blocks that arrived, in order. */
function recordBlocks(page: Page): string[] {
  const arrived: string[] = [];
  page.on('response', (response) => {
    if (response.url().includes('comp=block&') && response.status() === 201)
      arrived.push(new URL(response.url()).searchParams.get('blockid') ?? '');
  });
  return arrived;
}

async function openDocuments(
  browser: Browser,
  language: Language,
  username: string,
): Promise<{ page: Page; problems: string[] }> {
  const { page, problems } = await openBrowser(browser, { language, width: 390, height: 844 });
  await storeSession(page, username);
  const service = await findService(serviceName, language);
  await page.goto(`/requests/Create/${serviceName}#${service.form.steps[0]?.name}`);
  const answers = {};
  for (let step = 0; step < service.form.steps.length; step += 1) {
    await expect(page.getByRole('heading', { level: 1 })).toContainText(
      service.form.steps[step]?.title[language] ?? '',
    );
    await fillStep(page, service, step, { answers, language });
    await page
      .getByRole('button', { name: textsOf(language)('forms:continue'), exact: true })
      .click();
  }
  await expect(page.getByRole('heading', { level: 1 })).toContainText(
    textsOf(language)('forms:documents.title'),
  );
  return { page, problems };
}

test('a large document resumes after a network error and after a reload; one is refused and a photo is prepared (ar-EG, 390 px)', async ({
  browser,
}) => {
  const t = textsOf('ar-EG');
  const { page, problems } = await openDocuments(browser, 'ar-EG', 'individual2');
  const arrived = recordBlocks(page);
  page.on('dialog', (dialog) => void dialog.accept());
  const large = makeFile('contract.pdf', 5 * 1024 * 1024);

  await test.step('the network breaks in the middle, and only the rest is sent', async () => {
    await setNetworkSpeed(page, 1_500_000);
    await choose(page, 'tenancyContract', large);
    await expect.poll(() => arrived.length).toBeGreaterThan(0);
    await setNetworkSpeed(page, undefined);
    await expect(row(page, 'contract.pdf')).toHaveAttribute('data-state', 'waiting');
    await expectAccessible(page);
    await setNetworkSpeed(page, -1);
    await expect(row(page, 'contract.pdf')).toHaveAttribute('data-state', 'done');
    expect(arrived).toHaveLength(6);
    expect(new Set(arrived).size).toBe(6);
  });

  await test.step('a reload in the middle: the same file resumes where it was', async () => {
    await row(page, 'contract.pdf').getByRole('button').click();
    arrived.length = 0;
    await setNetworkSpeed(page, 1_500_000);
    await choose(page, 'tenancyContract', large);
    await expect.poll(() => arrived.length).toBeGreaterThan(1);
    await page.reload();
    await expect(row(page, 'contract.pdf')).toContainText(t('attachments:row.unfinished'));
    const before = arrived.length;
    await setNetworkSpeed(page, -1);
    await choose(page, 'tenancyContract', large);
    // The file is read before it takes the place of the unfinished one.
    await expect(row(page, 'contract.pdf')).toHaveCount(1);
    await expect(row(page, 'contract.pdf')).toHaveAttribute('data-state', 'done');
    // At most the block that the reload interrupted is sent again.
    expect(arrived.length - before).toBeLessThanOrEqual(6 - before + 1);
  });

  await test.step('a file that is not a document is reported beside it', async () => {
    const wrong = join(folder, 'deed.pdf');
    writeFileSync(wrong, Buffer.concat([smallPdf, Buffer.from('MZ\x90\0 a program behind it')]));
    await choose(page, 'titleDeed', wrong);
    await expect(row(page, 'deed.pdf')).toContainText(t('errors:refusals.AttachmentDamaged'));
    await expectAccessible(page);
  });

  await test.step('a photo is sent smaller, upright, and without its location; an unreadable one is reported', async () => {
    const heic = join(folder, 'maker.heic');
    writeFileSync(heic, Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'));
    await choose(page, 'titleDeed', heic);
    await expect(row(page, 'maker.heic')).toContainText(t('attachments:refused.heic'));
    const taken = await makePhoto(page);
    const path = join(folder, 'camera.jpg');
    writeFileSync(path, taken);
    await recordUploads(page);
    await choose(page, 'titleDeed', path);
    await expect(row(page, 'camera.jpg')).toHaveAttribute('data-state', 'done', {
      timeout: 30_000,
    });
    const sent = await readUploads(page, fileInput);
    expect(taken.includes(fileInput)).toBe(true);
    expect(sent.size).toBeLessThan(taken.length);
    expect(sent).toMatchObject({
      width: 2250,
      height: 3000,
      isRedUpperRight: true,
      isRedUpperLeft: false,
      holdsNotes: false,
    });
  });
  expect(problems).toEqual([]);
});

test('dropped and pasted documents arrive (ur-PK, 390 px)', async ({ browser }) => {
  const t = textsOf('ur-PK');
  const { page, problems } = await openDocuments(browser, 'ur-PK', 'individual');
  const zoneOf = (document: string) =>
    page.locator(`div:has(> [data-focus-id~="attachments.${document}"])`);
  const picture = join(folder, 'dropped.png');
  writeFileSync(picture, smallPng);

  await test.step('dropped', async () => {
    await zoneOf('titleDeed').scrollIntoViewIfNeeded();
    const box = await zoneOf('titleDeed').boundingBox();
    const session = await page.context().newCDPSession(page);
    const at = {
      x: (box?.x ?? 0) + 8,
      y: (box?.y ?? 0) + 8,
      data: { items: [], files: [picture], dragOperationsMask: 1 },
    };
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await session.send('Input.dispatchDragEvent', { type, ...at });
    await expect(row(page, 'dropped.png')).toHaveAttribute('data-state', 'done');
  });

  await test.step('pasted', async () => {
    await page.locator('[data-focus-id~="attachments.tenancyContract"]').focus();
    await page.evaluate(
      (bytes) => {
        const clipboardData = new DataTransfer();
        clipboardData.items.add(
          new File([Uint8Array.from(bytes)], 'pasted.png', { type: 'image/png' }),
        );
        document.activeElement?.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
        );
      },
      [...smallPng],
    );
    await expect(row(page, 'pasted.png')).toHaveAttribute('data-state', 'done');
  });
  await expect(
    row(page, 'pasted.png').getByRole('button', {
      name: t('shell:kit.removeFile', { name: 'pasted.png' }),
    }),
  ).toBeVisible();
  await expectAccessible(page);
  expect(problems).toEqual([]);
});
