import { useState, type ReactNode } from 'react';
import { messageOf } from '#lib/api/handle-error.ts';
import { useMayCall } from '#lib/api/session.ts';
import { useAction } from '#lib/api/use-call.ts';
import { isSameJson } from '#lib/documents/whole-document.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { useNavigate, useParams } from '#lib/router/router-provider.tsx';
import { Button } from '#ui/actions/button.tsx';
import { PageHeader } from '#ui/data/page-header.tsx';
import { Tabs } from '#ui/data/tabs.tsx';
import { ConflictChoice } from '#ui/editing/conflict-choice.tsx';
import { SavedFields } from '#ui/editing/permitted.tsx';
import { SavedLine } from '#ui/editing/saved-line.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import {
  restoreService,
  updateServiceDraft,
  saveServiceDraft,
  createServiceDraft,
  type ServiceDesign,
} from '@diwan/contract/catalogue/service-designs';
import type { LocalizedText } from '@diwan/contract/wire/languages';
import { FormPreview } from '../requests/create/form-preview.tsx';
import { FormBuilder } from './builder/form-builder.tsx';
import { JsonView } from './builder/json-view.tsx';
import { ProblemList } from './builder/problem-list.tsx';
import { useDesignEditor, useServiceDesign, type DesignEditor } from './design-editor.data.ts';
import type { Place } from './model/document-parts.ts';
import { PreviewView } from './preview/preview-view.tsx';
import { PublishView } from './publish/publish-view.tsx';

/** Names of the properties of a document that two people changed differently. */
function Conflict({ editor }: { editor: DesignEditor }) {
  const { t } = useTranslation('designer');
  const { document, view } = editor;
  const [conflict] = view.conflicts;
  if (!conflict) return null;
  const { theirs } = conflict;
  const summaryOf = (design: ServiceDesign['document'], property: keyof typeof design) => {
    const value = design[property];
    const count =
      property === 'form' ? design.form.steps.flatMap(({ fields }) => fields).length : 0;
    if (property === 'form') return t('conflict.questions', { count });
    if (Array.isArray(value)) return t('conflict.items', { count: value.length });
    if (typeof value === 'object' && value !== null) return Object.values(value).join(' / ');
    return value === null || value === '' ? t('differences.nothing') : String(value);
  };
  const properties = Object.keys(document) as (keyof typeof document)[];
  return (
    <ConflictChoice
      by={theirs === view.saved.content ? view.saved.design.savedBy : undefined}
      isUndoable
      fields={properties
        .filter((property) => !isSameJson(document[property], theirs[property]))
        .map((property) => ({
          label: t(`differences.properties.${property}`),
          mine: summaryOf(document, property),
          theirs: summaryOf(theirs, property),
        }))}
      onKeepMine={() => editor.resolve(document)}
      onTakeTheirs={() => editor.resolve(theirs)}
    />
  );
}

function Notices({ editor }: { editor: DesignEditor }) {
  const { t } = useTranslation(['designer', 'errors']);
  const { design, problem } = editor;
  const { state, isRestored } = editor.view;
  return (
    <>
      <Conflict editor={editor} />
      {isRestored && state !== 'conflict' ? (
        <Alert tone="info">{t('saving.restored')}</Alert>
      ) : null}
      {problem && state === 'refused' ? (
        <Alert tone="danger" isLive title={messageOf(problem)}>
          {Object.keys(problem.fieldErrors).map((field) => (
            <bdi key={field} dir="ltr" className="block">
              {field}
            </bdi>
          ))}
        </Alert>
      ) : null}
      {design.isOutdated ? (
        <Alert
          tone="warning"
          title={t('outdated')}
          action={
            <Button
              call={updateServiceDraft}
              size="sm"
              isPending={editor.pending === 'update'}
              onPress={() => void editor.update()}
            >
              {t('update')}
            </Button>
          }
        />
      ) : null}
      {design.isRetired ? (
        <Alert
          title={t('retired')}
          action={
            <Button
              call={restoreService}
              size="sm"
              isPending={editor.pending === 'offer'}
              onPress={() => void editor.offerAgain()}
            >
              {t('offerAgain')}
            </Button>
          }
        />
      ) : null}
      {design.publishProblem ? (
        <Alert tone="danger" title={t('publishFailed')}>
          {t(`errors:refusals.${design.publishProblem}`)}
        </Alert>
      ) : null}
    </>
  );
}

/** The tabs in which a service is changed. */
const isOfEditors = (tab: string) => tab === 'build' || tab === 'problems';

function Designer({ serviceId, loaded }: { serviceId: number; loaded: ServiceDesign }) {
  const { t } = useTranslation('designer');
  const editor = useDesignEditor(serviceId, loaded);
  const mayChange = useMayCall(saveServiceDraft);
  // A publication that waits for a second person is what they come for, and a change ends it.
  const [tab, setTab] = useState(loaded.waiting ? 'publish' : mayChange ? 'build' : 'preview');
  const [place, setPlace] = useState<Place>('about');
  const [visits, setVisits] = useState(0);
  const [showsMissing, setShowsMissing] = useState(false);
  const { problems } = editor.design;
  const showProblems = () => {
    setShowsMissing(true);
    setTab('problems');
  };
  return (
    <>
      <DesignerHeader name={editor.document.name} action={<CopyService serviceId={serviceId} />} />
      <div className="flex flex-col gap-4">
        <Notices editor={editor} />
        <SavedLine view={editor.view} noDraft={t('saving.unchanged')} />
        <Tabs
          label={t('tabs.label')}
          selected={tab}
          onSelect={(id) => {
            if (id === 'problems') setShowsMissing(true);
            setTab(id);
          }}
          tabs={[
            {
              id: 'build',
              label: t('tabs.build'),
              content: (
                <FormBuilder
                  editor={editor}
                  place={place}
                  onSelect={setPlace}
                  showsMissing={showsMissing}
                  visits={visits}
                />
              ),
            },
            {
              id: 'preview',
              label: t('tabs.preview'),
              content: (
                <PreviewView
                  document={editor.document}
                  renderForm={({ document: { form, attachments, fees }, ...rest }) => (
                    <FormPreview form={form} attachments={attachments} fees={fees} {...rest} />
                  )}
                />
              ),
            },
            {
              id: 'problems',
              label: t('tabs.problems', { number: problems.length }),
              content: (
                <ProblemList
                  document={editor.document}
                  problems={problems}
                  onOpen={(at) => {
                    setPlace(at);
                    setVisits((before) => before + 1);
                    setTab('build');
                  }}
                />
              ),
            },
            {
              id: 'json',
              label: t('tabs.json'),
              content: (
                <SavedFields call={saveServiceDraft}>
                  <JsonView editor={editor} />
                </SavedFields>
              ),
            },
            {
              id: 'publish',
              label: t('tabs.publish'),
              content: (
                <PublishView serviceId={serviceId} editor={editor} onProblems={showProblems} />
              ),
            },
          ].filter(({ id }) => mayChange || !isOfEditors(id))}
        />
      </div>
    </>
  );
}

/** Begins a new service with what this one has. */
function CopyService({ serviceId }: { serviceId: number }) {
  const { t } = useTranslation('designer');
  const navigate = useNavigate();
  const copy = useAction(createServiceDraft, {
    onSuccess: (made) => navigate(`/dashboard/services/${made.serviceId}`),
  });
  return (
    <Button
      call={createServiceDraft}
      variant="secondary"
      size="sm"
      isPending={copy.isPending}
      onPress={() => copy.mutate({ body: { copyOf: serviceId } })}
    >
      {t('start.copyThis')}
    </Button>
  );
}

/** The header with the name of the service, which changes while it is typed. */
function DesignerHeader({ name, action }: { name?: LocalizedText; action?: ReactNode }) {
  const { t } = useTranslation(['designer', 'dashboards']);
  const { language } = useLanguage();
  const title = name?.[language] || t('title');
  usePageTitle(title);
  return (
    <PageHeader
      title={title}
      lead={t('lead')}
      crumbs={[
        { label: t('services.title', { ns: 'dashboards' }), to: '/dashboard/services' },
        { label: title },
      ]}
      action={action}
    />
  );
}

/** One service: its draft as an outline with a panel, its preview, problems, and publication. */
export function ServiceDesignerPage() {
  const { t } = useTranslation(['designer', 'saving']);
  const serviceId = Number(useParams().serviceId);
  const design = useServiceDesign(serviceId);
  return (
    <div className="page pb-16">
      {design.data ? (
        <Designer key={serviceId} serviceId={serviceId} loaded={design.data} />
      ) : (
        <>
          <DesignerHeader />
          {design.error ? (
            <ErrorState error={design.error} title={t('failed')} onRetry={design.refetch} />
          ) : (
            <SkeletonRows count={6} />
          )}
        </>
      )}
    </div>
  );
}
