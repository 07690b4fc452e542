import type { openScheduler } from '#platform/core/scheduler.ts';
import type { Database } from '#platform/database/database.ts';
import { sql } from '#platform/database/sql.ts';
import { callKeyHeader, type Call, type Role } from '@diwan/contract/wire/call';
import { openTestApp, type TestApp } from '../test-app.ts';
import { storeAccounts, type Parts, type Person, type WellFormed } from './call.ts';
import { wellFormedCalls } from './calls.ts';

const rolesOf: Record<Person, readonly Role[]> = {
  anonymous: [],
  individual: ['Client'],
  individual2: ['Client'],
  company: ['CompanyUser'],
  company2: ['CompanyUser'],
  employee: ['Employee'],
  'employee-moi': ['Employee'],
  supervisor: ['ServiceProvider'],
  supervisor2: ['ServiceProvider'],
  admin: ['Admin'],
  finance: ['Finance'],
  content: ['Content'],
  auditor: ['Auditor'],
  'agency-rta': ['AgencyAdmin'],
  'agency-moi': ['AgencyAdmin'],
};

export interface RoleStage {
  app: TestApp;
  calls: Record<string, WellFormed>;
  person(name: Person): { roles: readonly Role[] };
  /** Makes a call as a user, over HTTP; `body` is the text of the reply. */
  send(
    call: Call,
    as: Person,
    parts: Parts,
  ): Promise<{ status: number; error: string | undefined; body: string }>;
  /** Restores all accounts. */
  restore(): Promise<void>;
  requireSecondFactor(role: Role): Promise<void>;
}

/**
 * An app in which every call can be made as every user, one after the other. `openJobs`
 * and `settings`: see `openTestApp`.
 */
export async function openRoleStage(
  openJobs?: typeof openScheduler,
  standby?: Database,
  settings: Record<string, string> = {},
): Promise<RoleStage> {
  const app = await openTestApp(
    {
      VERIFICATION_CODES_PER_DAY: '100000',
      // The periodic check of open payments writes to their rows, which tests compare.
      PAYMENT_CHECK_SECONDS: '86400',
      ...settings,
    },
    openJobs,
    standby,
  );
  // The records of the calls are of many agencies.
  await sql`
    insert into staff_agencies (user_id, agency_id)
    select users.id, agencies.id
    from users, agencies
    where username = 'agency-rta'
      and agencies.slug <> 'ministry-of-interior'
    on conflict do nothing`.execute(app.database);
  return {
    app,
    calls: wellFormedCalls(app),
    person: (name) => ({ roles: rolesOf[name] }),
    async send(call, as, { params = {}, query = {}, body, cookie, key }) {
      const response = await app.server.inject({
        method: call.method,
        url: call.path.replace(/\{(\w+)\}/g, (_, key: string) =>
          encodeURIComponent(String(params[key])),
        ),
        query: Object.fromEntries(
          Object.entries(query).map(([key, value]) => [key, String(value)]),
        ),
        headers: {
          'accept-language': 'en-US',
          ...(as === 'anonymous' ? {} : { authorization: `Bearer ${await app.signIn(as)}` }),
          ...(cookie ? { cookie } : {}),
          ...(key ? { [callKeyHeader]: key } : {}),
          ...(Buffer.isBuffer(body) ? { 'content-type': 'application/octet-stream' } : {}),
        },
        ...(body === undefined ? {} : { payload: body }),
      });
      const isJson = /\bjson\b/.test(String(response.headers['content-type'] ?? ''));
      return {
        status: response.statusCode,
        error: isJson ? (response.json() as { error?: string } | null)?.error : undefined,
        body: response.body,
      };
    },
    restore: await storeAccounts(app.database),
    async requireSecondFactor(role) {
      await app.database
        .insertInto('settings')
        .values({ name: 'secondFactorRoles', value: JSON.stringify([role]) })
        .execute();
    },
  };
}
