import type { Readable } from 'node:stream';
import { checkPeriod } from '#features/ledger/ledger.actions.ts';
import { createTranslator } from '#platform/core/locale-texts.ts';
import type { Database } from '#platform/database/database.ts';
import { amountCell, dayCell, streamWorkbook, workbookType } from '#platform/files/workbook.ts';
import type { AppContext } from '#platform/http/context.ts';
import { serve } from '#platform/http/serve.ts';
import {
  exportVatReport,
  getVatReport,
  getVatReportLines,
  type VatReportRow,
} from '@diwan/contract/payments/vat-report';
import type { Language } from '@diwan/contract/wire/languages';
import { readLines, selectLines, selectReport, type VatPeriod } from './vat-report.store.ts';

const translate = createTranslator('vat-report');
const translateForms = createTranslator('forms');

/** The report and every line behind it as a workbook. */
function reportWorkbook(
  database: Database,
  rows: readonly VatReportRow[],
  { period, language }: { period: VatPeriod; language: Language },
): Readable {
  const t = (key: string) => translate(key, language);
  const emirateOf = (emirate: string | undefined) =>
    emirate ? translateForms(`emirates.${emirate}`, language) : t('unknownEmirate');
  return streamWorkbook(language, async (workbook) => {
    const summary = workbook.addSheet(t('title'), [28, 24, 18, 18, 18, 18, 18, 18], [t('title')]);
    summary.add(t('from'), dayCell(period.From));
    summary.add(t('until'), dayCell(period.Until));
    summary.addHeader(
      ...['emirate', 'category', 'supplies', 'vat', 'credited', 'creditedVat', 'net', 'netVat'].map(
        t,
      ),
    );
    for (const row of rows)
      summary.add(
        emirateOf(row.emirate),
        t(`categories.${row.category}`),
        ...[row.supplies, row.vat, row.credited, row.creditedVat].map(amountCell),
        amountCell(row.supplies - row.credited),
        amountCell(row.vat - row.creditedVat),
      );
    const lines = workbook.addSheet(
      t('lines'),
      [20, 12, 24, 34, 22, 22, 40, 16, 16],
      ['number', 'day', 'request', 'agency', 'emirate', 'category', 'what', 'amount', 'vat'].map(t),
    );
    for await (const found of readLines(database, language, period)) {
      for (const line of found)
        lines.add(
          line.number,
          dayCell(line.day),
          line.requestNumber,
          line.agencyName,
          emirateOf(line.emirate),
          t(`categories.${line.category}`),
          line.title,
          amountCell(line.amount),
          amountCell(line.vat),
        );
      await workbook.pause();
    }
  });
}

/** Figures for the VAT return, from the documents that were issued. Decision 0134. */
export function serveVatReport(context: AppContext): void {
  const { database, config } = context;
  serve(context, getVatReport, ({ query }) => {
    checkPeriod(query);
    return selectReport(database, query);
  });
  serve(context, getVatReportLines, async ({ query, language }) => {
    checkPeriod(query);
    return {
      ...(await selectLines(database, language, query)),
      pageNumber: query.PageNumber,
    };
  });
  serve(
    context,
    exportVatReport,
    async ({ query, reply, language }) => {
      checkPeriod(query);
      const rows = await selectReport(database, query);
      return reply
        .type(workbookType)
        .header('content-disposition', 'attachment; filename="vat-report.xlsx"')
        .send(reportWorkbook(database, rows, { period: query, language }));
    },
    { perMinute: config.DOCUMENT_CALLS_PER_MINUTE, perPerson: true, waitsElsewhere: true },
  );
}
