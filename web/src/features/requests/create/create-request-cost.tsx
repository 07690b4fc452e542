import type { Quote } from '@diwan/contract/wire/money';
import { useTranslation } from '../../../lib/i18n/translate.ts';
import { useFormat } from '../../../lib/i18n/format.ts';
import { Money } from '../../../ui/values/money.tsx';

/** The fees by line, with VAT and the total. */
export function CostTable({ quote }: { quote: Quote }) {
  const { t } = useTranslation('forms');
  const { percent } = useFormat();
  if (quote.lines.length === 0) return <p>{t('cost.free')}</p>;
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
            {t('cost.total')}
          </th>
          <td className="pt-3 text-end">
            <Money fils={quote.total} />
          </td>
        </tr>
      </tfoot>
    </table>
  );
}
