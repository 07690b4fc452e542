import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createTranslator,
  findOverriddenTexts,
  shippedTexts,
  textNouns,
  type NestedTexts,
} from '#platform/core/locale-texts.ts';
import { mailHtml } from '#platform/messages/mail-html.ts';
import { buildPortal } from '#testing/build-portal.ts';
import { openTestApp, type TestApp } from '#testing/test-app.ts';
import { listedPages } from '@diwan/contract/portal/page-list';
import { getPortalReadiness } from '@diwan/contract/portal/readiness';
import { languages, type Language } from '@diwan/contract/wire/languages';

// A portal in service: nothing that people see speaks of a demonstration.
const gateway = { SMS_GATEWAY_URL: 'https://sms.example', SMS_GATEWAY_KEY: 'k'.repeat(16) };
const payments = {
  PAYMENT_PROVIDER_URL: 'https://pay.example',
  PAYMENT_PROVIDER_KEY: 'k'.repeat(16),
  PAYMENT_PROVIDER_SECRET: 's'.repeat(16),
};
let app: TestApp;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'diwan-no-demo-'));
  await buildPortal(folder);
  await copyFile('web/public/configuration.json', join(folder, 'configuration.json'));
  app = await openTestApp({
    ...gateway,
    ...payments,
    PORTAL_DIR: folder,
    SANDBOX: 'off',
    SEED: 'none',
    PUBLIC_URL: 'https://services.sharjah.example',
    SMTP_URL: 'smtp://mail.example',
  });
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

const words: Record<Language, RegExp> = {
  'ar-EG': /ديوان|للعرض فقط|للعرض التوضيحي|نموذج توضيحي|مثال للتوضيح|نسخة تجريبية|مسار تجريبي/,
  'en-US': /\bdemo|diwan|example text|\+971 4 000/i,
  'ur-PK': /دیوان|مظاہر|ڈیمو|یہ نمونہ ہے|مثال کا متن|صرف نمونہ/,
};
const findDemoWords = (text: string) =>
  languages.flatMap((language) => words[language].exec(text)?.[0] ?? []);

// The texts of the sandboxes, and what a page or document adds where there is a sandbox.
const ofSandbox = new RegExp(
  '^(sandbox-\\w+|demonstration):|^(certificates:document\\.demo|invoices:document\\.demo(Note)?|' +
    '(ledger:statement\\.|closings:)demoNote|static:demonstration|' +
    'legal:facts\\.(processors\\.(mail|sms)Sandbox|seal\\.sandbox)|texts:nouns\\.(demonstration|sandbox-\\w+))$',
);

const flatten = (texts: NestedTexts, prefix: string): [key: string, text: string][] =>
  Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [[prefix + key, value] as [string, string]]
      : flatten(value, `${prefix}${key}.`),
  );

it('no text of a screen, mail or document does', async () => {
  await app.database.deleteFrom('portal_details').execute();
  await expect
    .poll(() => createTranslator('shell')('wordmark', 'en-US'), { timeout: 5000 })
    .toBe('Government services');
  const found = languages.flatMap((language) =>
    textNouns.flatMap((noun) =>
      flatten(
        findOverriddenTexts(language, noun) ?? shippedTexts(language, noun),
        `${noun}:`,
      ).flatMap(([key, text]) => {
        if (ofSandbox.test(key)) return [];
        const word = words[language].exec(text)?.[0];
        return word ? [`${language} ${key}: ${word}`] : [];
      }),
    ),
  );
  expect(found).toEqual([]);
  expect(findDemoWords(createTranslator('certificates')('document.demo', 'en-US'))).not.toEqual([]);
});

it('no page, manifest or configuration does', async () => {
  const pages = listedPages.flatMap(({ address }) =>
    languages.map((language) => `${address}?ln=${language}`),
  );
  for (const url of [...pages, '/manifest.webmanifest?ln=en-US', '/configuration.json']) {
    const { body } = await app.server.inject({
      url,
      headers: { host: 'services.sharjah.example', accept: 'text/html' },
    });
    expect([url, findDemoWords(body)]).toEqual([url, []]);
  }
  const { title } = (await app.server.inject({ url: '/openapi.json' })).json().info;
  expect(findDemoWords(title)).toEqual([]);
});

it('no mail does', () => {
  const messages = createTranslator('account-messages');
  for (const language of languages) {
    const subject = messages('passwordCode.subject', language);
    const text = messages('passwordCode.text', language);
    expect(findDemoWords(mailHtml({ language, subject, text }))).toEqual([]);
  }
});

it('what is missing before going live is listed', async () => {
  const { body } = await app.callAs('admin', getPortalReadiness, {});
  expect(body.done).toEqual(expect.arrayContaining(['paymentProvider', 'publicUrl', 'sandbox']));
  for (const name of ['name', 'support', 'logo', 'seller', 'seal', 'legalTexts'] as const)
    expect(body.done).not.toContain(name);
});
