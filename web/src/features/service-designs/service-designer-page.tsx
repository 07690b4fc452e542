import { useState } from 'react';
import type {
  DesignDifference,
  DesignProblem,
  ServiceDesign,
} from '@diwan/contract/catalogue/service-designs';
import type { DraftDocument } from '@diwan/contract/catalogue/service-document';
import { useFormat } from '../../lib/i18n/format.ts';
import { useLanguage } from '../../lib/i18n/language.ts';
import { useTranslation } from '../../lib/i18n/translate.ts';
import { usePageTitle } from '../../lib/page/head.ts';
import { useParams } from '../../lib/router/router-provider.tsx';
import { Button } from '../../ui/actions/button.tsx';
import { Card } from '../../ui/data/card.tsx';
import { PageHeader } from '../../ui/data/page-header.tsx';
import { LocalizedFields } from '../../ui/editing/localized-fields.tsx';
import { Alert } from '../../ui/feedback/alert.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { NumberField } from '../../ui/forms/number-field.tsx';
import { TextAreaField } from '../../ui/forms/text-area-field.tsx';
import { TextField } from '../../ui/forms/text-field.tsx';
import { Moment } from '../../ui/values/moment.tsx';
import { messageOf } from '../../lib/api/handle-error.ts';
import { useDesignActions, useServiceDesign } from './service-designs.data.ts';

const texts = ['name', 'description', 'result', 'terms'] as const;

function readDocument(text: string): DraftDocument | undefined {
  try {
    return JSON.parse(text) as DraftDocument;
  } catch {
    return undefined;
  }
}

function ProblemList({ problems }: { problems: readonly DesignProblem[] }) {
  const { t } = useTranslation('designs');
  if (problems.length === 0) return <p>{t('problems.none')}</p>;
  return (
    <ul className="flex flex-col gap-2">
      {problems.map(({ severity, code, place, params }) => (
        <li key={`${code} ${place} ${params.language ?? ''}`}>
          <strong>{t(`problems.${severity}`)}</strong> <bdi dir="ltr">{place}</bdi>{' '}
          <bdi dir="ltr" className="text-ink-600">
            {[code, ...Object.values(params)].join(' ')}
          </bdi>
        </li>
      ))}
    </ul>
  );
}

const textOf = (value: unknown) =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);

function DifferenceList({ differences }: { differences: readonly DesignDifference[] }) {
  const { t } = useTranslation('designs');
  const { language } = useLanguage();
  const format = useFormat();
  if (differences.length === 0) return <p>{t('differences.none')}</p>;
  return (
    <ul className="flex flex-col gap-3">
      {differences.map((each, index) => (
        <li key={index} className="wrap-anywhere">
          <strong>{t(`differences.${each.kind}`)}</strong>{' '}
          <bdi>
            {[...each.path.map((title) => title[language]), each.property ?? each.part].join(' – ')}
          </bdi>
          {each.language ? ` (${format.language(each.language)})` : null}
          {each.kind === 'changed' ? (
            <span className="block text-sm text-ink-600">
              <del>
                <bdi>{textOf(each.before)}</bdi>
              </del>{' '}
              <ins className="no-underline">
                <bdi>{textOf(each.after)}</bdi>
              </ins>
            </span>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

type Actions = ReturnType<typeof useDesignActions>;

function DesignNotices({ design, actions }: { design: ServiceDesign; actions: Actions }) {
  const { t } = useTranslation('designs');
  return (
    <>
      {design.isOutdated ? (
        <Alert
          tone="warning"
          title={t('outdated')}
          action={<Button onPress={() => void actions.update()}>{t('update')}</Button>}
        />
      ) : null}
      {design.isRetired ? (
        <Alert
          title={t('retired')}
          action={<Button onPress={() => void actions.offerAgain()}>{t('offerAgain')}</Button>}
        />
      ) : null}
    </>
  );
}

function PublicationState({ design, onCancel }: { design: ServiceDesign; onCancel: () => void }) {
  const { t } = useTranslation(['designs', 'errors']);
  return (
    <>
      {design.publishAt ? (
        <Alert title={t('scheduled')} action={<Button onPress={onCancel}>{t('cancel')}</Button>}>
          <Moment at={design.publishAt} />
        </Alert>
      ) : null}
      {design.publishProblem ? (
        <Alert tone="danger" title={t(`errors:refusals.${design.publishProblem}`)} />
      ) : null}
    </>
  );
}

function Designer({ serviceId, design }: { serviceId: number; design: ServiceDesign }) {
  const { t } = useTranslation('designs');
  const { versions, differences } = useServiceDesign(serviceId);
  const [text, setText] = useState(() => JSON.stringify(design.document, null, 2));
  const [time, setTime] = useState('');
  const actions = useDesignActions(serviceId, design.version);
  const document = readDocument(text);
  const change = (part: Partial<DraftDocument>) =>
    setText(JSON.stringify({ ...document, ...part }, null, 2));
  const isSaved = text === JSON.stringify(design.document, null, 2);
  const hasErrors = design.problems.some(({ severity }) => severity === 'error');
  return (
    <div className="flex flex-col gap-6">
      {actions.problem ? (
        <Alert tone="danger" isLive title={messageOf(actions.problem)}>
          {Object.keys(actions.problem.fieldErrors).map((field) => (
            <bdi key={field} dir="ltr" className="block">
              {field}
            </bdi>
          ))}
        </Alert>
      ) : null}
      <DesignNotices design={design} actions={actions} />
      {document ? (
        <Card title={t('about')}>
          <div className="flex flex-col gap-6">
            {texts.map((name) => (
              <LocalizedFields
                key={name}
                legend={t(`texts.${name}`)}
                name={name}
                value={document[name]}
                onChange={(value) => change({ [name]: value })}
                rows={name === 'name' ? 1 : 3}
                maxLength={2000}
              />
            ))}
            <TextField
              label={t('address')}
              dir="ltr"
              value={document.replacedName}
              onChange={(replacedName) => change({ replacedName })}
              isDisabled={design.isPublished}
            />
            <NumberField
              label={t('workingDays')}
              value={document.workingDays}
              onChange={(workingDays) => change({ workingDays: Number(workingDays ?? 0) })}
            />
          </div>
        </Card>
      ) : null}
      <Card title={t('json')}>
        <TextAreaField
          label={t('jsonLabel')}
          description={t('jsonHint')}
          dir="ltr"
          rows={24}
          value={text}
          onChange={setText}
          error={document ? undefined : t('jsonWrong')}
        />
      </Card>
      <div className="flex flex-wrap gap-3">
        <Button
          isPending={actions.pending === 'save'}
          isDisabled={!document || isSaved}
          onPress={() => void actions.save(text)}
        >
          {t('save')}
        </Button>
        <Button
          variant="secondary"
          isPending={actions.pending === 'publish'}
          isDisabled={!isSaved || hasErrors || design.version === 0}
          onPress={() => void actions.publish(time ? new Date(`${time}+04:00`).toISOString() : '')}
        >
          {t(time ? 'publishAt' : 'publish')}
        </Button>
        {design.version > 0 ? (
          <Button variant="quiet" onPress={() => void actions.discard()}>
            {t('discard')}
          </Button>
        ) : null}
      </div>
      <TextField
        label={t('time')}
        description={t('timeHint')}
        placeholder="2026-12-31T08:00"
        dir="ltr"
        isOptional
        width="medium"
        value={time}
        onChange={setTime}
        error={time !== '' && Number.isNaN(Date.parse(`${time}+04:00`)) ? t('timeHint') : undefined}
      />
      <PublicationState design={design} onCancel={() => void actions.cancel()} />
      <Card title={t('problems.title')}>
        <ProblemList problems={design.problems} />
      </Card>
      <Card title={t('differences.title')}>
        <DifferenceList differences={differences.data ?? []} />
      </Card>
      <Card title={t('versions')}>
        <ol className="flex flex-col gap-3">
          {(versions.data ?? []).map(({ number, at, by }) => (
            <li key={number} className="flex flex-wrap items-center gap-3">
              <bdi>{number}</bdi> <Moment at={at} /> <bdi>{by}</bdi>
              <Button
                size="sm"
                variant="secondary"
                isPending={actions.pending === `version ${number}`}
                onPress={() => void actions.restoreVersion(number)}
              >
                {t('restoreVersion', { number })}
              </Button>
            </li>
          ))}
        </ol>
      </Card>
    </div>
  );
}

/** One service: edit its draft, compare, publish now or at a time, restore a version. */
export function ServiceDesignerPage() {
  const { t } = useTranslation(['designs', 'dashboards', 'errors']);
  const { language } = useLanguage();
  const serviceId = Number(useParams().serviceId);
  const { design } = useServiceDesign(serviceId);
  const title = design.data?.document.name[language] || t('title');
  usePageTitle(title);
  return (
    <div className="page pb-16">
      <PageHeader
        title={title}
        lead={t('lead')}
        crumbs={[
          { label: t('services.title', { ns: 'dashboards' }), to: '/dashboard/services' },
          { label: title },
        ]}
      />
      {design.data ? (
        <Designer
          key={`${design.data.version} ${design.data.isPublished}`}
          serviceId={serviceId}
          design={design.data}
        />
      ) : design.error ? (
        <ErrorState error={design.error} title={t('failed')} onRetry={design.refetch} />
      ) : (
        <SkeletonRows count={6} />
      )}
    </div>
  );
}
