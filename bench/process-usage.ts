// The processor time and the memory of processes, as Linux counts them.
import { readdirSync, readFileSync } from 'node:fs';

const millisecondsOfTick = 10;

function readStat(pid: number): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the program may contain spaces.
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

const ticks = (stat: readonly string[], fields: readonly number[]) =>
  fields.reduce((sum, field) => sum + Number(stat[field] ?? 0), 0) * millisecondsOfTick;

/** The processor time of a process, in milliseconds. */
export const cpuOf = (pid: number): number => ticks(readStat(pid), [11, 12]);

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((child) => Number(readStat(child)[1]) === pid);
}

/** The processor time of a process and its children, ended ones included, in milliseconds. */
export const cpuOfFamily = (pid: number): number =>
  ticks(readStat(pid), [11, 12, 13, 14]) +
  childrenOf(pid).reduce((sum, child) => sum + cpuOf(child), 0);

const megabytesOf = (pid: number, file: string, field: string) => {
  try {
    const text = readFileSync(`/proc/${pid}/${file}`, 'latin1');
    return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
};

/** The memory of a process now and at most, in megabytes. */
export function memoryOf(pid: number): { now: number; most: number } {
  return {
    now: megabytesOf(pid, 'status', 'VmRSS'),
    most: megabytesOf(pid, 'status', 'VmHWM'),
  };
}

/** The memory of a process and its children; what they share counts once. */
export const memoryOfFamily = (pid: number): number =>
  [pid, ...childrenOf(pid)].reduce((sum, one) => sum + megabytesOf(one, 'smaps_rollup', 'Pss'), 0);
