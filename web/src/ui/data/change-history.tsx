import { Suspense, useState } from 'react';
import { useMayCall } from '#lib/api/session.ts';
import { useCall } from '#lib/api/use-call.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import type { DesignDifference } from '@diwan/contract/catalogue/service-designs';
import {
  getChanges,
  type Change,
  type ChangeEntity,
  type FieldChange,
} from '@diwan/contract/people/changes';
import { languages, type Language } from '@diwan/contract/wire/languages';
import { Button } from '../actions/button.tsx';
import { DifferenceLine } from '../designs/difference-line.tsx';
import { ErrorState } from '../feedback/error-state.tsx';
import { SkeletonRows } from '../feedback/skeleton.tsx';
import { Moment } from '../values/moment.tsx';
import { Reference } from '../values/reference.tsx';
import { ChangedValue, parseStructure } from './changed-value.tsx';

/** Where other pages have the names of the fields of a thing. */
const placesOfLabels: Partial<Record<ChangeEntity, string>> = {
  catalogue: 'catalogue:jobs.lists.',
  certificateTemplate: 'certificates:fields.',
  portal: 'portal:fields.',
  service: 'catalogue:fields.',
  workflow: 'workflow:edit.fields.',
};

/** What a field is called; one without a name, such as of an earlier release, is shown as it is. */
function FieldLabel({ entity, field }: { entity: ChangeEntity; field: string }) {
  const place = placesOfLabels[entity];
  const { t } = useTranslation(['changes', ...(place ? place.split(':', 1) : [])]);
  const known = [`changes:fields.${field}`, ...(place ? [place + field] : [])].find(
    (key) => t(key) !== key.slice(key.indexOf(':') + 1),
  );
  return <span>{known ? t(known) : field}</span>;
}

/** A form of a text: its language, and which plural form. The field is `texts.<language>.<form>`. */
function FormLabel({ language, form }: { language: Language; form: string | undefined }) {
  const { t } = useTranslation(['texts', 'shell']);
  return (
    <span>
      {form === undefined ? t(`shell:languages.${language}`) : t(`forms.${language}.${form}`)}
    </span>
  );
}

/** A form of a text as a text of its language. */
function splitForm({ field, language, ...values }: FieldChange) {
  const [, of, form] = field.split('.');
  const ofForm = field.startsWith('texts.') && languages.find((each) => each === of);
  return { ...values, field, language: language ?? (ofForm || undefined), form, ofForm };
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

/** Each field that changed, with its value before and after; of a new or a deleted one only one of them. */
export function ChangedFields({
  entity,
  fields,
}: {
  entity: ChangeEntity;
  fields: readonly FieldChange[];
}) {
  const { t } = useTranslation('changes');
  const format = useFormat();
  const parts = fields.flatMap((field) => (field.place ? toDifference(field, field.place) : []));
  const plain = fields.filter(({ place }) => !place).map(splitForm);
  return (
    <Suspense fallback={<SkeletonRows count={1} />}>
      {parts.length > 0 ? (
        <ul className="flex flex-col gap-3 text-sm">
          {parts.map((difference, index) => (
            <li key={index} className="wrap-anywhere">
              <DifferenceLine difference={difference} />
            </li>
          ))}
        </ul>
      ) : null}
      {plain.length > 0 ? (
        <dl className="flex flex-col gap-3 text-sm">
          {plain.map(({ field, language, ofForm, form, ...values }) => (
            <div key={`${field} ${language}`}>
              <dt className="font-medium text-ink-800">
                {ofForm ? (
                  <FormLabel language={ofForm} form={form} />
                ) : (
                  <FieldLabel entity={entity} field={field} />
                )}
                <span>{language && !ofForm ? ` (${format.language(language)})` : null}</span>
              </dt>
              {values.before === undefined && values.after !== undefined ? null : (
                <dd className="text-ink-600 line-through decoration-ink-400">
                  <span className="sr-only">{t('before')} </span>
                  <ChangedValue
                    {...{ entity, field, language }}
                    value={values.before}
                    names={values.beforeNames}
                  />
                </dd>
              )}
              {values.after === undefined && values.before !== undefined ? null : (
                <dd className="text-ink-900">
                  <span className="sr-only">{t('after')} </span>
                  <ChangedValue
                    {...{ entity, field, language }}
                    value={values.after}
                    names={values.afterNames}
                  />
                </dd>
              )}
            </div>
          ))}
        </dl>
      ) : null}
    </Suspense>
  );
}

/** What a change was about: its kind, and its name where it has one. */
export function ChangedThing({
  change: { entity, entityId, name },
}: {
  change: Pick<Change, 'entity' | 'entityId' | 'name'>;
}) {
  const { t } = useTranslation('changes');
  const code = name ?? entityId;
  const keys = /^[\w-]+$/.test(code) ? [`things.${code}`, `values.provider.${code}`] : [];
  const known = keys.find((key) => t(key) !== key);
  // A number that only the database knows says nothing.
  const isNumber = name === undefined && /^(\d+|[\da-f-]{36})$/.test(entityId);
  return (
    <>
      <span>{t(`entities.${entity}`)}</span>
      {isNumber ? null : (
        <>
          : <bdi>{known ? t(known) : code}</bdi>
        </>
      )}
    </>
  );
}

const pageSize = 10;

/** What was changed about one thing, newest first; it is read when it is opened. Admins only. */
export function ChangeHistory({
  entity,
  entityId,
}: {
  entity: ChangeEntity;
  entityId: string | number;
}) {
  const { t } = useTranslation('changes');
  const [isOpen, setIsOpen] = useState(false);
  if (!useMayCall(getChanges)) return null;
  return (
    <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="min-h-11 w-fit py-2 font-medium">{t('history')}</summary>
      {isOpen ? <ChangeEntries entity={entity} entityId={String(entityId)} /> : null}
    </details>
  );
}

function ChangeEntries({ entity, entityId }: { entity: ChangeEntity; entityId: string }) {
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
            <ChangedFields entity={entity} fields={change.fields} />
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
