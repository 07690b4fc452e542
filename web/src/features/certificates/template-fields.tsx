import { useTranslation } from '#lib/i18n/translate.ts';
import { CopyButton } from '#ui/actions/copy-button.tsx';
import { NumberField } from '#ui/forms/number-field.tsx';
import { RadioGroup } from '#ui/forms/radio-group.tsx';
import { SelectField } from '#ui/forms/select-field.tsx';
import {
  type getCertificateTemplate,
  maximumValidity,
  requestPlaceholders,
  validityUnits,
  type Validity,
} from '@diwan/contract/content/certificates';
import type { ReplyOf } from '@diwan/contract/wire/call';

const kinds = ['none', 'period', 'endOfYear', 'answer'] as const satisfies Validity['kind'][];

/** How long certificates are valid, as it is edited: an input that is hidden stays. */
export interface DraftValidity {
  validityKind: Validity['kind'];
  validityCount: number | undefined;
  validityUnit: (typeof validityUnits)[number];
  /** Empty before a field is chosen. */
  validityField: string;
}

export const draftOfValidity = (validity: Validity = { kind: 'none' }): DraftValidity => ({
  validityKind: validity.kind,
  validityCount: validity.kind === 'period' ? validity.count : 1,
  validityUnit: validity.kind === 'period' ? validity.unit : 'years',
  validityField: validity.kind === 'answer' ? validity.field : '',
});

/** What a valid draft means. */
export function validityOf(draft: DraftValidity): Validity {
  const { validityKind: kind, validityCount, validityUnit: unit, validityField: field } = draft;
  if (kind === 'period') return { kind, count: validityCount ?? 0, unit };
  return kind === 'answer' ? { kind, field } : { kind };
}

/** The field of a draft that is missing or wrong, by its name. */
export function wrongField(draft: DraftValidity): string | undefined {
  const { validityKind: kind, validityCount: count = 0, validityField } = draft;
  if (kind === 'period' && !(Number.isInteger(count) && count >= 1 && count <= maximumValidity))
    return 'validityCount';
  return kind === 'answer' && validityField === '' ? 'validityField' : undefined;
}

/** The rule of the last day of the certificates. */
export function ValidityFields({
  draft,
  fields,
  wrong,
  onChange,
}: {
  draft: DraftValidity;
  /** The dates that the form asks. */
  fields: readonly { name: string; title: string }[];
  wrong: string | undefined;
  onChange: (changed: Partial<DraftValidity>) => void;
}) {
  const { t } = useTranslation('certificates');
  const { validityKind: kind, validityCount, validityUnit, validityField } = draft;
  return (
    <div className="flex flex-col gap-4">
      <RadioGroup
        name="validity"
        label={t('validity.title')}
        value={kind}
        onChange={(chosen) =>
          onChange({ validityKind: kinds.find((each) => each === chosen) ?? 'none' })
        }
        choices={kinds.map((each) => ({
          value: each,
          label: t(`validity.kinds.${each}`),
          ...(each === 'period' || each === 'answer' ? { hint: t(`validity.hints.${each}`) } : {}),
        }))}
      />
      {kind === 'period' ? (
        <div className="flex flex-wrap gap-4">
          <NumberField
            name="validityCount"
            label={t('validity.count')}
            value={validityCount}
            onChange={(count) => onChange({ validityCount: count })}
            error={
              wrong === 'validityCount'
                ? t('validity.wrongCount', { maximum: String(maximumValidity) })
                : undefined
            }
          />
          <SelectField
            name="validityUnit"
            label={t('validity.unit')}
            value={validityUnit}
            onChange={(chosen) =>
              onChange({ validityUnit: validityUnits.find((each) => each === chosen) ?? 'years' })
            }
            choices={validityUnits.map((each) => ({
              value: each,
              label: t(`validity.units.${each}`),
            }))}
          />
        </div>
      ) : null}
      {kind === 'answer' ? (
        fields.length === 0 ? (
          <p className="text-sm font-medium text-red-700">{t('validity.noField')}</p>
        ) : (
          <SelectField
            name="validityField"
            label={t('validity.field')}
            value={validityField}
            onChange={(field) => onChange({ validityField: field })}
            choices={fields.map(({ name, title }) => ({ value: name, label: title }))}
            error={wrong === 'validityField' ? t('validity.chooseField') : undefined}
          />
        )
      ) : null}
    </div>
  );
}

/** What a text of the certificate can quote, of the request and of the form of its service. */
export function Placeholders({ fields }: Pick<ReplyOf<typeof getCertificateTemplate>, 'fields'>) {
  const { t } = useTranslation('certificates');
  const placeholders = [
    ...requestPlaceholders.map((name) => ({ name: name as string, title: t(`names.${name}`) })),
    ...fields.flatMap(({ name, title, isGroup }) =>
      (isGroup ? ['field', 'list'] : ['field']).map((prefix) => ({
        name: `${prefix}.${name}`,
        title,
      })),
    ),
  ];
  return (
    <section className="flex flex-col gap-3">
      <h2 className="text-lg">{t('placeholders')}</h2>
      <p className="text-sm text-ink-600">{t('placeholdersHint')}</p>
      <p className="text-sm text-ink-600">{t('applicantHint')}</p>
      {fields.some(({ isGroup }) => isGroup) ? (
        <p className="text-sm text-ink-600">{t('text.groupHint')}</p>
      ) : null}
      <ul className="grid gap-x-6 gap-y-2 md:grid-cols-2">
        {placeholders.map(({ name, title }) => (
          <li key={name} className="flex flex-wrap items-center gap-x-3">
            <code dir="ltr" className="text-sm">{`{{${name}}}`}</code>
            <CopyButton
              text={`{{${name}}}`}
              label={t('copy', { name: title })}
              copiedLabel={t('copied')}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
