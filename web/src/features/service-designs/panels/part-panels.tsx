import { useCall } from '#lib/api/use-call.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { SpecialDataField } from '#ui/designs/special-data-field.tsx';
import { LocalizedFields, noText } from '#ui/editing/localized-fields.tsx';
import { Checkbox, CheckboxGroup } from '#ui/forms/checkbox.tsx';
import { ComboField } from '#ui/forms/combo-field.tsx';
import { MoneyField, NumberField } from '#ui/forms/number-field.tsx';
import { RadioGroup } from '#ui/forms/radio-group.tsx';
import { accountKinds, type AccountKind } from '@diwan/contract/catalogue/eligibility';
import { feeStages, type FeeRule } from '@diwan/contract/catalogue/fees';
import { getAttachmentTypes } from '@diwan/contract/content/attachment-types';
import {
  mediaTypes,
  type AttachmentRule,
  type FormField,
  type FormSection,
} from '@diwan/contract/forms/forms';
import {
  standardVatRate,
  vatCategories,
  vatCategoryOf,
  vatTreatmentOf,
  type VatCategory,
} from '@diwan/contract/wire/money';
import { fieldsBefore, setAt } from '../model/document-parts.ts';
import { nameFromTitle, renameAttachment } from '../model/edit-parts.ts';
import { ConditionEditor } from './condition-editor.tsx';
import { NameField } from './name-field.tsx';
import { usePart, type PanelProps } from './panel-props.ts';
import { PickField } from './value-fields.tsx';

const isBlank = (text: Record<string, string>) => Object.values(text).every((each) => each === '');

/** A step or a section: its heading, and when it is shown. */
export function HeadingPanel(props: PanelProps) {
  const { document, place } = props;
  const { t } = useTranslation('designer');
  const { part, set, errorOf, textErrorOf } = usePart<FormSection>(props);
  return (
    <>
      <LocalizedFields
        legend={t('heading.title')}
        name={`${place}.title`}
        value={part.title}
        onChange={(title) => set('title', title)}
        error={textErrorOf('title')}
      />
      <LocalizedFields
        isOptional
        legend={t('heading.description')}
        name={`${place}.description`}
        maxLength={500}
        value={part.description ?? noText}
        onChange={(text) => set('description', isBlank(text) ? undefined : text)}
        error={textErrorOf('description')}
      />
      <ConditionEditor
        legend={t('condition.showWhen')}
        hint={t('condition.showWhenHint')}
        condition={part.showWhen}
        fields={fieldsBefore(document, place)}
        onChange={(condition) => set('showWhen', condition)}
        error={errorOf('showWhen')}
      />
    </>
  );
}

const megabyte = 1_048_576;

/** A document that the service asks for: its formats and sizes. */
export function AttachmentPanel(props: PanelProps) {
  const { document, place, onChange } = props;
  const { t } = useTranslation('designer');
  const { language } = useLanguage();
  const { part, set, errorOf, textErrorOf } = usePart<AttachmentRule>(props);
  const isPlaced = document.form.steps.some((step) =>
    step.fields.some(({ attachment }) => attachment === part.name),
  );
  const taken = document.attachments.flatMap(({ name }) => (name === part.name ? [] : [name]));
  const types = useCall(getAttachmentTypes, { staleTime: 60_000 });
  const offered = (types.data ?? []).filter(({ isRetired }) => !isRetired);
  const fillIn = (id: string) => {
    const type = offered.find((each) => String(each.id) === id);
    if (!type) return;
    const { name: title, description, mediaTypes: formats, maximumBytes, maximumCount } = type;
    const { description: _, ...rest } = part;
    onChange(
      setAt(document, place, {
        ...rest,
        title,
        ...(description ? { description } : {}),
        mediaTypes: formats,
        maximumBytes,
        maximumCount,
      }),
    );
  };
  return (
    <>
      {offered.length > 0 ? (
        <ComboField
          isOptional
          label={t('attachment.type')}
          description={t('attachment.typeHint')}
          value=""
          onChange={fillIn}
          choices={offered.map(({ id, name }) => ({ value: String(id), label: name[language] }))}
        />
      ) : null}
      <LocalizedFields
        legend={t('attachment.title')}
        name={`${place}.title`}
        value={part.title}
        onChange={(title) => set('title', title)}
        onBlur={() => {
          const name = nameFromTitle(part.title['en-US']);
          if (/^document\d+$/.test(part.name) && name !== '' && !taken.includes(name))
            onChange(renameAttachment(document, place, name), `${place}.title`);
        }}
        error={textErrorOf('title')}
      />
      <LocalizedFields
        isOptional
        legend={t('field.description')}
        description={t('attachment.descriptionHint')}
        name={`${place}.description`}
        maxLength={500}
        value={part.description ?? noText}
        onChange={(text) => set('description', isBlank(text) ? undefined : text)}
        error={textErrorOf('description')}
      />
      <Checkbox
        label={t('field.requiredFile')}
        hint={isPlaced ? t('attachment.placed') : undefined}
        value={part.required}
        onChange={(required) => set('required', required)}
      />
      <SpecialDataField value={part.special} onChange={(kind) => set('special', kind)} />
      <CheckboxGroup
        label={t('attachment.mediaTypes')}
        error={errorOf('mediaTypes')}
        value={part.mediaTypes}
        choices={mediaTypes.map((type) => ({
          value: type,
          label: t(`mediaTypes.${type.split('/')[1]}`),
        }))}
        onChange={(chosen) =>
          set(
            'mediaTypes',
            mediaTypes.filter((type) => chosen.includes(type)),
          )
        }
      />
      <div className="flex flex-wrap gap-x-6 gap-y-4">
        <NumberField
          label={t('attachment.maximumBytes')}
          value={part.maximumBytes / megabyte}
          error={errorOf('maximumBytes')}
          onChange={(size) => {
            if (size !== undefined && size > 0) set('maximumBytes', Math.round(size * megabyte));
          }}
        />
        <NumberField
          label={t('attachment.maximumCount')}
          value={part.maximumCount}
          error={errorOf('maximumCount')}
          onChange={(count) => {
            if (count !== undefined && Number.isInteger(count) && count >= 1 && count <= 10)
              set('maximumCount', count);
          }}
        />
      </div>
      <NameField
        key={part.name}
        value={part.name}
        taken={taken}
        error={errorOf('name')}
        onChange={(name) => onChange(renameAttachment(document, place, name))}
      />
    </>
  );
}

const countableKinds = ['number', 'group', 'choices'];
const chargeKinds = ['once', 'perUnit', 'percentage', 'fines'] as const;
type ChargeKind = (typeof chargeKinds)[number];

/** How the amount of a fee is made: once, for each unit, or as a percentage of an answered amount. */
function FeeBasis({
  part,
  fields,
  onChange,
  errorOf,
}: {
  part: FeeRule;
  fields: readonly FormField[];
  onChange: (fee: FeeRule) => void;
  errorOf: (property: string) => string | undefined;
}) {
  const { t } = useTranslation('designer');
  const { language } = useLanguage();
  const { per, percentOf, finesOf, rate, maximum, ...fee } = part;
  const units = fields.filter(({ kind }) => countableKinds.includes(kind));
  const amounts = fields.filter(({ kind }) => kind === 'money');
  const registered = fields.filter(({ kind }) => kind === 'fines');
  const kind: ChargeKind =
    finesOf !== undefined
      ? 'fines'
      : percentOf !== undefined
        ? 'percentage'
        : per !== undefined
          ? 'perUnit'
          : 'once';
  const changes: Record<ChargeKind, () => FeeRule> = {
    once: () => fee,
    perUnit: () => ({ ...fee, per: units[0]?.name ?? '' }),
    percentage: () => ({ ...fee, percentOf: amounts[0]?.name ?? '', rate: 100 }),
    fines: () => ({ ...fee, amount: 0, finesOf: registered[0]?.name ?? '' }),
  };
  const countOf = {
    once: 1,
    perUnit: units.length,
    percentage: amounts.length,
    fines: registered.length,
  };
  const offered = chargeKinds.filter((each) => each === kind || countOf[each] > 0);
  const choicesOf = (list: readonly FormField[], chosen: string) => [
    ...list.map(({ name, title }) => ({ value: name, label: title[language] || name })),
    ...(list.some(({ name }) => name === chosen) ? [] : [{ value: chosen, label: chosen }]),
  ];
  return (
    <>
      <RadioGroup
        label={t('fee.basis')}
        value={kind}
        onChange={(chosen) => onChange(changes[chosen as ChargeKind]())}
        description={offered.length < chargeKinds.length ? t('fee.basisNone') : undefined}
        choices={offered.map((each) => ({
          value: each,
          label: t(`fee.bases.${each}`),
          hint: t(`fee.basisHints.${each}`),
        }))}
      />
      {per !== undefined ? (
        <PickField
          label={t('fee.per')}
          error={errorOf('per')}
          value={per}
          onChange={(name) => onChange({ ...part, per: name })}
          choices={choicesOf(units, per)}
        />
      ) : null}
      {finesOf !== undefined ? (
        <PickField
          label={t('fee.finesOf')}
          error={errorOf('finesOf')}
          value={finesOf}
          onChange={(name) => onChange({ ...part, finesOf: name })}
          choices={choicesOf(registered, finesOf)}
        />
      ) : null}
      {percentOf !== undefined ? (
        <div className="flex flex-wrap gap-x-6 gap-y-4">
          <NumberField
            label={t('fee.rate')}
            description={t('fee.rateHint')}
            value={rate === undefined ? undefined : rate / 100}
            error={errorOf('rate')}
            onChange={(percent) => {
              if (percent !== undefined && percent > 0 && percent <= 100)
                onChange({ ...part, rate: Math.max(1, Math.round(percent * 100)) });
            }}
          />
          <PickField
            label={t('fee.percentOf')}
            error={errorOf('percentOf')}
            value={percentOf}
            onChange={(name) => onChange({ ...part, percentOf: name })}
            choices={choicesOf(amounts, percentOf)}
          />
          <MoneyField
            isOptional
            label={t('fee.maximum')}
            value={maximum}
            error={errorOf('maximum')}
            onChange={(most) => {
              const { maximum: _before, ...rest } = part;
              if (most === undefined) onChange(rest);
              else if (Number.isSafeInteger(most)) onChange({ ...rest, maximum: most });
            }}
          />
        </div>
      ) : null}
    </>
  );
}

/** A fee: fixed, by answer or per unit, with VAT. */
export function FeePanel(props: PanelProps) {
  const { document, place, onChange } = props;
  const { t } = useTranslation('designer');
  const format = useFormat();
  const { part, set, errorOf, textErrorOf } = usePart<FeeRule>(props);
  const fields = fieldsBefore(document, place);
  const amountLabel =
    part.percentOf !== undefined ? 'least' : part.per !== undefined ? 'unitAmount' : 'amount';
  return (
    <>
      <LocalizedFields
        legend={t('fee.title')}
        name={`${place}.title`}
        value={part.title}
        onChange={(title) => set('title', title)}
        error={textErrorOf('title')}
      />
      <div className="flex flex-wrap gap-x-6 gap-y-4">
        <MoneyField
          label={t(`fee.${amountLabel}`)}
          description={t('fee.amountHint')}
          value={part.amount}
          error={part.amount < 0 ? t('problems.codes.feeNegative') : errorOf('amount')}
          onChange={(amount) => {
            if (amount !== undefined && Number.isSafeInteger(amount)) set('amount', amount);
          }}
        />
        <PickField
          label={t('fee.vat')}
          description={t('fee.vatHint')}
          error={errorOf('vatRate')}
          value={vatCategoryOf(part)}
          onChange={(category) => {
            const { vatRate: _rate, vatCategory: _category, ...fee } = part;
            const treatment = vatTreatmentOf(category as VatCategory);
            onChange(setAt(document, place, { ...fee, ...treatment }));
          }}
          choices={vatCategories.map((category) => ({
            value: category,
            label: t(`vatCategories.${category}`, {
              rate: format.percent(standardVatRate / 10_000),
            }),
          }))}
        />
      </div>
      <FeeBasis
        part={part}
        fields={fields}
        errorOf={errorOf}
        onChange={(fee) => onChange(setAt(document, place, fee))}
      />
      <ConditionEditor
        legend={t('fee.when')}
        hint={t('fee.whenHint')}
        condition={part.when}
        fields={fields}
        onChange={(condition) => set('when', condition)}
        error={errorOf('when')}
      />
      <div className="flex flex-wrap gap-x-6 gap-y-4">
        <RadioGroup
          label={t('fee.stage')}
          value={part.stage ?? 'application'}
          onChange={(stage) => set('stage', stage === 'issue' ? 'issue' : undefined)}
          choices={feeStages.map((stage) => ({
            value: stage,
            label: t(`fee.stages.${stage}`),
            hint: t(`fee.stageHints.${stage}`),
          }))}
        />
        <RadioGroup
          label={t('fee.accounts')}
          error={errorOf('accounts')}
          value={part.accounts?.length === 1 ? (part.accounts[0] ?? 'all') : 'all'}
          onChange={(account) =>
            set('accounts', account === 'all' ? undefined : [account as AccountKind])
          }
          choices={[
            { value: 'all', label: t('fee.everybody') },
            ...accountKinds.map((kind) => ({ value: kind, label: t(`accountKinds.${kind}`) })),
          ]}
        />
      </div>
      <Checkbox
        label={t('fee.isFullPrice')}
        hint={t('fee.isFullPriceHint')}
        value={part.isFullPrice ?? false}
        onChange={(isFullPrice) => set('isFullPrice', isFullPrice ? true : undefined)}
      />
      <Checkbox
        label={t('fee.refundable')}
        value={part.refundable ?? false}
        onChange={(isRefundable) => set('refundable', isRefundable ? true : undefined)}
      />
      <Checkbox
        label={t('fee.isOperatorFee')}
        hint={t('fee.isOperatorFeeHint')}
        value={part.isOperatorFee ?? false}
        onChange={(isOf) => set('isOperatorFee', isOf ? true : undefined)}
      />
      <NameField
        key={part.name}
        value={part.name}
        taken={document.fees.flatMap(({ name }) => (name === part.name ? [] : [name]))}
        error={errorOf('name')}
        onChange={(name) => onChange(setAt(document, `${place}.name`, name))}
      />
    </>
  );
}
