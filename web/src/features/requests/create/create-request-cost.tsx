import { useFormat } from '#lib/i18n/format.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Money } from '#ui/values/money.tsx';
import { isVariableFee, type FeeRule } from '@diwan/contract/catalogue/fees';
import type { Service } from '@diwan/contract/catalogue/services';
import type { Quote } from '@diwan/contract/wire/money';
import { isRounded } from '@diwan/contract/wire/rounding';

const cell = 'py-2.5 pe-4 text-start font-normal';

/** One fee or discount, with its units, its VAT and who decides on it. */
function CostRow({ line }: { line: Quote['lines'][number] }) {
  const { t } = useTranslation('forms');
  const { percent, rate, count, money } = useFormat();
  const note = 'block text-sm text-ink-500';
  return (
    <tr className="border-b border-ink-100 align-top">
      <th scope="row" className={cell}>
        <span>{line.title}</span>
        {line.units !== undefined && line.unitAmount !== undefined ? (
          <span className={note}>
            {t('cost.units', { units: count(line.units), amount: money(line.unitAmount) })}
          </span>
        ) : null}
        {line.percentage ? (
          <span className={note}>
            {t(line.percentage.isLimited ? 'cost.percentageLimited' : 'cost.percentage', {
              rate: rate(line.percentage.rate),
              amount: money(line.percentage.of),
            })}
          </span>
        ) : null}
        {line.vat === 0 ? null : (
          <span className={note}>
            {t('cost.plusVat', { rate: percent(line.vatRate / 10_000) })}
          </span>
        )}
        {line.vatCategory ? (
          <span className={note}>{t(`cost.vatCategories.${line.vatCategory}`)}</span>
        ) : null}
        {line.discount?.state === 'claimed' ? (
          <span className={note}>{t('cost.claimed')}</span>
        ) : null}
      </th>
      <td className="py-2.5 text-end">
        <Money fils={line.amount} />
      </td>
    </tr>
  );
}

/** A fee that depends on the answers or on who applies. */
function VariableRow({ fee }: { fee: FeeRule }) {
  const { t } = useTranslation('forms');
  const { language } = useLanguage();
  const format = useFormat();
  const when = fee.stage === 'issue' ? t('cost.ifApproved') : undefined;
  const [account] = fee.accounts ?? [];
  const on =
    fee.percentOf !== undefined
      ? t(fee.amount > 0 ? 'cost.percentageAtLeast' : 'cost.percentageOfAnswer', {
          rate: format.rate(fee.rate ?? 0),
        })
      : fee.finesOf !== undefined
        ? t('cost.byFines')
        : fee.per !== undefined
          ? t('cost.perUnit')
          : fee.when !== undefined
            ? t('cost.byAnswers')
            : t(account === 'company' ? 'cost.forCompanies' : 'cost.forPersons');
  return (
    <tr className="border-b border-ink-100 align-top">
      <th scope="row" className={cell}>
        <span>{fee.title[language]}</span>
        <span className="block text-sm text-ink-500">{on}</span>
        {when ? <span className="block text-sm text-ink-500">{when}</span> : null}
      </th>
      <td className="py-2.5 text-end">{fee.amount > 0 ? <Money fils={fee.amount} /> : null}</td>
    </tr>
  );
}

/** What is charged when the request is approved. */
function AfterApproval({ lines, total }: NonNullable<Quote['afterApproval']>) {
  const { t } = useTranslation('forms');
  return (
    <section aria-label={t('cost.afterApproval')} className="mt-6">
      <h3 className="text-base">{t('cost.afterApproval')}</h3>
      <p className="text-sm text-ink-600">{t('cost.afterApprovalText')}</p>
      <table className="mt-2 w-full border-collapse">
        <tbody>
          {lines.map((line) => (
            <CostRow key={line.name} line={line} />
          ))}
        </tbody>
        <tfoot>
          <tr className="font-semibold">
            <th scope="row" className="pt-3 pe-4 text-start">
              {t('cost.totalWithVat')}
            </th>
            <td className="pt-3 text-end">
              <Money fils={total} />
            </td>
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

/** The discounts of the agency and what proves the right to each. */
function DiscountList({ discounts }: { discounts: NonNullable<Service['discounts']> }) {
  const { t } = useTranslation('forms');
  const { percent, count } = useFormat();
  const proofOf = ({ fromAge, isForCitizens, document }: (typeof discounts)[number]) =>
    document === undefined
      ? t(isForCitizens ? 'cost.citizensFrom' : 'cost.from', { age: count(fromAge ?? 0) })
      : t('cost.withDocument', { document });
  return (
    <section aria-label={t('cost.discounts')} className="mt-6">
      <h3 className="text-base">{t('cost.discounts')}</h3>
      <ul className="mt-1">
        {discounts.map((discount) => (
          <li key={discount.name} className="border-b border-ink-100 py-2.5">
            <span>{discount.title}</span>:{' '}
            <span>
              {discount.rate === 10_000 ? t('cost.exempt') : percent(discount.rate / 10_000)}
            </span>
            <span className="block text-sm text-ink-500">{proofOf(discount)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface CostTableProps {
  quote: Quote;
  /** Fees that depend on the answers or the applicant are named with their amount. */
  feeRules?: readonly FeeRule[] | undefined;
  discounts?: Service['discounts'];
}

/** The fees and discounts by line, with VAT and the total, and what is charged after approval. */
export function CostTable({ quote, feeRules = [], discounts }: CostTableProps) {
  const { t } = useTranslation('forms');
  const variable = feeRules.filter(isVariableFee);
  const { lines, afterApproval } = quote;
  if (lines.length === 0 && variable.length === 0 && !afterApproval) return <p>{t('cost.free')}</p>;
  return (
    <>
      <table className="w-full border-collapse">
        <caption className="sr-only">{t('cost.caption')}</caption>
        <thead className="sr-only">
          <tr>
            <th scope="col">{t('cost.line')}</th>
            <th scope="col">{t('cost.amount')}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <CostRow key={line.name} line={line} />
          ))}
          {variable.map((fee) => (
            <VariableRow key={`variable ${fee.name}`} fee={fee} />
          ))}
          <tr className="border-b border-ink-100">
            <th scope="row" className={cell}>
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
      {lines.some(isRounded) ? (
        <p className="mt-2 text-sm text-ink-500">{t('cost.rounding')}</p>
      ) : null}
      {afterApproval ? <AfterApproval {...afterApproval} /> : null}
      {discounts ? <DiscountList discounts={discounts} /> : null}
    </>
  );
}
