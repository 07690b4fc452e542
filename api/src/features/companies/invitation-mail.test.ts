import { expect, it } from 'vitest';
import { languages } from '@diwan/contract/wire/languages';
import { invitationMail } from './invitation-mail.ts';

it('carries one address, whatever the names in it say', () => {
  const link = 'https://diwan.example/account/join?token=x';
  for (const language of languages) {
    const { subject, text } = invitationMail(language, {
      company: 'Noon.com Trading',
      person: 'See https://evil.example/pay\u202e now: www.evil.example a@b.example',
      link,
    });
    expect(`${subject} ${text}`.replace(link, '')).not.toMatch(/:\/\/|www\.|@|\w\.\w|\u202e/);
    expect(text).toContain(link);
    expect(subject).toContain('Noon com Trading');
  }
});
