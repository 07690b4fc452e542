import type { Language } from '@diwan/contract/wire/languages';
import { createTranslator } from '../platform/core/locale-texts.ts';
import { escapeHtml, page } from './sandbox-page.ts';

/**
 * A person of the sandbox. `claims` are the reply of its userinfo, in the form of UAE PASS. Every
 * number and address is made up. `personas.<id>` in sandbox-identity.json describes the person.
 */
interface Persona {
  id: string;
  claims: {
    sub: string;
    uuid: string;
    userType: 'SOP1' | 'SOP2' | 'SOP3';
    mobile: string;
    email: string;
    firstnameEN: string;
    lastnameEN: string;
  } & Record<string, string>;
}

function persona(
  number: number,
  id: string,
  claims: Omit<Persona['claims'], 'sub' | 'uuid'>,
): Persona {
  const uuid = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  return { id, claims: { sub: `UAEPASS/${uuid}`, uuid, ...claims } as Persona['claims'] };
}

/** The people whom a visitor can choose. */
export const personas: readonly Persona[] = [
  persona(1, 'sara', {
    userType: 'SOP2',
    fullnameEN: 'Sara,,,,Al Demo,,',
    fullnameAR: 'سارة,,,,العرض,,',
    firstnameEN: 'Sara',
    lastnameEN: 'Al Demo',
    firstnameAR: 'سارة',
    lastnameAR: 'العرض',
    idn: '784190000000084',
    mobile: '971500000008',
    email: 'individual@example.com',
    gender: 'Female',
    nationalityEN: 'JOR',
    nationalityAR: 'الأردن',
    idType: 'ID',
  }),
  persona(2, 'imran', {
    userType: 'SOP2',
    fullnameEN: 'Imran,Ahmed,,,Demo Siddiqui,,',
    fullnameAR: 'عمران,أحمد,,,صديقي العرض,,',
    firstnameEN: 'Imran',
    lastnameEN: 'Demo Siddiqui',
    firstnameAR: 'عمران',
    lastnameAR: 'صديقي العرض',
    idn: '784190000001017',
    mobile: '971500000101',
    email: 'imran@example.com',
    gender: 'Male',
    nationalityEN: 'PAK',
    nationalityAR: 'باكستان',
    idType: 'ID',
  }),
  persona(3, 'hessa', {
    userType: 'SOP3',
    fullnameEN: 'Hessa,Rashid,,,Al Demo,,',
    fullnameAR: 'حصة,راشد,,,العرض,,',
    firstnameEN: 'Hessa',
    lastnameEN: 'Al Demo',
    firstnameAR: 'حصة',
    lastnameAR: 'العرض',
    idn: '784190000001025',
    mobile: '971500000102',
    email: 'hessa@example.com',
    gender: 'Female',
    nationalityEN: 'ARE',
    nationalityAR: 'الإمارات العربية المتحدة',
    idType: 'ID',
  }),
  persona(4, 'mariam', {
    userType: 'SOP3',
    fullnameEN: 'Mariam,,,,Al Demo,,',
    fullnameAR: 'مريم,,,,العرض,,',
    firstnameEN: 'Mariam',
    lastnameEN: 'Al Demo',
    firstnameAR: 'مريم',
    lastnameAR: 'العرض',
    idn: '784190000000027',
    mobile: '971500000002',
    email: 'employee@example.com',
    gender: 'Female',
    nationalityEN: 'ARE',
    nationalityAR: 'الإمارات العربية المتحدة',
    idType: 'ID',
  }),
  // A basic account has neither Emirates ID nor Arabic names.
  persona(5, 'john', {
    userType: 'SOP1',
    firstnameEN: 'John',
    lastnameEN: 'Demo',
    mobile: '971500000103',
    email: 'john@example.com',
  }),
];

/** UAE PASS has no pages in Urdu. */
export type PageLanguage = Extract<Language, 'ar-EG' | 'en-US'>;

// The page has no Urdu, because UAE PASS has none.
const t = createTranslator('sandbox-identity');

// A basic account has no Arabic name.
function nameOf({ claims }: Persona, language: PageLanguage): string {
  return (
    language === 'ar-EG'
      ? [claims.firstnameAR ?? claims.firstnameEN, claims.lastnameAR ?? claims.lastnameEN]
      : [claims.firstnameEN, claims.lastnameEN]
  ).join(' ');
}

function bar(say: (key: string) => string): string {
  return `<div class="bar"><strong>${say('title')}</strong><small>${say('note')}</small></div>`;
}

function personaChoice(persona: Persona, isFirst: boolean, language: PageLanguage): string {
  const say = (key: string) => escapeHtml(t(key, language));
  const checked = isFirst ? ' checked' : '';
  const name = escapeHtml(nameOf(persona, language));
  const level = say(`levels.${persona.claims.userType}`);
  return [
    '<label class="persona">',
    `<input type="radio" name="persona" value="${persona.id}"${checked}>\n<span>`,
    `<strong><bdi>${name}</bdi></strong> <small class="level"><bdi>${level}</bdi></small><br>`,
    `<small class="note">${say(`personas.${persona.id}`)}</small></span></label>`,
  ].join('');
}

/** The page on which a visitor chooses a persona. The form is sent to `action`. */
export function choicePage(language: PageLanguage, action: string): string {
  const say = (key: string) => escapeHtml(t(key, language));
  const choices = personas
    .map((persona, index) => personaChoice(persona, index === 0, language))
    .join('');
  const buttons = ['approve', 'cancel', 'error']
    .map((decision) => `<button name="decision" value="${decision}">${say(decision)}</button>`)
    .join('');
  const body = [
    `${bar(say)}<section><form method="post" action="${escapeHtml(action)}">\n`,
    `<fieldset><legend><h1>${say('question')}</h1></legend>${choices}</fieldset>`,
    `<p class="note">${say('asks')}</p>\n${buttons}</form></section>`,
  ];
  return page(language, t('title', language), body.join(''));
}

/** The page after a sign-in that cannot continue, or after a sign-out. */
export function closingPage(
  language: PageLanguage,
  kind: 'wrong' | 'out',
  portalUrl: string,
): string {
  const say = (key: string) => escapeHtml(t(key, language));
  const note = kind === 'wrong' ? `<p>${say('wrongNote')}</p>` : '';
  const link = `<p><a href="${escapeHtml(portalUrl)}/">${say('back')}</a></p>`;
  const body = `${bar(say)}<section><h1>${say(kind)}</h1>${note}${link}</section>`;
  return page(language, t(kind, language), body);
}
