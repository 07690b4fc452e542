import type { UseFormReturn } from 'react-hook-form';
import { useFormat } from '#lib/i18n/format.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { FormField } from '#ui/forms/form-dialog.tsx';
import { RadioGroup } from '#ui/forms/radio-group.tsx';
import type { RequestDiscount, RequestRecord } from '@diwan/contract/requests/requests';
import type { ActionDraft } from './action-draft.ts';

/** The discounts that documents claim and nobody has decided on. */
export const claimedDiscounts = ({ discounts = [] }: RequestRecord): RequestDiscount[] =>
  discounts.filter(({ state }) => state === 'claimed');

/** The decisions in the form of the call; empty while there are none. */
export function toDiscountsBody(record: RequestRecord, decisions: ActionDraft['discounts']) {
  const discounts = claimedDiscounts(record).flatMap(({ rule }) => {
    const decision = decisions[rule];
    return decision === undefined ? [] : [{ rule, isGranted: decision === 'grant' }];
  });
  return discounts.length > 0 ? { discounts } : {};
}

/** For each claimed discount: whether its document proves the right to it. */
export function DiscountFields({
  record,
  form,
}: {
  record: RequestRecord;
  form: UseFormReturn<ActionDraft>;
}) {
  const { t } = useTranslation('requests');
  const { money } = useFormat();
  const { language } = useLanguage();
  const claimed = claimedDiscounts(record);
  if (claimed.length === 0) return null;
  const findUndecided = (decisions: ActionDraft['discounts']) =>
    claimed.find(({ rule }) => decisions[rule] === undefined)?.rule;
  const documentOf = ({ attachmentName }: RequestDiscount) =>
    record.attachmentRules.find(({ name }) => name === attachmentName)?.title[language] ?? '';
  return (
    <FormField
      control={form.control}
      name="discounts"
      focusId="DiscountUndecided"
      validate={(decisions) => findUndecided(decisions)}
    >
      {({ value, onChange, error }) => (
        <div className="flex flex-col gap-5">
          {claimed.map((discount) => (
            <RadioGroup
              key={discount.rule}
              label={t('discounts.question', { title: discount.title })}
              description={t('discounts.document', { document: documentOf(discount) })}
              focusIds={['DiscountUndecided']}
              error={
                error !== undefined && value[discount.rule] === undefined
                  ? t('discounts.undecided')
                  : undefined
              }
              value={value[discount.rule] ?? ''}
              onChange={(decision) =>
                onChange({ ...value, [discount.rule]: decision === 'grant' ? 'grant' : 'refuse' })
              }
              choices={[
                { value: 'grant', label: t('discounts.grant') },
                {
                  value: 'refuse',
                  label: t('discounts.refuse'),
                  hint: t('discounts.refuseHint', { amount: money(discount.amount) }),
                },
              ]}
            />
          ))}
        </div>
      )}
    </FormField>
  );
}
