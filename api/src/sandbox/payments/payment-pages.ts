import { createTranslator } from '#platform/core/locale-texts.ts';
import { formatAmount } from '#platform/core/localize.ts';
import type { Language } from '@diwan/contract/wire/languages';
import { escapeHtml, page } from '../sandbox-page.ts';
import {
  accounts,
  faults,
  type Fault,
  type PaymentJournal,
  type SandboxPayment,
  type SandboxSwitches,
} from './payment-journal.ts';

const t = createTranslator('sandbox-payments');

/** The number in the card's field. Every number with a right check digit is accepted. */
export const testCard = '4000 0000 0000 1000';

/** The account in the field of a payment from a bank account; it is not checked. */
const testAccount = 'AE07 0331 2345 6789 0123 456';

const select = (chosen: string, say: (key: string) => string) =>
  faults
    .map((fault) => {
      const isChosen = fault === chosen ? ' selected' : '';
      return `<option value="${fault}"${isChosen}>${say(`faults.${fault}`)}</option>`;
    })
    .join('');

/** An amount in the form of the language: dirhams as the portal writes them. */
const amountOf = (
  { amount, currency }: { amount: number; currency: string },
  language: Language = 'en-US',
) =>
  currency === 'AED'
    ? formatAmount(amount, language)
    : new Intl.NumberFormat(`${language}-u-nu-latn`, { style: 'currency', currency }).format(
        amount / 100,
      );

interface CardField {
  name: string;
  label: string;
  value: string;
  error?: string;
}

function cardField({ name, label, value, error }: CardField): string {
  const state = error ? ` aria-invalid="true" aria-describedby="${name}-error"` : '';
  return [
    `<label class="card">${label}`,
    ...(error ? [`<strong class="error" id="${name}-error">${error}</strong>`] : []),
    `<input name="${name}" dir="ltr" inputmode="numeric" autocomplete="off" required`,
    ` maxlength="40" value="${value}"${state}></label>`,
  ].join('');
}

interface PageState {
  /** What the page of the switches chose beforehand. */
  fault: Fault;
  /** The address of the portal's return page. */
  back: string;
  hasCardError: boolean;
}

/** The page on which a visitor pays, in the language of the order. */
export function paymentPage(payment: SandboxPayment, state: PageState): string {
  const { language, merchantReference, status, isAtBank } = payment;
  const say = (key: string) => escapeHtml(t(key, language));
  const cardError = state.hasCardError ? { error: say('cardError') } : {};
  const account = { name: 'account', label: say('account'), value: testAccount };
  const card = [
    cardField({ name: 'cardNumber', label: say('cardNumber'), value: testCard, ...cardError }),
    '<div class="two">',
    cardField({ name: 'expiry', label: say('expiry'), value: '12/30' }),
    cardField({ name: 'securityCode', label: say('securityCode'), value: '123' }),
    '</div>',
  ];
  const pay = [
    '<form method="post">',
    ...(payment.method === 'bankAccount' ? [cardField(account)] : card),
    `<button name="decision" value="paid">${say('pay')}</button>`,
    `<button name="decision" value="declined" formnovalidate>${say('decline')}</button>`,
    `<button name="decision" value="cancelled" formnovalidate>${say('cancel')}</button>`,
    `<label class="fault">${say('fault')}`,
    `<select name="fault">${select(state.fault, say)}</select></label>`,
    `</form><p class="note">${say('next')}</p>`,
  ].join('');
  const bank = [
    `<p>${say('bankStep')}</p><form method="post">`,
    `<button name="decision" value="verified">${say('confirm')}</button>`,
    `<button name="decision" value="declined">${say('decline')}</button></form>`,
  ].join('');
  const back = `<a href="${escapeHtml(state.back)}">${say('back')}</a>`;
  const closed = `<p>${say('closed')}</p><p>${back}</p>`;
  const open = isAtBank ? bank : pay;
  const choices = status === 'open' ? open : closed;
  const reference = `<bdi dir="ltr">${escapeHtml(merchantReference)}</bdi>`;
  const body = [
    `<div class="bar"><strong>${say('title')}</strong><small>${say('note')}</small></div><section>\n`,
    `<h1>${say('amount')}<br>`,
    `<bdi class="amount">${escapeHtml(amountOf(payment, language))}</bdi></h1>\n<dl>`,
    `<div><dt>${say('what')}</dt><dd>${escapeHtml(payment.description)}</dd></div>`,
    `<div><dt>${say('reference')}</dt><dd>${reference}</dd></div></dl>${choices}</section>`,
  ];
  return page(language, t('title', language), body.join(''));
}

function switchesForm(switches: SandboxSwitches, say: (key: string) => string): string {
  const box = (name: 'isSlow' | 'isDown' | 'hasSettlementDifference') =>
    `<label><input type="checkbox" name="${name}"${switches[name] ? ' checked' : ''}> ${say(name)}</label>`;
  return [
    `<section><h2>${say(`accounts.${switches.account}`)}</h2>`,
    '<form method="post" action="/switches">',
    `<input type="hidden" name="account" value="${switches.account}">`,
    box('isSlow'),
    box('isDown'),
    box('hasSettlementDifference'),
    `<label class="fault">${say('fault')}`,
    `<select name="fault">${select(switches.fault, say)}</select></label>`,
    `<button value="approve">${say('save')}</button></form></section>`,
  ].join('');
}

const shownPayments = 50;

function paymentItem(payment: SandboxPayment, say: (key: string) => string): string {
  const { account, providerReference, merchantReference, events, refunds } = payment;
  const lines = [
    ...events.map((event) => `${say(`events.${event.kind}`)} ${amountOf(event)}`),
    ...refunds.map((refund) => `${say(`refunds.${refund.state}`)} ${amountOf(refund)}`),
  ];
  const items = lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('');
  return [
    `<li><h2><a href="/pay/${providerReference}">${escapeHtml(merchantReference)}</a></h2>`,
    `<p>${say(`accounts.${account}`)}, ${escapeHtml(amountOf(payment))}</p>`,
    `<ul>${items || `<li>${say('events.none')}</li>`}</ul></li>`,
  ].join('');
}

/** The switches and the newest payments, for testers, in English like the other pages for them. */
export function providerPage(journal: PaymentJournal): string {
  const say = (key: string) => escapeHtml(t(key, 'en-US'));
  const forms = accounts.map((account) => switchesForm(journal.switchesOf(account), say));
  const newest = journal.payments().slice(-shownPayments).toReversed();
  const items = newest.map((payment) => paymentItem(payment, say)).join('');
  return page(
    'en-US',
    t('switches', 'en-US'),
    [
      `<h1>${say('switches')}</h1>${forms.join('<br>')}<h1>${say('payments')}</h1>`,
      items ? `<ul class="messages">${items}</ul>` : `<p>${say('noPayments')}</p>`,
    ].join(''),
  );
}
