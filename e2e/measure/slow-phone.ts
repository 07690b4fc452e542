import type { Browser, Page } from '@playwright/test';
import { storedLanguages, type Language } from '@diwan/contract/wire/languages';
import { portalUrl } from '../server.ts';

/** The pages of first visits. */
export const firstPaths = ['/home', '/services', '/requests/Create/renew-trade-licence'];

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/**
 * An empty browser of a phone. `hasCookie`: the server knows the language, as on every visit after the
 * first one.
 */
export async function openPhone(
  browser: Browser,
  language: Language,
  hasCookie = true,
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  if (hasCookie) await context.addCookies([{ name: 'language', value: language, url: portalUrl }]);
  await context.addInitScript(
    (value) => localStorage.setItem('language', value),
    storedLanguages[language],
  );
  return context.newPage();
}

/** A slow mobile network: 150 ms and 1.6 Mbit/s. */
const slowNetwork = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 1024 * 1024) / 8,
  uploadThroughput: (750 * 1024) / 8,
};

interface Paints {
  fcp: number;
  lcp: number;
  /** The sum of all layout shifts. */
  shift: number;
  /** Start and duration of long tasks in milliseconds. */
  tasks: [number, number][];
}

/** Runs in the page before its scripts: records the largest paint, shifts and long tasks. */
function watch(): void {
  const measured: Paints = { fcp: 0, lcp: 0, shift: 0, tasks: [] };
  Object.assign(window, { measured });
  const observe = (type: string, record: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(record)).observe({
      type,
      buffered: true,
    });
  observe('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') measured.fcp = startTime;
  });
  observe('largest-contentful-paint', ({ startTime }) => (measured.lcp = startTime));
  observe('layout-shift', (entry) => {
    const { value, hadRecentInput } = entry as PerformanceEntry & {
      value: number;
      hadRecentInput: boolean;
    };
    if (!hadRecentInput) measured.shift += value;
  });
  observe('longtask', ({ startTime, duration }) => measured.tasks.push([startTime, duration]));
}

/** A file that a page loaded; times in seconds. */
interface LoadedFile {
  url: string;
  type: string;
  from: number;
  to: number;
  /** On the wire, compressed and with headers. */
  bytes: number;
}

interface Visit extends Paints {
  files: LoadedFile[];
}

/**
 * Opens an address and measures until two seconds after the network is quiet, hydration included; slowly:
 * on a slow mobile network, the processor four times slower.
 */
export async function measureVisit(page: Page, address: string, isSlow = true): Promise<Visit> {
  await page.context().addInitScript(watch);
  const session = await page.context().newCDPSession(page);
  const files = new Map<string, LoadedFile>();
  session.on('Network.requestWillBeSent', ({ requestId, request, type, timestamp }) =>
    files.set(requestId, {
      url: request.url,
      type: type ?? 'Other',
      from: timestamp,
      to: timestamp,
      bytes: 0,
    }),
  );
  session.on('Network.responseReceived', ({ requestId, type }) => {
    // A preloaded file has no type until its reply arrives.
    const file = files.get(requestId);
    if (file) file.type = type;
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength, timestamp }) => {
    const file = files.get(requestId);
    if (file) Object.assign(file, { bytes: encodedDataLength, to: timestamp });
  });
  await session.send('Network.enable');
  if (isSlow) {
    await session.send('Network.emulateNetworkConditions', slowNetwork);
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  }
  await page.goto(address, { waitUntil: 'networkidle' });
  await page.waitForTimeout(2000);
  const paints = await page.evaluate(() => (window as unknown as { measured: Paints }).measured);
  await page.context().close();
  return { ...paints, files: [...files.values()].filter(({ url }) => !url.startsWith('data:')) };
}
