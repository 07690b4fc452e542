import { expect, it } from 'vitest';
import { languages } from '@diwan/contract/wire/languages';
import { writeInvitationMail } from './company-invitations.actions.ts';

it('contains no address but its link, whatever the names contain', () => {
  const link = 'https://diwan.example/account/join?token=x';
  for (const language of languages) {
    const { subject, text } = writeInvitationMail(language, {
      company: 'Noon.com Trading',
      person: 'See https://evil.example/pay\u202e now: www.evil.example a@b.example',
      link,
    });
    expect(`${subject} ${text}`.replace(link, '')).not.toMatch(/:\/\/|www\.|@|\w\.\w|\u202e/);
    expect(text).toContain(link);
    expect(subject).toContain('Noon com Trading');
  }
});
