import { useTranslation } from '#lib/i18n/translate.ts';
import { LocalizedFields, noText } from '#ui/editing/localized-fields.tsx';
import { CheckboxGroup } from '#ui/forms/checkbox.tsx';
import { FieldError } from '#ui/forms/field-frame.tsx';
import { NumberField } from '#ui/forms/number-field.tsx';
import { RadioGroup } from '#ui/forms/radio-group.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import {
  accountKinds,
  residenceStatuses,
  type EligibilityRule,
} from '@diwan/contract/catalogue/eligibility';
import { setAt, withoutUndefined } from '../model/document-parts.ts';
import { usePart, type PanelProps } from './panel-props.ts';
import { ManyField, useKnownChoices } from './value-fields.tsx';

const isBlank = (text: Record<string, string>) => Object.values(text).every((each) => each === '');

type Merge = (change: object) => void;

/** What a rule of a kind compares. */
function RuleCondition({
  rule,
  merge,
  place,
}: {
  rule: EligibilityRule;
  merge: Merge;
  place: string;
}) {
  const { t } = useTranslation('designer');
  const known = useKnownChoices();
  const many = (choices: readonly string[], name: string, value: readonly string[]) => (
    <CheckboxGroup
      label={t('rule.any')}
      value={value}
      choices={choices.map((each) => ({ value: each, label: t(`${name}.${each}`) }))}
      onChange={(any) => merge({ any })}
    />
  );
  switch (rule.kind) {
    case 'account':
      return many(accountKinds, 'accountKinds', rule.any);
    case 'standing':
      return many(residenceStatuses, 'residence', rule.any);
    case 'emirate':
      return (
        <CheckboxGroup
          label={t('rule.any')}
          value={rule.any}
          choices={known.emirates}
          onChange={(any) => merge({ any })}
        />
      );
    case 'nationality': {
      const list = rule.in ?? rule.notIn ?? [];
      return (
        <>
          <RadioGroup
            label={t('rule.nationality')}
            value={rule.in ? 'in' : 'notIn'}
            onChange={(side) => merge({ in: undefined, notIn: undefined, [side]: list })}
            choices={['in', 'notIn'].map((side) => ({ value: side, label: t(`rule.${side}`) }))}
          />
          <ManyField
            label={t('rule.countries')}
            value={list}
            choices={known.nationalities}
            onChange={(chosen) => merge({ [rule.in ? 'in' : 'notIn']: chosen })}
          />
        </>
      );
    }
    case 'age':
      return (
        <div className="flex flex-wrap gap-x-6 gap-y-4">
          {(['from', 'to'] as const).map((side) => (
            <NumberField
              key={side}
              isOptional
              label={t(`rule.${side}`)}
              value={rule[side]}
              onChange={(years) => {
                if (years === undefined || Number.isInteger(years)) merge({ [side]: years });
              }}
            />
          ))}
        </div>
      );
    case 'licence':
      return (
        <LocalizedFields
          isOptional
          legend={t('rule.licence')}
          description={t('rule.licenceHint')}
          name={`${place}.title`}
          value={rule.title ?? noText}
          onChange={(title) => merge({ title: isBlank(title) ? undefined : title })}
        />
      );
    default:
      return (
        <>
          <LocalizedFields
            legend={t('rule.text')}
            description={t('rule.textHint')}
            name={`${place}.text`}
            maxLength={300}
            value={rule.text}
            onChange={(text) => merge({ text })}
          />
          <LocalizedFields
            legend={t('rule.question')}
            description={t('rule.questionHint')}
            name={`${place}.question`}
            maxLength={300}
            value={rule.question}
            onChange={(question) => merge({ question })}
          />
        </>
      );
  }
}

/** One eligibility rule: who may use the service, and what to do where it is not met. */
export function RulePanel(props: PanelProps) {
  const { document, place, onChange } = props;
  const { t } = useTranslation('designer');
  const { part: rule, errorOf, errorsBut, textErrorOf } = usePart<EligibilityRule>(props);
  const [problem] = errorsBut(['note', 'elsewhere', 'text', 'question', 'title']);
  const merge: Merge = (change) => {
    const [key = ''] = Object.keys(change);
    onChange(setAt(document, place, withoutUndefined({ ...rule, ...change })), `${place}.${key}`);
  };
  return (
    <>
      <p className="text-ink-600">{t(`ruleHints.${rule.kind}`)}</p>
      <FieldError id={`${place}-error`}>{problem}</FieldError>
      <RuleCondition rule={rule} merge={merge} place={place} />
      <LocalizedFields
        isOptional
        legend={t('rule.note')}
        description={t('rule.noteHint')}
        name={`${place}.note`}
        maxLength={500}
        value={rule.note ?? noText}
        onChange={(note) => merge({ note: isBlank(note) ? undefined : note })}
        error={textErrorOf('note')}
      />
      <TextField
        isOptional
        label={t('rule.elsewhere')}
        description={t('rule.elsewhereHint')}
        dir="ltr"
        value={rule.elsewhere ?? ''}
        error={errorOf('elsewhere')}
        onChange={(elsewhere) => merge({ elsewhere: elsewhere === '' ? undefined : elsewhere })}
      />
    </>
  );
}
