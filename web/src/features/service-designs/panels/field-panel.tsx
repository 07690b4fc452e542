import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { SpecialDataField } from '#ui/designs/special-data-field.tsx';
import { LocalizedFields, noText } from '#ui/editing/localized-fields.tsx';
import { Checkbox, CheckboxGroup } from '#ui/forms/checkbox.tsx';
import { Fold } from '#ui/forms/fold.tsx';
import { MoneyField, NumberField } from '#ui/forms/number-field.tsx';
import { SelectField } from '#ui/forms/select-field.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import {
  cardParts,
  fineKeyKinds,
  prefillSources,
  type FieldKind,
  type FormField,
} from '@diwan/contract/forms/forms';
import {
  allFields,
  fieldsBefore,
  kindGroups,
  setAt,
  usesOfField,
  withoutUndefined,
} from '../model/document-parts.ts';
import { addToGroup, changeKind, nameFromTitle, renameField } from '../model/edit-parts.ts';
import { ChoicesEditor } from './choices-editor.tsx';
import { ConditionEditor } from './condition-editor.tsx';
import { NameField } from './name-field.tsx';
import { usePart, type PanelProps } from './panel-props.ts';
import { DateLimitField, PickField } from './value-fields.tsx';

const isBlank = (text: Record<string, string>) => Object.values(text).every((each) => each === '');

type Part = ReturnType<typeof usePart<FormField>>;

/** An optional text: blank in every language, it is not in the document. */
function OptionalText({
  property,
  part,
  place,
  rows = 1,
}: {
  property: 'description' | 'requiredMessage' | 'patternMessage' | 'itemTitle';
  part: Part;
  place: string;
  rows?: number;
}) {
  const { t } = useTranslation('designer');
  return (
    <LocalizedFields
      isOptional
      legend={t(`field.${property}`)}
      description={t(`field.${property}Hint`)}
      name={`${place}.${property}`}
      rows={rows}
      maxLength={500}
      value={part.part[property] ?? noText}
      onChange={(text) => part.set(property, isBlank(text) ? undefined : text)}
      error={part.textErrorOf(property)}
    />
  );
}

function NumberLimit({ property, part }: { property: NumberProperty; part: Part }) {
  const { t } = useTranslation('designer');
  const Field =
    part.part.kind === 'money' && (property === 'minimum' || property === 'maximum')
      ? MoneyField
      : NumberField;
  return (
    <Field
      isOptional
      label={t(`field.${property}`)}
      value={part.part[property]}
      error={part.errorOf(property)}
      onChange={(value) => {
        if (value === undefined || Number.isInteger(value)) part.set(property, value);
      }}
    />
  );
}

type NumberProperty = 'minLength' | 'maxLength' | 'minimum' | 'maximum' | 'minItems' | 'maxItems';

const pairs: Partial<Record<FieldKind, readonly [NumberProperty, NumberProperty]>> = {
  text: ['minLength', 'maxLength'],
  longText: ['minLength', 'maxLength'],
  number: ['minimum', 'maximum'],
  money: ['minimum', 'maximum'],
  group: ['minItems', 'maxItems'],
};

function Limits({ part, place }: { part: Part; place: string }) {
  const { t } = useTranslation('designer');
  const { kind } = part.part;
  const pair = pairs[kind];
  return (
    <>
      {kind === 'group' ? <OptionalText property="itemTitle" part={part} place={place} /> : null}
      {pair ? (
        <div className="flex flex-wrap gap-x-6 gap-y-4">
          {pair.map((property) => (
            <NumberLimit key={property} property={property} part={part} />
          ))}
        </div>
      ) : null}
      {kind === 'date' ? (
        <div className="grid gap-4 sm:grid-cols-2">
          {(['formatMinimum', 'formatMaximum'] as const).map((property) => (
            <DateLimitField
              key={property}
              label={t(`field.${property}`)}
              value={part.part[property]}
              onChange={(limit) => part.set(property, limit)}
              error={part.errorOf(property)}
            />
          ))}
        </div>
      ) : null}
    </>
  );
}

function FileSettings(props: PanelProps & { own: Part }) {
  const { document, own, onSelect } = props;
  const { t } = useTranslation('designer');
  const { language } = useLanguage();
  const index = document.attachments.findIndex(({ name }) => name === own.part.attachment);
  return (
    <div className="flex flex-col items-start gap-2">
      <div className="w-full">
        <SelectField
          label={t('field.attachment')}
          description={t('field.attachmentHint')}
          value={own.part.attachment ?? ''}
          error={own.errorOf('attachment')}
          onChange={(name) => own.set('attachment', name)}
          choices={document.attachments.map(({ name, title }) => ({
            value: name,
            label: title[language] || name,
          }))}
        />
      </div>
      {index >= 0 ? (
        <Button variant="quiet" size="sm" onPress={() => onSelect(`attachments.${index}`)}>
          {t('field.openAttachment')}
        </Button>
      ) : null}
    </div>
  );
}

/** The register that names the fines, and the questions that it finds them by. */
function FinesSettings({ own, fields }: { own: Part; fields: readonly FormField[] }) {
  const { t } = useTranslation('designer');
  const { language } = useLanguage();
  const { part, set, errorOf } = own;
  return (
    <>
      <TextField
        label={t('field.register')}
        description={t('field.registerHint')}
        dir="ltr"
        value={part.register ?? ''}
        error={errorOf('register')}
        onChange={(register) => set('register', register === '' ? undefined : register)}
      />
      <CheckboxGroup
        label={t('field.findBy')}
        value={part.findBy ?? []}
        error={errorOf('findBy')}
        onChange={(findBy) => set('findBy', findBy.length === 0 ? undefined : findBy)}
        choices={fields
          .filter(({ kind }) => fineKeyKinds.includes(kind))
          .map(({ name, title }) => ({ value: name, label: title[language] || name }))}
      />
      <Checkbox
        label={t('field.payAll')}
        hint={t('field.payAllHint')}
        value={part.payAll === true}
        onChange={(payAll) => set('payAll', payAll ? true : undefined)}
      />
    </>
  );
}

/** What a text must look like. */
function Pattern({ own, place }: { own: Part; place: string }) {
  const { t } = useTranslation('designer');
  const { part, set, errorOf } = own;
  return (
    <>
      <TextField
        isOptional
        label={t('field.pattern')}
        description={t('field.patternHint')}
        dir="ltr"
        value={part.pattern ?? ''}
        error={errorOf('pattern')}
        onChange={(pattern) => set('pattern', pattern === '' ? undefined : pattern)}
      />
      {part.pattern === undefined ? null : (
        <OptionalText property="patternMessage" part={own} place={place} />
      )}
      {part.kind === 'text' && part.pattern !== undefined ? (
        <Checkbox
          label={t('field.vehiclePlate')}
          value={part.format === 'vehiclePlate'}
          onChange={(isPlate) => set('format', isPlate ? 'vehiclePlate' : undefined)}
        />
      ) : null}
    </>
  );
}

/** The document from whose machine-readable zone the answer is suggested. */
function Reading({ own, files }: { own: Part; files: readonly FormField[] }) {
  const { t } = useTranslation('designer');
  const { language } = useLanguage();
  const { part, set, errorOf } = own;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <SelectField
        isOptional
        label={t('field.readFrom')}
        error={errorOf('readFrom')}
        value={part.readFrom?.attachment ?? 'none'}
        onChange={(attachment) =>
          set(
            'readFrom',
            attachment === 'none' ? undefined : { attachment, part: part.readFrom?.part ?? 'name' },
          )
        }
        choices={[
          { value: 'none', label: t('prefill.none') },
          ...files.map((each) => ({
            value: each.attachment ?? '',
            label: each.title[language] || each.name,
          })),
        ]}
      />
      {part.readFrom ? (
        <SelectField
          label={t('field.readPart')}
          value={part.readFrom.part}
          onChange={(chosen) => {
            const found = cardParts.find((each) => each === chosen);
            if (found && part.readFrom) set('readFrom', { ...part.readFrom, part: found });
          }}
          choices={cardParts.map((each) => ({ value: each, label: t(`cardParts.${each}`) }))}
        />
      ) : null}
    </div>
  );
}

const readableKinds: readonly FieldKind[] = ['text', 'date', 'emiratesId', 'nationality'];
const advanced = ['name', 'pattern', 'patternMessage', 'format', 'readFrom', 'prefill'];

/** The rules that few questions need. */
function Advanced({ props, own, isInner }: { props: PanelProps; own: Part; isInner: boolean }) {
  const { document, place, onChange } = props;
  const { t } = useTranslation('designer');
  const { part, set, errorOf } = own;
  const files = fieldsBefore(document, place).filter((each) => each.attachment);
  const isReadable = !isInner && readableKinds.includes(part.kind);
  return (
    <Fold
      title={t('field.more')}
      isOpenAtFirst={advanced.some((property) => errorOf(property) !== undefined)}
    >
      <NameField
        key={part.name}
        value={part.name}
        taken={allFields(document).flatMap(({ name }) => (name === part.name ? [] : [name]))}
        error={errorOf('name')}
        onChange={(name) => onChange(renameField(document, place, name))}
      />
      {part.required || part.requiredWhen ? (
        <OptionalText property="requiredMessage" part={own} place={place} />
      ) : null}
      {['group', 'file', 'fines'].includes(part.kind) ? null : (
        <SelectField
          isOptional
          label={t('field.prefill')}
          description={t('field.prefillHint')}
          value={part.prefill ?? 'none'}
          onChange={(source) =>
            set(
              'prefill',
              prefillSources.find((each) => each === source),
            )
          }
          choices={['none', ...prefillSources].map((source) => ({
            value: source,
            label: t(`prefill.${source}`),
          }))}
        />
      )}
      {part.kind === 'text' || part.kind === 'longText' ? (
        <Pattern own={own} place={place} />
      ) : null}
      {isReadable && (files.length > 0 || part.readFrom) ? (
        <Reading own={own} files={files} />
      ) : null}
    </Fold>
  );
}

/** One question: what it asks, its limits and choices, and when it is shown and required. */
export function FieldPanel(props: PanelProps): ReactNode {
  const { document, place, onChange, onSelect } = props;
  const { t } = useTranslation('designer');
  const { language } = useLanguage();
  const own = usePart<FormField>(props);
  const { part, set, errorOf, textErrorOf } = own;
  const isInner = /\.fields\.\d+\.fields\.\d+$/.test(place);
  const fields = fieldsBefore(document, place);
  const uses = usesOfField(document, part.name);
  const nameAfterTitle = () => {
    const name = nameFromTitle(part.title['en-US']);
    const isFree = !allFields(document).some((each) => each.name === name);
    if (/^question\d+$/.test(part.name) && name !== '' && isFree)
      onChange(renameField(document, place, name), `${place}.title`);
  };
  return (
    <>
      <PickField
        label={t('field.kind')}
        value={part.kind}
        error={errorOf('kind')}
        onChange={(kind) =>
          onChange(setAt(document, place, changeKind(document, part, kind as FieldKind)))
        }
        choices={kindGroups
          .flatMap(({ kinds }) => kinds)
          .filter((kind) => !isInner || (kind !== 'group' && kind !== 'file' && kind !== 'fines'))
          .map((kind) => ({ value: kind, label: t(`kinds.${kind}`) }))}
      />
      <LocalizedFields
        legend={t('field.title')}
        name={`${place}.title`}
        value={part.title}
        maxLength={300}
        onChange={(title) => set('title', title)}
        onBlur={nameAfterTitle}
        error={textErrorOf('title')}
      />
      <OptionalText property="description" part={own} place={place} />
      <Checkbox
        label={t(part.kind === 'file' ? 'field.requiredFile' : 'field.required')}
        value={part.required}
        onChange={(required) => {
          const requiredWhen = required ? undefined : part.requiredWhen;
          onChange(setAt(document, place, withoutUndefined({ ...part, required, requiredWhen })));
        }}
      />
      {part.kind === 'file' ? null : (
        <SpecialDataField value={part.special} onChange={(kind) => set('special', kind)} />
      )}
      <Limits part={own} place={place} />
      {part.kind === 'choice' || part.kind === 'choices' ? <ChoicesEditor {...props} /> : null}
      {part.kind === 'file' ? <FileSettings {...props} own={own} /> : null}
      {part.kind === 'fines' ? <FinesSettings own={own} fields={fields} /> : null}
      {part.kind === 'group' ? (
        <div>
          <Button
            variant="secondary"
            size="sm"
            icon={<Plus aria-hidden size={16} />}
            onPress={() => {
              const added = addToGroup(document, place);
              onChange(added.document);
              onSelect(added.place);
            }}
          >
            {t('field.addToGroup')}
          </Button>
        </div>
      ) : null}
      <ConditionEditor
        legend={t('condition.showWhen')}
        hint={t('condition.showWhenHint')}
        condition={part.showWhen}
        fields={fields}
        onChange={(condition) => set('showWhen', condition)}
        error={errorOf('showWhen')}
      />
      {part.required ? null : (
        <ConditionEditor
          legend={t('condition.requiredWhen')}
          hint={t('condition.requiredWhenHint')}
          condition={part.requiredWhen}
          fields={fields}
          onChange={(condition) => set('requiredWhen', condition)}
          error={errorOf('requiredWhen')}
        />
      )}
      <Advanced props={props} own={own} isInner={isInner} />
      {uses.length > 0 ? (
        <p className="text-sm text-ink-600">
          {t('field.usedBy', {
            parts: uses.map((title) => `\u2068${title[language]}\u2069`).join(t('sentence.comma')),
          })}
        </p>
      ) : null}
    </>
  );
}
