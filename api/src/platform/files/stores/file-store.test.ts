import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readConfig } from '#config.ts';
import { testFileStore } from '#testing/storage/file-store-contract.ts';
import { storageOrigins } from '../open-file-store.ts';
import { openFolderStore } from './file-store-folder.ts';

const folder = await mkdtemp(join(tmpdir(), 'diwan-files-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

testFileStore('a folder', async () => openFolderStore(folder));

it.each([
  [
    'DefaultEndpointsProtocol=https;AccountName=diwan;AccountKey=a2V5;EndpointSuffix=core.windows.net',
    'https://diwan.blob.core.windows.net',
  ],
  [
    'AccountName=devstoreaccount1;AccountKey=a2V5==;BlobEndpoint=http://127.0.0.1:10000/devstoreaccount1',
    'http://127.0.0.1:10000',
  ],
])('storageOrigins of %s', (setting, origin) =>
  expect(storageOrigins(readConfig({ AZURE_STORAGE_CONNECTION_STRING: setting }))).toEqual([
    origin,
  ]),
);
