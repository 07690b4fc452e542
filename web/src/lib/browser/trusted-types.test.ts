import { expect, it, vi } from 'vitest';
import { installDefaultPolicy, trustBotCheckScript } from './trusted-types.ts';

interface Rules {
  createHTML?: (html: string) => string | null;
  createScriptURL: (url: string) => string | null;
}
const policies = new Map<string, Rules>();
vi.stubGlobal('window', {
  location: new URL('https://portal.example/home'),
  trustedTypes: {
    createPolicy: (name: string, rules: Rules) => {
      if (policies.has(name)) throw new TypeError(`${name} exists`);
      policies.set(name, rules);
      return { createScriptURL: (url: string) => `trusted ${rules.createScriptURL(url)}` };
    },
  },
});

it('allows libraries to empty an element and to start our own script, and nothing else', () => {
  installDefaultPolicy();
  const policy = policies.get('default');
  expect(policy?.createHTML?.('')).toBe('');
  expect(policy?.createHTML?.('<b>x</b>')).toBeNull();
  expect(policy?.createScriptURL('/assets/pdf.worker.js')).toBe('/assets/pdf.worker.js');
  for (const url of ['https://other.example/a.js', '//other.example/a.js', 'data:,x', 'blob:x'])
    expect(policy?.createScriptURL(url), url).toBeNull();
});

it('makes the policy of the bot check once', () => {
  for (let attempt = 0; attempt < 2; attempt += 1)
    expect(trustBotCheckScript('https://check.example/a.js')).toBe(
      'trusted https://check.example/a.js',
    );
});
