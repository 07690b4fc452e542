import { isVariableFee, type FeeRule } from '@diwan/contract/catalogue/fees';
import type { Quote } from '@diwan/contract/wire/money';
import { useTranslation } from '../../../lib/i18n/translate.ts';
import { useFormat } from '../../../lib/i18n/format.ts';
import { useLanguage } from '../../../lib/i18n/language.ts';
import { Money } from '../../../ui/values/money.tsx';

/** The fees by line, with VAT and the total. */
export function CostTable({
  quote,
  feeRules = [],
}: {
  quote: Quote;
  /** Fees that depend on the answers are named with their amount. */
  feeRules?: readonly FeeRule[] | undefined;
}) {
  const { t } = useTranslation('forms');
  const { percent, count, money } = useFormat();
  const { language } = useLanguage();
  const variable = feeRules.filter(isVariableFee);
  if (quote.lines.length === 0 && variable.length === 0) return <p>{t('cost.free')}</p>;
  return (
    <table className="w-full border-collapse">
      <caption className="sr-only">{t('cost.caption')}</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">{t('cost.line')}</th>
          <th scope="col">{t('cost.amount')}</th>
        </tr>
      </thead>
      <tbody>
        {quote.lines.map((line) => (
          <tr key={line.name} className="border-b border-ink-100 align-top">
            <th scope="row" className="py-2.5 pe-4 text-start font-normal">
              {line.title}
              {line.units !== undefined && line.unitAmount !== undefined ? (
                <span className="block text-sm text-ink-500">
                  {t('cost.units', {
                    units: count(line.units),
                    amount: money(line.unitAmount),
                  })}
                </span>
              ) : null}
              {line.vat > 0 ? (
                <span className="block text-sm text-ink-500">
                  {t('cost.plusVat', { rate: percent(line.vatRate / 10_000) })}
                </span>
              ) : null}
            </th>
            <td className="py-2.5 text-end">
              <Money fils={line.amount} />
            </td>
          </tr>
        ))}
        {variable.map((fee) => (
          <tr key={`variable ${fee.name}`} className="border-b border-ink-100 align-top">
            <th scope="row" className="py-2.5 pe-4 text-start font-normal">
              {fee.title[language]}
              <span className="block text-sm text-ink-500">
                {t(fee.per === undefined ? 'cost.byAnswers' : 'cost.perUnit')}
              </span>
            </th>
            <td className="py-2.5 text-end">
              <Money fils={fee.amount} />
            </td>
          </tr>
        ))}
        <tr className="border-b border-ink-100">
          <th scope="row" className="py-2.5 pe-4 text-start font-normal">
            {t('cost.vat')}
          </th>
          <td className="py-2.5 text-end">
            <Money fils={quote.totalAdminstrativeFeesVatValue} />
          </td>
        </tr>
      </tbody>
      <tfoot>
        <tr className="text-lg font-semibold">
          <th scope="row" className="pt-3 pe-4 text-start">
            {t(variable.length > 0 ? 'cost.totalFrom' : 'cost.total')}
          </th>
          <td className="pt-3 text-end">
            <Money fils={quote.total} />
          </td>
        </tr>
      </tfoot>
    </table>
  );
}
