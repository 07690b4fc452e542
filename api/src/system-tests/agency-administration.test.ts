import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { allCalls } from '@diwan/contract/all-calls';
import * as designs from '@diwan/contract/catalogue/service-designs';
import type { CatalogueJob } from '@diwan/contract/catalogue/transfer';
import { changeUserRoles } from '@diwan/contract/staff/user-administration';
import type { Call } from '@diwan/contract/wire/call';
import { openRoleStage, type RoleStage } from '../testing/well-formed/role-stage.ts';

let stage: RoleStage;
beforeAll(async () => {
  stage = await openRoleStage();
});
afterAll(() => stage.app.close());

const replies = allCalls.filter((call: Call) => call.byAgency === 'reply');

/** Makes records of an agency that `agency-moi` does not administer, for the lists that the demo leaves empty. */
async function fillLists(): Promise<void> {
  for (const row of [
    'restoreService',
    'decidePublication',
    'cancelStaffInvitation',
    'saveRejectionReason',
    'saveSynonyms',
    'removeSearchQuestion',
  ])
    await stage.calls[row]?.make('admin');
  await sql`
    insert into search_terms (day, language, text, searches, results)
    values (current_date, 'en-US', 'qqzz', 9, 0)`.execute(stage.app.database);
  for (const row of ['closeService', 'saveCertificateTemplate']) {
    const call = allCalls.find(({ name }) => name === row) as Call;
    const parts = (await stage.calls[row]?.make('admin')) ?? {};
    expect((await stage.send(call, 'admin', parts)).status, row).toBe(200);
  }
}

/** What a reply holds: JSON, or a file with a JSON text a line. */
function readReply(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as unknown);
  }
}

// A day or a status without requests is in every report.
const isNothing = (item: unknown) => {
  const { day, statusId, ...figures } = item as Record<string, unknown>;
  return (
    (day !== undefined || statusId !== undefined) &&
    Object.values(figures).every((value) => typeof value !== 'number' || value === 0)
  );
};

/** Every item of the lists in a reply. */
function itemsOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.filter((item) => !isNothing(item));
  if (typeof value !== 'object' || value === null) return [];
  // Agencies see the calendar of the portal, from which theirs differ.
  return Object.entries(value).flatMap(([name, part]) => (name === 'portal' ? [] : itemsOf(part)));
}

describe('the lists of an agency administrator', () => {
  beforeAll(fillLists);

  it.each(replies.map((call: Call) => [call.name, call] as const))(
    '%s has nothing for an administrator without agencies',
    async (name, call) => {
      await sql`
        delete from staff_agencies
        where user_id = ${await stage.app.idOf('agency-moi')}`.execute(stage.app.database);
      const parts = (await stage.calls[name]?.make('admin')) ?? {};
      const read = async (person: 'admin' | 'agency-rta' | 'agency-moi') => {
        const { status, body } = await stage.send(call, person, parts);
        expect(status, `${name} by ${person}`).toBe(200);
        return itemsOf(readReply(body));
      };
      // The attempt is meaningful: the lists have items for others.
      expect(await read('admin'), 'nothing to leave out').not.toEqual([]);
      expect(await read('agency-rta'), 'nothing of their own').not.toEqual([]);
      expect(await read('agency-moi')).toEqual([]);
    },
  );
});

describe('a file of an agency administrator', () => {
  const files = allCalls.filter((call: Call) => call.byAgency === 'rows');

  it.each(files.map((call: Call) => [call.name, call] as const))(
    '%s changes nothing of another agency',
    async (name, call) => {
      const parts = (await stage.calls[name]?.make('admin')) ?? {};
      const read = async (person: 'agency-rta' | 'agency-moi') =>
        JSON.parse((await stage.send(call, person, parts)).body) as CatalogueJob;
      // The attempt is meaningful: the file changes something for who administers the agency.
      expect(await read('agency-rta')).toMatchObject({ state: 'ready', changesCount: 1 });
      expect(await read('agency-moi')).toMatchObject({ state: 'refused', changesCount: 0 });
    },
  );
});

describe('a service that an agency administrator saves', () => {
  const agencyOf = async (slug: string) =>
    (
      await stage.app.database
        .selectFrom('agencies')
        .select('id')
        .where('slug', '=', slug)
        .executeTakeFirstOrThrow()
    ).id;

  it('begins at the only agency of its administrator, and stays there', async () => {
    const moi = await agencyOf('ministry-of-interior');
    await sql`
      insert into staff_agencies (user_id, agency_id)
      values (${await stage.app.idOf('agency-moi')}, ${moi})
      on conflict do nothing`.execute(stage.app.database);
    const { body: begun } = await stage.app.callAs('agency-moi', designs.createServiceDraft, {
      body: { template: 'blank' },
    });
    const { serviceId } = begun;
    const { body: design } = await stage.app.callAs('agency-moi', designs.getServiceDesign, {
      query: { serviceId },
    });
    expect(design.document.agencyId).toBe(moi);
    for (const agencyId of [null, moi === 1 ? 2 : 1]) {
      const moved = JSON.stringify({ ...design.document, agencyId });
      const { status, refused } = await stage.app.callAs('agency-moi', designs.saveServiceDraft, {
        body: { serviceId, version: design.version, document: moved },
      });
      expect([status, Object.keys(refused.errors ?? {})]).toEqual([400, ['document.agencyId']]);
    }
    // The portal's administrator moves it; from then on it is unknown to the former one.
    const away = { ...design.document, agencyId: moi === 1 ? 2 : 1 };
    await stage.app.callAs('admin', designs.saveServiceDraft, {
      body: { serviceId, version: design.version, document: JSON.stringify(away) },
    });
    const { status, refused } = await stage.app.callAs('agency-moi', designs.saveServiceDraft, {
      body: { serviceId, version: design.version + 1, document: JSON.stringify(design.document) },
    });
    expect([status, refused.error]).toEqual([404, 'ServiceNotFound']);
  });

  it('asks an administrator of several agencies for which it is', async () => {
    const create = (agencyId?: number) =>
      stage.app.callAs('agency-rta', designs.createServiceDraft, {
        body: { template: 'blank', ...(agencyId === undefined ? {} : { agencyId }) },
      });
    const { status, refused } = await create();
    expect([status, Object.keys(refused.errors ?? {})]).toEqual([400, ['document.agencyId']]);
    expect((await create(1)).status).toBe(200);
    const foreign = await create(await agencyOf('ministry-of-interior'));
    expect([foreign.status, foreign.refused.error]).toEqual([404, 'NotFound']);
  });
});

describe('the second person for fees', () => {
  const decide = async (as: 'agency-rta' | 'agency-moi') => {
    const parts = await stage.calls['decidePublication']?.make('admin');
    const body = { ...(parts?.body as { serviceId: number; id: number }), isConfirmed: true };
    const { status, refused } = await stage.app.callAs(as, designs.decidePublication, { body });
    return status === 200 ? 'confirmed' : refused.error;
  };
  const giveRoles = async (roles: ('AgencyAdmin' | 'Employee')[]) => {
    const userId = await stage.app.idOf('agency-rta');
    const { version } = await stage.app.database
      .selectFrom('users')
      .select('version')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow();
    const body = { userId, version, roles };
    expect((await stage.app.callAs('admin', changeUserRoles, { body })).status).toBe(200);
  };

  it('is an administrator of the agency of the service, and not one who was just made one', async () => {
    expect(await decide('agency-rta')).toBe('confirmed');
    expect(await decide('agency-moi')).toBe('ServiceNotFound');
    await giveRoles(['Employee']);
    await giveRoles(['AgencyAdmin']);
    expect(await decide('agency-rta')).toBe('SecondPersonNotIndependent');
    await stage.restore();
  });
});
