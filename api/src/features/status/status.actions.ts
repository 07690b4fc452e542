import { DatabaseUnavailable } from '#platform/database/database-failures.ts';
import type { Database } from '#platform/database/database.ts';
import {
  incidentDays,
  statusParts,
  type getStatus,
  type IncidentState,
  type StatusPart,
} from '@diwan/contract/content/status';
import type { ReplyOf } from '@diwan/contract/wire/call';
import * as store from './status.store.ts';

/** How often a process looks, in seconds. */
export const checkSeconds = 15;
// Longer than a restart of the database and than one lost answer.
const checksBeforeIncident = 2;
// Another process may still see what this one does not see any more.
const quietBeforeEndMs = 4 * checkSeconds * 1000;
// A part that fails again within this time has not worked in between: one incident, not a hundred.
const sameIncidentMinutes = 15;

/** The parts that do not work as usual now; undefined for one that this deployment does not have. */
export type Observation = ReadonlyMap<StatusPart, IncidentState>;

interface StatusOptions {
  database: Database;
  /** The parts of this deployment. */
  parts: readonly StatusPart[];
  observe(): Promise<Observation>;
  now?: () => Date;
}

/** What people see of the health of the portal, in memory. */
export interface Status {
  read(): ReplyOf<typeof getStatus>;
  /** Changes with what `read` returns. */
  version(): number;
  /** Looks at all parts, and tells and asks the other processes by the database. */
  check(): Promise<void>;
}

/** What several checks in a row have seen of a part. */
interface Streak extends store.Sighting {
  checks: number;
}

/** The incident that a process sees while it cannot write it. */
const toRow = ({ part, state, beganAt }: store.Sighting): store.IncidentRow => ({
  part,
  state,
  began_at: beganAt,
  ended_at: null,
});

function describeParts(parts: readonly StatusPart[], rows: readonly store.IncidentRow[]) {
  return parts.map((part) => {
    const own = rows.filter((row) => row.part === part);
    const open = own.find(({ ended_at: endedAt }) => endedAt === null);
    const since = open?.began_at ?? own[0]?.ended_at;
    return {
      part,
      state: open?.state ?? ('works' as const),
      since: since?.toISOString(),
    };
  });
}

/**
 * Opens the status of the portal. Each process looks for itself, and no process leads: an incident is
 * open while any of them sees it. While the database does not serve, the process shows what it sees,
 * and writes it afterwards.
 */
export async function openStatus({
  database,
  parts,
  observe,
  now = () => new Date(),
}: StatusOptions): Promise<Status> {
  const streaks = new Map<StatusPart, Streak>();
  // What is not written yet, because the database does not serve.
  const unwritten = new Map<StatusPart, store.Sighting>();
  let known: store.IncidentRow[] = [];
  let isComplete = true;
  let shown = '';
  let version = 0;

  const rows = (): store.IncidentRow[] => {
    const added = [...unwritten.values()].filter(
      ({ part }) => !known.some((row) => row.part === part && row.ended_at === null),
    );
    return [...added.map(toRow), ...known];
  };
  const read = () => ({
    parts: describeParts(parts, rows()),
    incidents: rows().map((row) => ({
      part: row.part,
      state: row.state,
      from: row.began_at.toISOString(),
      until: row.ended_at?.toISOString(),
    })),
    isComplete,
  });

  function note(observation: Observation, at: Date): void {
    for (const part of statusParts) {
      const state = observation.get(part);
      if (!state) {
        streaks.delete(part);
        continue;
      }
      const before = streaks.get(part);
      const streak = {
        part,
        state,
        beganAt: before?.beganAt ?? at,
        seenAt: at,
        checks: (before?.checks ?? 0) + 1,
      };
      streaks.set(part, streak);
      if (streak.checks >= checksBeforeIncident) unwritten.set(part, streak);
    }
  }

  async function share(at: Date): Promise<void> {
    try {
      if (unwritten.size > 0)
        await store.recordSightings(database, [...unwritten.values()], sameIncidentMinutes);
      unwritten.clear();
      await store.endUnseen(database, new Date(at.getTime() - quietBeforeEndMs));
      known = await store.selectIncidents(
        database,
        new Date(at.getTime() - incidentDays * 86_400_000),
      );
      isComplete = true;
    } catch (error) {
      isComplete = false;
      if (!(error instanceof DatabaseUnavailable)) throw error;
    }
  }

  async function check(): Promise<void> {
    const at = now();
    try {
      note(await observe(), at);
      await share(at);
    } finally {
      const next = JSON.stringify(read());
      if (next !== shown) version += 1;
      shown = next;
    }
  }

  await share(now());
  shown = JSON.stringify(read());
  return { read, version: () => version, check };
}
