import { printLogo } from '#features/services/logos/logos.actions.ts';
import { createTranslator } from '#platform/core/locale-texts.ts';
import { formatDirhams } from '#platform/core/localize.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { Database } from '#platform/database/database.ts';
import type { PdfMaker } from '#platform/pdf/make-pdf.ts';
import { timeInDubai } from '@diwan/contract/wire/days';
import type { Language } from '@diwan/contract/wire/languages';
import { findClosing } from './closings.store.ts';

const translate = createTranslator('closings');
const translateLedger = createTranslator('ledger');
const translateProvider = createTranslator('payment-desk');
const translateInvoice = createTranslator('invoices');

const labelNames = [
  'title',
  'operator',
  'period',
  'days',
  'entries',
  'askedBy',
  'confirmedBy',
  'closedAt',
  'account',
  'provider',
  'debits',
  'credits',
  'byAccount',
  'byProvider',
  'hash',
  'hashHint',
  'none',
  'demoNote',
] as const;

// A letter with a vowel sign would be extracted wrongly from a PDF.
const plain = (text: string): string => text.replace(/[\u064B-\u0652\u0670]/g, '');
// Without Intl, as amounts: the same closing has the same bytes.
const shownDay = (day: string): string => day.split('-').toReversed().join('/');

/** The sealed statement of days that were closed together. Throws NotFound. */
export async function makeClosingStatement(
  { database, pdf, isDemo }: { database: Database; pdf: Pick<PdfMaker, 'make'>; isDemo: boolean },
  id: number,
  language: Language,
): Promise<Buffer> {
  const closing = await findClosing(database, language, id);
  if (!closing?.content || !closing.decidedAt) throw new Refusal('NotFound');
  const { content, decidedAt } = closing;
  const [day = '', time = ''] = timeInDubai(decidedAt).split('T');
  const sums = ({ debits, credits }: { debits: number; credits: number }) => ({
    debits: formatDirhams(debits),
    credits: formatDirhams(credits),
  });
  return pdf.make({
    template: new URL('../../../templates/closing.typ', import.meta.url),
    createdAt: decidedAt,
    data: {
      language,
      isDemo,
      portalLogo: await printLogo(database, content.portalLogo),
      labels: Object.fromEntries(labelNames.map((name) => [name, translate(name, language)])),
      operatorName: plain(translateInvoice('document.operator', language)),
      from: shownDay(closing.from),
      until: shownDay(closing.until),
      days: String(content.days.length),
      entries: String(content.entries),
      askedBy: plain(closing.askedBy ?? translate('byPortal', language)),
      confirmedBy: plain(closing.decidedBy ?? ''),
      closedAt: `${shownDay(day)} ${time}`,
      hash: content.hash,
      accounts: content.accounts.map((row) => ({
        name: plain(translateLedger(`accounts.${row.account}`, language)),
        currency: row.currency,
        ...sums(row),
      })),
      providers: content.providers.map((row) => ({
        name: plain(translateLedger(`accounts.${row.account}`, language)),
        provider: translateProvider(`providers.${row.provider}`, language),
        currency: row.currency,
        ...sums(row),
      })),
    },
  });
}
