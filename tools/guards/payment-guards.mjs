import { at } from './guard.mjs';

const pdf = at('platform/pdf');
const certificates = at('features/certificates');
const payments = at('features/payments');
const hostileTest = 'features/requests/actions/hostile-actions';
const certificatesTest = 'features/certificates/certificates';
const sealTest = 'platform/pdf/sealed-pdfs';
const settlement = at('features/payments/settlement');
const ledger = at('features/ledger');
const settlementTest = 'features/payments/settlement/settlement';
const payoutsTest = 'features/ledger/payouts';
const invoices = at('features/payments/invoices');
const safetyTest = 'features/payments/payment-safety';
const invoicesTest = 'features/payments/invoices/invoices';

/** Guards of payments and of the documents that prove them. */
export const paymentGuards = [
  // Methods
  at('features/payments/routing')(
    'provider without the method of a payment',
    'routing.actions.ts',
    safetyTest,
    '.filter(({ methods }) => methods.includes(payment.method))',
  ),
  at('features/payments/routing')(
    'rule of another method of payment',
    'routing.store.ts',
    safetyTest,
    'and (method is null or method = ${method})',
    "and ${method} <> ''",
  ),
  payments(
    'open page of another method of payment',
    'payments.actions.ts',
    safetyTest,
    'await closeOtherMethod(context, request, options.method);',
  ),
  // Invoices
  invoices(
    'signature of the code on an invoice',
    'invoices.actions.ts',
    invoicesTest,
    "if (!row || !timingSafeEqual(signatureOf(context, row), Buffer.from(signature, 'base64url')))",
    "if (!row || signature === '')",
  ),
  certificates(
    'signature of the code on a certificate',
    'certificates.actions.ts',
    certificatesTest,
    'if (!row || !timingSafeEqual(Buffer.from(codeOf(context, row)), Buffer.from(code)))',
    'if (!row)',
  ),
  certificates(
    'certificate of a request that the caller may see',
    'certificates.actions.ts',
    certificatesTest,
    "if (!(await context.mayView(caller, requestId))) throw new Refusal('RequestNotFound');",
  ),
  certificates(
    'version of a template of certificates',
    'certificates.store.ts',
    certificatesTest,
    ".where('version', '=', version)",
  ),
  pdf(
    'signature of a seal',
    'seal.ts',
    sealTest,
    "verifyBytes('sha256', attributes, certificate.publicKey, signature);",
    'signature.length > 0;',
  ),
  pdf(
    'digest that a seal covers',
    'seal.ts',
    sealTest,
    'expected.equals(attributes) &&',
    'expected.length > 0 &&',
  ),
  pdf(
    'seal over the whole file',
    'seal.ts',
    sealTest,
    'found.coversFile &&',
    'found.signed.length > 0 &&',
  ),
  pdf(
    'owner of a seal',
    'seal.ts',
    sealTest,
    "if (!(await isOurs(certificate.fingerprint256))) return 'unknown';",
    'void isOurs;',
  ),
  invoices(
    'invoice of a request that the caller may not see any more',
    'invoices.actions.ts',
    invoicesTest,
    'const issued = (await context.mayView(caller, Number(requestId)))',
    'const issued = Number(requestId) > 0',
  ),
  at('features/requests/model')(
    'VAT of parts that adds up to the line',
    'paid-lines.ts',
    'features/requests/model/paid-lines',
    'const vat = vatWithin(end, line) - vatWithin(start, line);',
    'const vat = vatWithin(end - start, line);',
  ),
  invoices(
    'one invoice for each payment',
    'invoices.store.ts',
    invoicesTest,
    "where not exists (select from invoices where payment_id = paid.id and kind = 'receipt')",
    'where true',
  ),
  // Payments
  payments(
    'amount that the provider was paid',
    'payment-state.ts',
    'features/payments/hostile-provider',
    "event.kind === 'paid' && (event.amount !== amount || event.currency !== currency)",
    "event.kind === 'paid' && event.currency !== currency",
  ),
  payments(
    'currency that the provider was paid',
    'payment-state.ts',
    'features/payments/hostile-provider',
    "event.kind === 'paid' && (event.amount !== amount || event.currency !== currency)",
    "event.kind === 'paid' && event.amount !== amount",
  ),
  payments(
    'payment of more than is due',
    'payment-events.actions.ts',
    ['features/payments/payments', 'features/payments/hostile-provider'],
    'if (amount > due) {',
    'if (false) {',
  ),
  payments(
    'payment of another provider than the message',
    'payment-messages.actions.ts',
    'features/payments/payment-safety',
    'const payment = found?.provider === name ? found : undefined;',
    'const payment = found;',
  ),
  payments(
    'second person of a refund',
    'refunds.actions.ts',
    'features/payments/payment-safety',
    "if (isConfirmed && refund.requested_by === caller.userId)\n      throw new Refusal('RefundNeedsSecondPerson');",
  ),
  payments(
    'end of a refund that never finishes',
    'refunds.actions.ts',
    'features/payments/payment-safety',
    'if (refund.attempts > maximumRefundAttempts) return holdRefund(context, refund.id, payment);',
  ),
  payments(
    'refund of what is on its way already',
    'refunds.actions.ts',
    'features/payments/payment-safety',
    "if (before !== sent.refundedBefore) throw new Refusal('RefundHasChanged');",
  ),
  payments(
    'page of a payment that was closed',
    'payments.store.ts',
    'features/payments/payment-safety',
    ".where('payment_url', 'is', null)\n",
    '',
  ),
  payments(
    'status in which a request is paid',
    'payments.actions.ts',
    ['features/payments/payments', hostileTest],
    "if (!request.isPayable) throw new Refusal('RequestNotPayable');",
  ),
  // Settlement and the daily close
  settlement(
    'second person of a decision about a settlement',
    'differences.actions.ts',
    settlementTest,
    "if (isConfirmed && row.proposed_by === userId) throw new Refusal('DecisionNeedsSecondPerson');",
  ),
  settlement(
    'version of a settlement difference',
    'differences.actions.ts',
    settlementTest,
    "if (row.version !== version) throw new Refusal('RecordHasChanged');",
  ),
  settlement(
    'amount above which a settlement decision waits',
    'differences.actions.ts',
    settlementTest,
    'const isWaiting = amountAtStake(row) > approvalAbove;',
    'const isWaiting = amountAtStake(row) > Infinity && approvalAbove > 0;',
  ),
  settlement(
    'settlement of a day that is not over',
    'settlements.actions.ts',
    settlementTest,
    "if (day >= today) throw new Refusal('DayIsNotOver');",
  ),
  ledger(
    'close of a ledger day whose settlement is missing',
    'days.actions.ts',
    settlementTest,
    "if (missingSettlements.length > 0) throw new Refusal('SettlementIsMissing');",
  ),
  ledger(
    'close of a ledger day with differences',
    'days.actions.ts',
    settlementTest,
    "if (openDifferences > 0) throw new Refusal('DayHasDifferences');",
  ),
  ledger(
    'close of a ledger day that is not over',
    'days.actions.ts',
    settlementTest,
    "if (day >= todayInDubai()) throw new Refusal('DayIsNotOver');",
  ),
  ledger(
    'close of a ledger day that is closed',
    'days.actions.ts',
    settlementTest,
    "if (last !== undefined && day <= last) throw new Refusal('DayIsClosed');",
  ),
  ledger(
    'ledger day that differs, closed by the job',
    'days.actions.ts',
    settlementTest,
    'if (day.openDifferences > 0 || day.missingSettlements.length > 0) break;',
  ),
  settlement(
    'line of a settlement that is there twice',
    'match-lines.ts',
    settlementTest,
    'const entry = isDoubled ? undefined : findNearest(free, actual, line.currency);',
    'const entry = findNearest(free, actual, line.currency);',
  ),
  settlement(
    'settlement line in another currency',
    'settlements.actions.ts',
    settlementTest,
    'if (!booked || booked.currency !== line.currency) return;',
    'if (!booked) return;',
  ),
  // Payouts
  ledger(
    'payout above what is owed',
    'payouts.actions.ts',
    payoutsTest,
    "if (sent.amount > (await store.selectPayable(transaction, payee, sent))) throw new Refusal('PayoutAboveOwed');",
  ),
  ledger(
    'second person of a payout',
    'payouts.actions.ts',
    payoutsTest,
    "if (row.requested_by === userId) throw new Refusal('DecisionNeedsSecondPerson');",
  ),
  ledger(
    'amount above which a payout waits',
    'payouts.actions.ts',
    payoutsTest,
    'const isWaiting = sent.amount > approvalAbove;',
    'const isWaiting = sent.amount > Infinity && approvalAbove > 0;',
  ),
  ledger(
    'state of a payout that is decided',
    'payouts.actions.ts',
    payoutsTest,
    "if (row.state !== (decision === 'return' ? 'booked' : 'waiting')) throw new Refusal('DecisionNotPossible');",
  ),
  ledger(
    'version of a payout',
    'payouts.actions.ts',
    payoutsTest,
    "if (row.version !== version) throw new Refusal('RecordHasChanged');",
  ),
  ledger(
    'payouts that share what is owed',
    'payouts.actions.ts',
    payoutsTest,
    "await acquireNamedLock(transaction, 'payouts'); if (sent.amount",
    'if (sent.amount',
  ),
  ledger(
    'payout above what is still owed at its confirmation',
    'payouts.actions.ts',
    payoutsTest,
    "if (row.amount > payable) throw new Refusal('PayoutAboveOwed');",
  ),
  ledger(
    'day of a payout',
    'payouts.actions.ts',
    payoutsTest,
    "throw new Refusal('PayoutDayWrong');",
    'sent.note = sent.note.trim();',
  ),
];
