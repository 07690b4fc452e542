import { Suspense, useState } from 'react';
import type { DesignDifference } from '@diwan/contract/catalogue/service-designs';
import {
  getChanges,
  type Change,
  type ChangeEntity,
  type FieldChange,
} from '@diwan/contract/people/changes';
import { directionOf } from '@diwan/contract/wire/languages';
import { useCall } from '../../lib/api/use-call.ts';
import { useFormat } from '../../lib/i18n/format.ts';
import { useTranslation } from '../../lib/i18n/translate.ts';
import { Button } from '../actions/button.tsx';
import { DifferenceLine } from '../designs/difference-line.tsx';
import { ErrorState } from '../feedback/error-state.tsx';
import { SkeletonRows } from '../feedback/skeleton.tsx';
import { Moment } from '../values/moment.tsx';
import { Reference } from '../values/reference.tsx';

type FieldLabel = (field: string) => string | undefined;

// Amounts are stored in fils, and the rate of a provider in hundredths of a percent.
const moneyFields = new Set(['amount', 'minimum', 'maximum', 'fixed']);
const providerFields = new Set(['fallback', 'payee']);

/** A value of a field in words: a number or a code that is stored, such as the state of a refund. */
function useWords() {
  const { t } = useTranslation('changes');
  const { money, date } = useFormat();
  const wordsOfNumber = (field: string, value: number) => {
    if (moneyFields.has(field)) return money(value);
    return String(field === 'rate' ? value / 100 : value);
  };
  const wordsOfText = (field: string, value: string) => {
    if (/^\d{4}-\d\d-\d\d$/.test(value)) return date(value);
    if (!/^[\w-]+$/.test(value)) return value;
    const key = `values.${providerFields.has(field) ? 'provider' : field}.${value}`;
    const known = t(key);
    return known === key ? value : known;
  };
  return (field: string, value: unknown) => {
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
    if (typeof value === 'number') return wordsOfNumber(field, value);
    return wordsOfText(field, String(value));
  };
}

/** Where other pages have the words of a code, by kind of thing and field. A list of codes is JSON text. */
const wordsOfCodes: Readonly<Record<string, string>> = {
  'announcement.kind': 'announcements:kinds.',
  'announcement.severity': 'announcements:severities.',
  'partner.reasons': 'partner-messages:reasons.',
  'user.roles': 'shell:roles.',
};
const isMoment = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value);

function codesIn(value: string): string[] {
  if (!value.startsWith('[')) return [value];
  try {
    return (JSON.parse(value) as unknown[]).map(String);
  } catch {
    return [value];
  }
}

/** Codes in words; one without words, such as of an earlier release, as it is. */
function CodeWords({ value, place }: { value: string; place: string }) {
  const [namespace = '', path = ''] = place.split(':');
  const { t } = useTranslation(namespace);
  const format = useFormat();
  const { t: word } = useTranslation('changes');
  const words = codesIn(value).map((code) => {
    const text = t(place + code);
    return text === path + code ? code : text;
  });
  return words.length > 0 ? format.list(words) : word('nothing');
}

interface ChangedValueProps extends Pick<FieldChange, 'field' | 'language'> {
  value: unknown;
  entity: ChangeEntity;
}

/** A changed value in words. `language`: of a text. */
function ChangedValue({ value, entity, field, language }: ChangedValueProps) {
  const { t } = useTranslation('changes');
  const format = useFormat();
  const wordsOf = useWords();
  if (value === undefined || value === null || value === '')
    return <span className="text-ink-500">{t('nothing')}</span>;
  const place = wordsOfCodes[`${entity}.${field}`];
  if (place && typeof value === 'string')
    return (
      <Suspense fallback="…">
        <CodeWords value={value} place={place} />
      </Suspense>
    );
  if (isMoment(value)) return <Moment at={value} />;
  if (typeof value === 'number' && field === 'maximumBytes') return format.fileSize(value);
  return (
    <bdi
      lang={language}
      dir={language ? directionOf(language) : 'auto'}
      className="whitespace-pre-wrap wrap-anywhere"
    >
      {wordsOf(field, value)}
    </bdi>
  );
}

function parseStructure(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A change of a part of a service as a difference; a structure in it is JSON text. */
function toDifference(
  { field, language, before, after }: FieldChange,
  place: NonNullable<FieldChange['place']>,
): DesignDifference {
  const isText = language !== undefined || field === 'pattern';
  const read = (value: FieldChange['before']) =>
    typeof value === 'string' && !isText && /^[[{]/.test(value) ? parseStructure(value) : value;
  const property = field === '' ? undefined : field;
  return { ...place, property, language, before: read(before), after: read(after) };
}

/** Each field that changed, with its value before and after. `fieldLabel` names special fields. */
export function ChangedFields({
  entity,
  fields,
  fieldLabel,
}: {
  entity: ChangeEntity;
  fields: readonly FieldChange[];
  fieldLabel?: FieldLabel | undefined;
}) {
  const { t } = useTranslation('changes');
  const format = useFormat();
  const labelOf = (field: string) => {
    const known = t(`fields.${field}`);
    return fieldLabel?.(field) ?? (known === `fields.${field}` ? field : known);
  };
  const parts = fields.flatMap((field) => (field.place ? toDifference(field, field.place) : []));
  const plain = fields.filter(({ place }) => !place);
  return (
    <>
      {parts.length > 0 ? (
        <Suspense fallback={<SkeletonRows count={1} />}>
          <ul className="flex flex-col gap-3 text-sm">
            {parts.map((difference, index) => (
              <li key={index} className="wrap-anywhere">
                <DifferenceLine difference={difference} />
              </li>
            ))}
          </ul>
        </Suspense>
      ) : null}
      {plain.length > 0 ? (
        <dl className="flex flex-col gap-3 text-sm">
          {plain.map(({ field, language, before, after }) => (
            <div key={`${field} ${language}`}>
              <dt className="font-medium text-ink-800">
                {labelOf(field)}
                {language ? ` (${format.language(language)})` : null}
              </dt>
              <dd className="text-ink-600 line-through decoration-ink-400">
                <span className="sr-only">{t('before')} </span>
                <ChangedValue value={before} {...{ entity, field, language }} />
              </dd>
              <dd className="text-ink-900">
                <span className="sr-only">{t('after')} </span>
                <ChangedValue value={after} {...{ entity, field, language }} />
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
    </>
  );
}

const pageSize = 10;

/** What was changed about one thing, newest first; it is read when it is opened. Admins only. */
export function ChangeHistory({
  entity,
  entityId,
  fieldLabel,
}: {
  entity: ChangeEntity;
  entityId: string | number;
  fieldLabel?: FieldLabel;
}) {
  const { t } = useTranslation('changes');
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="min-h-11 w-fit py-2 font-medium">{t('history')}</summary>
      {isOpen ? (
        <ChangeEntries entity={entity} entityId={String(entityId)} fieldLabel={fieldLabel} />
      ) : null}
    </details>
  );
}

function ChangeEntries({
  entity,
  entityId,
  fieldLabel,
}: {
  entity: ChangeEntity;
  entityId: string;
  fieldLabel: FieldLabel | undefined;
}) {
  const { t } = useTranslation('changes');
  const [count, setCount] = useState(pageSize);
  const changes = useCall(getChanges, {
    query: { Entity: entity, EntityId: entityId, Take: Math.min(count, 100) },
    keepPrevious: true,
  });
  const { data, error } = changes;
  if (error && !data)
    return <ErrorState error={error} onRetry={changes.refetch} isRetrying={changes.isRefetching} />;
  if (!data) return <SkeletonRows count={2} />;
  if (data.items.length === 0) return <p className="text-ink-600">{t('none')}</p>;
  return (
    <div className="flex flex-col items-start gap-4">
      <ol className="flex w-full flex-col gap-4">
        {data.items.map((change) => (
          <li key={change.id} className="border-s-2 border-ink-100 ps-4">
            <ChangeLine change={change} />
            <ChangedFields entity={entity} fields={change.fields} fieldLabel={fieldLabel} />
          </li>
        ))}
      </ol>
      {data.items.length < data.totalCount && count < 100 ? (
        <Button variant="secondary" size="sm" onPress={() => setCount(count + pageSize)}>
          {t('showMore')}
        </Button>
      ) : null}
    </div>
  );
}

/** What happened, by whom, when and from where. */
function ChangeLine({ change }: { change: Change }) {
  const { t } = useTranslation('changes');
  return (
    <p className="pb-1">
      <span className="font-semibold">{t(`actions.${change.action}`)}</span>{' '}
      <span className="text-sm text-ink-600">
        <bdi>{change.fullName}</bdi> · <Moment at={change.at} />
        {change.address ? (
          <>
            {' · '}
            <Reference>{change.address}</Reference>
          </>
        ) : null}
      </span>
    </p>
  );
}
