import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { dayAfter, todayInDubai } from '@diwan/contract/wire/days';
import * as store from './sandbox-fines.store.ts';
import { isAuthorized, type SandboxOptions } from './sandbox-options.ts';
import { escapeHtml, page } from './sandbox-page.ts';

const search = z.object({ foundBy: z.record(z.string(), z.union([z.string(), z.number()])) });
const payment = z.object({ number: z.string(), amount: z.int(), reference: z.string() });
const paidElsewhere = z.object({ register: z.string().min(1), number: z.string().min(1) });

interface Texts {
  ar: string;
  en: string;
  ur: string;
}
const readDemo = async (name: string): Promise<unknown> =>
  JSON.parse(await readFile(new URL(`../../seed/${name}`, import.meta.url), 'utf8'));
const places = (await readDemo('fine-places.json')) as Texts[];
/** What is late in a register, and what each month costs, in fils. */
const lateness = (await readDemo('late-fines.json')) as Record<string, Texts & { amount: number }>;

const digest = (text: string) => createHash('sha256').update(text).digest();

/** The last digits of the last key by name, without the agency, which all keys have. */
function digitsOf(foundBy: Readonly<Record<string, string | number>>) {
  const { agency: _agency, ...keys } = foundBy;
  const entries = Object.entries(keys).toSorted(([one], [other]) => one.localeCompare(other));
  const [, tens, units] = /(\d?)(\d)\D*$/.exec(String(entries.at(-1)?.[1])) ?? [];
  return { keys: JSON.stringify(entries), tens: Number(tens), units: Number(units ?? 0) };
}

/**
 * The fines of a plate, always the same: as many as the last digit leaves after a division by four, so
 * that the plate 4120 owes nothing and 4123 three parking fines. Other registers know only numbers with a
 * 9 before that digit: a renewal of the plate 4123 owes nothing, that of 4193 three traffic fines, and a
 * licence 10093 is three months late.
 */
function finesOf(register: string, foundBy: Readonly<Record<string, string | number>>) {
  const { keys, tens, units } = digitsOf(foundBy);
  const isKnown = register === 'rtaParking' || tens === 9;
  const count = isKnown ? units % 4 : 0;
  const late = lateness[register];
  if (late) {
    const { amount, ...place } = late;
    const number = `LF${(digest(`${register} ${keys}`).readUInt32BE(0) % 900_000_000) + 100_000_000}`;
    const on = dayAfter(todayInDubai(), -30 * count);
    return count === 0 ? [] : [{ number, place, on, amount: amount * count }];
  }
  return Array.from({ length: count }, (_, index) => {
    const bytes = digest(`${register} ${keys} ${index}`);
    return {
      number: `PF${(bytes.readUInt32BE(0) % 900_000_000) + 100_000_000}`,
      place: places[bytes.readUInt8(4) % places.length],
      on: dayAfter('2025-01-01', bytes.readUInt16BE(6) % 365),
      amount: 15_000 + 5_000 * (bytes.readUInt8(5) % 4),
    };
  });
}

/** The sandbox of the registers of fines: their calls, and a page to pay elsewhere and to switch them off. */
export function serveFines(server: FastifyInstance, { database, key }: SandboxOptions): void {
  let isDown = false;

  const refuse = (request: FastifyRequest, reply: FastifyReply) =>
    isAuthorized(request.headers.authorization, key)
      ? isDown && reply.status(503).send({})
      : reply.status(401).send({});

  server.post<{ Params: { register: string } }>(
    '/registers/:register/search',
    async (request, reply) => {
      const refused = refuse(request, reply);
      if (refused) return refused;
      const given = search.safeParse(request.body);
      if (!given.success) return reply.status(400).send({});
      const { register } = request.params;
      const settled = await store.selectSettled(database, register);
      const fines = finesOf(register, given.data.foundBy).filter(
        ({ number }) => !settled.some((each) => each.number === number),
      );
      return { fines };
    },
  );

  server.post<{ Params: { register: string } }>(
    '/registers/:register/payments',
    async (request, reply) => {
      const refused = refuse(request, reply);
      if (refused) return refused;
      const given = payment.safeParse(request.body);
      const idempotencyKey = request.headers['idempotency-key'];
      if (!given.success || typeof idempotencyKey !== 'string') return reply.status(400).send({});
      const { number } = given.data;
      const { register } = request.params;
      const answer = await store.settleFine(database, { key: idempotencyKey, register, number });
      return reply.status(answer === 'settled' ? 200 : 409).send({ answer });
    },
  );

  server.get('/registers', async (_request, reply) => {
    const settled = await store.selectSettled(database);
    const items = settled.map(
      ({ register, number }) => `<li>${escapeHtml(register)}: ${escapeHtml(number)}</li>`,
    );
    const body = [
      '<section><h1>Registers of fines</h1>',
      '<p class="note">Parking: the last digit of a plate, divided by four, leaves as many fines. ',
      'All others: a number that ends in 91, 92 or 93 owes for one, two or three.</p>',
      `<form method="post" action="/registers/state"><button name="down" value="${isDown ? '' : 'yes'}">`,
      isDown ? 'Switch them on' : 'Switch them off',
      '</button></form><form method="post" action="/registers/elsewhere">',
      '<label>Register <input name="register" value="rtaParking" required></label>',
      '<label>Number <input name="number" required></label>',
      '<button>Pay elsewhere</button></form>',
      `<h2>Paid</h2><ul>${items.join('')}</ul></section>`,
    ];
    return reply.type('text/html').send(page('en-US', 'Registers of fines', body.join('')));
  });
  server.post('/registers/state', (request, reply) => {
    isDown = (request.body as { down?: string } | null)?.down === 'yes';
    return reply.redirect('/registers', 303);
  });
  server.post('/registers/elsewhere', async (request, reply) => {
    const given = paidElsewhere.safeParse(request.body);
    if (given.success)
      await store.settleFine(database, { key: `elsewhere:${given.data.number}`, ...given.data });
    return reply.redirect('/registers', 303);
  });
}
