import type { Language } from '@diwan/contract/wire/languages';
import { createTranslator } from '../platform/core/locale-texts.ts';
import { escapeHtml, page } from './sandbox-page.ts';

/** What goes wrong with a payment, as the visitor or the page of the switches chooses. */
export const faults = [
  'none',
  'threeDSecure',
  'messageLost',
  'messageDoubled',
  'messageLate',
  'messageFirst',
  'wrongAmount',
  'wrongCurrency',
  'chargedThenError',
  'chargedTwice',
  'reportedFailed',
  'authorisedOnly',
  'refundRefused',
] as const;
export type Fault = (typeof faults)[number];

const t = createTranslator('sandbox-payments');

interface ShownPayment {
  merchant_reference: string;
  amount: number;
  currency: string;
  description: string;
  language: string;
  status: string;
  is_3ds_passed: boolean;
}

const select = (chosen: string, say: (key: string) => string) =>
  faults
    .map((fault) => {
      const isChosen = fault === chosen ? ' selected' : '';
      return `<option value="${fault}"${isChosen}>${say(`faults.${fault}`)}</option>`;
    })
    .join('');

/** The page on which a visitor pays. `fault` is chosen beforehand. */
export function paymentPage(payment: ShownPayment, fault: Fault, back: string): string {
  const language = payment.language as Language;
  const say = (key: string) => escapeHtml(t(key, language));
  const amount = `${payment.currency} ${(payment.amount / 100).toFixed(2)}`;
  const pay = [
    `<dl><div><dt>${say('card')}</dt><dd><bdi dir="ltr">4000 0000 0000 1000</bdi></dd></div></dl>`,
    `<form method="post"><button name="decision" value="paid">${say('pay')}</button>`,
    `<button name="decision" value="declined">${say('decline')}</button>`,
    `<button name="decision" value="cancelled">${say('cancel')}</button>`,
    `<label class="fault">${say('fault')}<select name="fault">${select(fault, say)}</select></label>`,
    `</form><p class="note">${say('next')}</p>`,
  ].join('');
  const bank = [
    `<p>${say('bankStep')}</p><form method="post">`,
    `<button name="decision" value="verified">${say('confirm')}</button>`,
    `<button name="decision" value="declined">${say('decline')}</button></form>`,
  ].join('');
  const closed = `<p>${say('closed')}</p><p><a href="${escapeHtml(back)}">${say('back')}</a></p>`;
  const open = payment.is_3ds_passed ? bank : pay;
  const choices = payment.status === 'open' ? open : closed;
  const reference = `<bdi dir="ltr">${escapeHtml(payment.merchant_reference)}</bdi>`;
  const body = [
    `<div class="bar"><strong>${say('title')}</strong><small>${say('note')}</small></div><section>\n`,
    `<h1>${say('amount')}<br>`,
    `<bdi dir="ltr" class="amount">${escapeHtml(amount)}</bdi></h1>\n<dl>`,
    `<div><dt>${say('what')}</dt><dd>${escapeHtml(payment.description)}</dd></div>`,
    `<div><dt>${say('reference')}</dt><dd>${reference}</dd></div></dl>${choices}</section>`,
  ];
  return page(language, t('title', language), body.join(''));
}

interface Switches {
  account: string;
  is_slow: boolean;
  is_down: boolean;
  has_settlement_difference: boolean;
  fault: string;
}

/** The page of the switches, for testers, in English like the other pages for them. */
export function switchesPage(accounts: readonly Switches[]): string {
  const say = (key: string) => escapeHtml(t(key, 'en-US'));
  const box = (name: string, isOn: boolean) =>
    `<label><input type="checkbox" name="${name}"${isOn ? ' checked' : ''}> ${say(name)}</label>`;
  const forms = accounts.map((each) =>
    [
      `<section><h2>${escapeHtml(each.account)}</h2><form method="post">`,
      `<input type="hidden" name="account" value="${escapeHtml(each.account)}">`,
      box('is_slow', each.is_slow),
      box('is_down', each.is_down),
      box('has_settlement_difference', each.has_settlement_difference),
      `<label class="fault">${say('fault')}`,
      `<select name="fault">${select(each.fault, say)}</select></label>`,
      `<button value="approve">${say('save')}</button></form></section>`,
    ].join(''),
  );
  const title = t('switches', 'en-US');
  return page('en-US', title, `<h1>${escapeHtml(title)}</h1>${forms.join('<br>')}`);
}
