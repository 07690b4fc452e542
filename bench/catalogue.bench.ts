// The calls of the catalogue over HTTP with 10 000 services, 32 connections: npm run bench:catalogue.
// Requests a second beside a bare server of the same run, which sends the same bytes from memory.
import { fork } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import fastify from 'fastify';
import { openCatalogueFrom } from '../api/src/features/services/services.actions.ts';
import { serveServices } from '../api/src/features/services/services.routes.ts';
import type { AppContext } from '../api/src/platform/http/context.ts';
import { openReplyCache } from '../api/src/platform/http/response-cache.ts';
import { largeCatalogue } from './large-catalogue.ts';
import type { Load, LoadResult } from './load-generator.ts';

const seconds = Number(process.env.SECONDS ?? 4);
const addresses = 60;
const words = ['تجديد', 'رخصة', 'الإقامة', 'visa', 'licence', 'renew', 'permit', 'card', 'dubai'];

const list = (number: number, filter = '') =>
  `/api/Service/GetServices?pageSize=20&pageNumber=${number}${filter}`;

/** Addresses that differ, so that a reply is not in memory when it is asked for first. */
const kinds: Record<string, (number: number) => string> = {
  'list of services': (number) => list(1 + number),
  'list of an agency': (number) =>
    list(1 + Math.floor(number / 30), `&GovernmentAgencyId=${1 + (number % 30)}`),
  'search by words': (number) => {
    const text = `${words[number % 9]} ${words[(number * 7 + 3) % 9]}`;
    return list(1 + (number % 6), `&SearchKeyword=${encodeURIComponent(text)}`);
  },
  'one service': (number) => `/api/Service/GetService?serviceId=${1 + number * 150}`,
};

const rows = await largeCatalogue(10_000);
const catalogue = await openCatalogueFrom({ read: async () => rows, readVersion: async () => 1 });

/** `hasCache`: false makes every reply anew, as for an address that nobody asked for before. */
async function openServer(hasCache: boolean): Promise<number> {
  const server = fastify();
  server.decorateRequest('caller', undefined);
  const replies = openReplyCache();
  serveServices(
    {
      server,
      sessions: { findCaller: async () => undefined },
      replies: hasCache ? replies : { ...replies, find: () => undefined },
    } as unknown as AppContext,
    catalogue,
  );
  await server.listen({ host: '127.0.0.1', port: 0 });
  closers.push(() => server.close());
  return (server.server.address() as AddressInfo).port;
}

async function openBareServer(port: number, paths: readonly string[]): Promise<number> {
  const bytes = new Map<string, Buffer>();
  for (const path of paths)
    bytes.set(
      path,
      Buffer.from(
        await (
          await fetch(`http://127.0.0.1:${port}${path}`, {
            headers: { 'accept-language': 'ar-EG' },
          })
        ).arrayBuffer(),
      ),
    );
  const server: Server = createServer((request, reply) => {
    reply.setHeader('content-type', 'application/json; charset=utf-8');
    reply.end(bytes.get(request.url ?? ''));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

function load(port: number, paths: readonly string[]): Promise<number> {
  const work: Load = {
    port,
    seconds,
    workers: 32,
    calls: paths.map((path) => ({ group: 'all', path, weight: 1 })),
  };
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(new URL('load-generator.ts', import.meta.url)), {
      execArgv: ['--import', 'tsx'],
    });
    child.once('message', (result: LoadResult) => {
      child.disconnect();
      const all = result['all'];
      if (!all || all.failed > 0 || all.refused.length > 0)
        reject(new Error(JSON.stringify(all?.reasons)));
      resolve((all?.served.length ?? 0) / seconds);
    });
    child.send(work);
  });
}

const closers: (() => unknown)[] = [];
const table: Record<string, Record<string, string>> = {};
const [uncached, cached] = [await openServer(false), await openServer(true)];
for (const [name, pathOf] of Object.entries(kinds)) {
  const paths = Array.from({ length: addresses }, (_, number) => pathOf(number));
  const bare = await openBareServer(uncached, paths);
  const [bareRate, uncachedRate, cachedRate] = [
    await load(bare, paths),
    await load(uncached, paths),
    await load(cached, paths),
  ];
  table[name] = {
    'from memory, bare': bareRate.toFixed(0),
    'distinct addresses': `${uncachedRate.toFixed(0)} (${(uncachedRate / bareRate).toFixed(2)})`,
    'repeated addresses': `${cachedRate.toFixed(0)} (${(cachedRate / bareRate).toFixed(2)})`,
  };
}
console.table(table);
for (const close of closers) await close();
