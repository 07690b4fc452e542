import { z } from 'zod';
import { emirates } from '../forms/emirates.ts';
import { defineCall, moneyReaders } from '../wire/call.ts';
import { recordIdInAddress } from '../wire/ids.ts';
import { vatCategories } from '../wire/money.ts';
import { pageNumber, pageOf, take } from '../wire/paging.ts';

const day = z.iso.date();
/** Days of supply, both included; only what the operator, or the agency of this id, sold. */
const period = {
  From: day,
  Until: day,
  Seller: z.union([z.literal('operator'), recordIdInAddress]).optional(),
};

/**
 * What was supplied in a period in an emirate and a category, in fils. Credit notes are what refunds
 * took back; `supplies` and `vat` are without them. Without `emirate` no document says where.
 */
export const vatReportRow = z.object({
  emirate: z.enum(emirates).optional(),
  category: z.enum(vatCategories),
  supplies: z.int(),
  vat: z.int(),
  credited: z.int(),
  creditedVat: z.int(),
  /** Lines of invoices and credit notes. */
  lines: z.int(),
});
export type VatReportRow = z.infer<typeof vatReportRow>;

/** A line of an invoice or a credit note; amounts of a credit note are negative. */
export const vatReportLine = z.object({
  number: z.string(),
  /** Its place in the document, from 1. */
  line: z.int(),
  day: z.string(),
  requestNumber: z.string(),
  agencyName: z.string(),
  emirate: z.enum(emirates).optional(),
  title: z.string(),
  category: z.enum(vatCategories),
  amount: z.int(),
  vat: z.int(),
});
export type VatReportLine = z.infer<typeof vatReportLine>;

/** Our own calls: figures for the VAT return, from the documents that were issued. */
export const getVatReport = defineCall({
  name: 'getVatReport',
  method: 'GET',
  mayLag: true,
  path: '/api/Invoice/GetVatReport',
  who: moneyReaders,
  summary: 'Supplies, VAT and credit notes of a period by emirate and category, for the VAT return',
  query: z.object(period),
  reply: z.array(vatReportRow),
  refusals: ['StatementPeriodWrong'],
});

export const getVatReportLines = defineCall({
  name: 'getVatReportLines',
  method: 'GET',
  mayLag: true,
  path: '/api/Invoice/GetVatReportLines',
  who: moneyReaders,
  summary: 'The lines of invoices and credit notes behind a row of the VAT report',
  query: z.object({
    ...period,
    /** `none`: those of which no document says where. */
    Emirate: z.enum([...emirates, 'none']),
    Category: z.enum(vatCategories),
    PageNumber: pageNumber,
    Take: take,
  }),
  reply: pageOf(vatReportLine),
  refusals: ['StatementPeriodWrong'],
});

export const exportVatReport = defineCall({
  name: 'exportVatReport',
  method: 'GET',
  mayLag: true,
  path: '/api/Invoice/ExportVatReport',
  who: moneyReaders,
  summary: 'The VAT report of a period as a workbook, with every line',
  query: z.object(period),
  reply: 'file',
  isExport: true,
  refusals: ['StatementPeriodWrong'],
});
