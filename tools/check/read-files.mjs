// Reads the files of the repository that checks look at.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The text of a file, with the ends of lines that the repository has. */
export const readText = (path) => readFileSync(path, 'utf8').replaceAll('\r\n', '\n');

/**
 * The files of the repository that match patterns of Git, committed or not, without those that it
 * ignores. Paths are from the root.
 */
export const listFiles = (root, patterns) =>
  spawnSync('git', ['ls-files', '-co', '--exclude-standard', '--', ...patterns], {
    cwd: root,
    encoding: 'utf8',
  })
    .stdout.split('\n')
    .filter((file) => file && existsSync(join(root, file)));

/** The texts of the files that match patterns of Git: path -> text. */
export const readFiles = (root, patterns) =>
  new Map(listFiles(root, patterns).map((file) => [file, readText(join(root, file))]));
