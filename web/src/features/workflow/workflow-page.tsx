import { Download, Printer, Undo2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { handleError } from '#lib/api/handle-error.ts';
import { send } from '#lib/api/send.ts';
import { saveText } from '#lib/browser/save-file.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { Button } from '#ui/actions/button.tsx';
import { Card } from '#ui/data/card.tsx';
import { ChangeHistory } from '#ui/data/change-history.tsx';
import { DataTable, type Column } from '#ui/data/data-table.tsx';
import { KeyValueList } from '#ui/data/key-value-list.tsx';
import { AdminPageHeader } from '#ui/data/page-header.tsx';
import { May } from '#ui/editing/permitted.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { Skeleton, SkeletonText } from '#ui/feedback/skeleton.tsx';
import { ComboField } from '#ui/forms/combo-field.tsx';
import { Moment } from '#ui/values/moment.tsx';
import { Reference } from '#ui/values/reference.tsx';
import type { Workflow } from '@diwan/contract/requests/workflow';
import { saveWorkflowDraft } from '@diwan/contract/requests/workflows';
import {
  putWorkflowInForce,
  type ActiveWorkflows,
  getWorkflowDocument,
  type WorkflowChoice,
} from '@diwan/contract/requests/workflows';
import { ActivateWorkflowDialog, type WorkflowScope } from './activate-workflow-dialog.tsx';
import { ReplaceWorkflow } from './replace-workflow.tsx';
import { useStoredDraft } from './workflow-draft.data.ts';
import { WorkflowEditor } from './workflow-editor.tsx';
import { WorkflowView } from './workflow-view.tsx';
import { useDocument, useServiceChoices, useWorkflowName, useWorkflows } from './workflow.data.ts';

interface ActiveWorkflowProps {
  choice: WorkflowChoice;
  document: Workflow;
  /** The source of the workflow, where it was not selected here. */
  origin?: string;
  onBack?: (() => void) | undefined;
  backLabel: string;
}

/** The active workflow: since when, by whom, as a diagram and a table. */
function ActiveWorkflow({ choice, document, origin, onBack, backLabel }: ActiveWorkflowProps) {
  const { t } = useTranslation('workflow');
  const nameOf = useWorkflowName();
  const items = [
    { label: t('page.name'), value: <bdi>{nameOf(choice.name)}</bdi> },
    { label: t('page.version'), value: <Reference>{String(choice.version)}</Reference> },
    ...(choice.since ? [{ label: t('page.since'), value: <Moment at={choice.since} /> }] : []),
    ...(choice.by ? [{ label: t('page.by'), value: <bdi>{choice.by}</bdi> }] : []),
  ];
  return (
    <Card title={t('page.inForce')}>
      <div className="flex flex-col gap-6">
        {choice.demo ? <Alert tone="info">{t('page.demo')}</Alert> : null}
        {origin ? <p className="text-ink-600">{origin}</p> : null}
        <KeyValueList items={items} />
        <div data-no-print className="flex flex-wrap gap-3">
          <Button
            variant="secondary"
            icon={<Download aria-hidden size={18} />}
            onPress={() =>
              saveText(JSON.stringify(document, null, 2), `workflow-${choice.workflowId}.json`)
            }
          >
            {t('page.download')}
          </Button>
          <Button
            variant="secondary"
            icon={<Printer aria-hidden size={18} />}
            onPress={() => window.print()}
          >
            {t('page.print')}
          </Button>
          {onBack ? (
            <Button
              call={putWorkflowInForce}
              variant="quiet"
              icon={<Undo2 aria-hidden size={18} className="mirror" />}
              onPress={onBack}
            >
              {backLabel}
            </Button>
          ) : null}
        </div>
        <WorkflowView workflow={document} id="workflow-in-force" />
      </div>
    </Card>
  );
}

type EarlierWorkflow = ActiveWorkflows['earlier'][number];

const load = (workflowId: number, onUse: (text: string) => void) =>
  void send(getWorkflowDocument, { query: { WorkflowId: workflowId } }).then(
    (document) => onUse(JSON.stringify(document, null, 2)),
    handleError,
  );

function useColumns(onUse: (text: string) => void): Column<EarlierWorkflow>[] {
  const { t } = useTranslation('workflow');
  const { count } = useFormat();
  const nameOf = useWorkflowName();
  return [
    {
      key: 'name',
      header: t('page.name'),
      isPrimary: true,
      cell: ({ name }) => <bdi>{nameOf(name)}</bdi>,
    },
    {
      key: 'version',
      header: t('page.version'),
      cell: ({ version }) => <Reference>{String(version)}</Reference>,
    },
    {
      key: 'created',
      header: t('earlier.created'),
      cell: ({ createdAt }) => <Moment at={createdAt} />,
    },
    {
      key: 'requests',
      header: t('earlier.requests'),
      cell: ({ requests }) => (requests === 0 ? t('earlier.none') : count(requests)),
    },
    {
      key: 'use',
      header: t('table.action'),
      call: putWorkflowInForce,
      cell: ({ workflowId }) => (
        <Button size="sm" variant="secondary" onPress={() => load(workflowId, onUse)}>
          {t('earlier.use')}
        </Button>
      ),
    },
  ];
}

/** All earlier workflows; each can be loaded into the editor and activated again. */
function EarlierWorkflows({
  workflows,
  onUse,
}: {
  workflows: readonly EarlierWorkflow[];
  onUse: (text: string) => void;
}) {
  const { t } = useTranslation('workflow');
  const columns = useColumns(onUse);
  return (
    <Card title={t('earlier.heading')}>
      <DataTable
        caption={t('earlier.caption')}
        columns={columns}
        rows={workflows}
        rowKey={({ workflowId }) => workflowId}
      />
    </Card>
  );
}

function WorkflowHistory({ serviceId = 'general' }: { serviceId: number | 'general' | undefined }) {
  return <ChangeHistory entity="workflow" entityId={serviceId} />;
}

/** The draft of the scope, once it is loaded. */
function DraftEditor({ active, scope }: { active: Workflow; scope: WorkflowScope }) {
  const { t } = useTranslation('workflow');
  const { data, error, refetch, isFetching } = useStoredDraft(scope.serviceId);
  if (data)
    return (
      <div data-no-print>
        <WorkflowEditor active={active} stored={data} scope={scope} />
      </div>
    );
  return error ? (
    <ErrorState error={error} title={t('edit.failed')} onRetry={refetch} isRetrying={isFetching} />
  ) : (
    <Skeleton>
      <SkeletonText lines={8} />
    </Skeleton>
  );
}

function Chosen({
  data,
  serviceId,
  serviceName,
}: {
  data: ActiveWorkflows;
  serviceId: number | undefined;
  serviceName: string | undefined;
}) {
  const { t } = useTranslation('workflow');
  const [text, setText] = useState('');
  const [isGoingBack, setIsGoingBack] = useState(false);
  const editor = useRef<HTMLDivElement>(null);
  const own = data.services.find((choice) => choice.serviceId === serviceId);
  const choice = own ?? data.general;
  const { data: document, error, refetch, isFetching } = useDocument(choice.workflowId);
  if (!document)
    return error ? (
      <ErrorState
        error={error}
        title={t('page.failed')}
        onRetry={refetch}
        isRetrying={isFetching}
      />
    ) : (
      <Skeleton>
        <SkeletonText lines={8} />
      </Skeleton>
    );
  const scope: WorkflowScope = {
    replaces: choice.workflowId,
    ...(serviceId === undefined ? {} : { serviceId, serviceName: serviceName ?? '' }),
  };
  const canGoBack = serviceId === undefined ? !data.isDeploymentOwn : own !== undefined;
  const origin =
    serviceId !== undefined && !own
      ? t('page.follows')
      : serviceId === undefined && data.isDeploymentOwn
        ? t('page.deployment')
        : undefined;
  const edit = (stored: string) => {
    setText(stored);
    editor.current?.scrollIntoView({ block: 'start' });
  };
  return (
    <>
      <ActiveWorkflow
        choice={choice}
        document={document}
        {...(origin ? { origin } : {})}
        onBack={canGoBack ? () => setIsGoingBack(true) : undefined}
        backLabel={serviceId === undefined ? t('replace.backGeneral') : t('replace.back')}
      />
      <May call={saveWorkflowDraft}>
        <DraftEditor key={choice.workflowId} active={document} scope={scope} />
      </May>
      <div ref={editor} data-no-print className="flex scroll-mt-24 flex-col gap-6">
        <May call={putWorkflowInForce}>
          <ReplaceWorkflow
            key={serviceId}
            scope={scope}
            active={document}
            text={text}
            onText={setText}
          />
        </May>
        <EarlierWorkflows workflows={data.earlier} onUse={edit} />
        <WorkflowHistory serviceId={serviceId} />
      </div>
      {isGoingBack ? (
        <ActivateWorkflowDialog
          scope={scope}
          onClose={() => setIsGoingBack(false)}
          onDone={() => setIsGoingBack(false)}
        />
      ) : null}
    </>
  );
}

/**
 * Shows and replaces the workflow of new requests, in general and for one service. Decision 0023.
 */
export function WorkflowPage() {
  const { t } = useTranslation(['workflow', 'shell', 'saving']);
  usePageTitle(t('title'));
  const [chosen, setChosen] = useState('');
  const { data, error, refetch, isFetching } = useWorkflows();
  const { data: services } = useServiceChoices();
  const serviceId = chosen === '' ? undefined : Number(chosen);
  const choices = (services ?? []).map(({ id, name }) => ({ value: String(id), label: name }));
  return (
    <div className="page pb-16">
      <AdminPageHeader title={t('title')} lead={t('lead')} />
      <div className="flex flex-col gap-6">
        <div data-no-print className="flex max-w-form flex-col gap-3">
          <ComboField
            name="serviceId"
            label={t('page.scope')}
            placeholder={t('page.general')}
            value={chosen}
            onChange={setChosen}
            choices={choices}
          />
          {data ? (
            <p className="text-sm text-ink-600">
              {data.services.length === 0 ? (
                t('page.noneOwn')
              ) : (
                <>
                  {t('page.ownList')}:{' '}
                  <bdi>
                    {data.services
                      .map(({ serviceName }) => serviceName)
                      .join(t('shell:listSeparator'))}
                  </bdi>
                </>
              )}
            </p>
          ) : null}
        </div>
        {data ? (
          <Chosen
            key={chosen}
            data={data}
            serviceId={serviceId}
            serviceName={choices.find(({ value }) => value === chosen)?.label}
          />
        ) : error ? (
          <ErrorState
            error={error}
            title={t('page.failed')}
            onRetry={refetch}
            isRetrying={isFetching}
          />
        ) : (
          <Skeleton>
            <SkeletonText lines={8} />
          </Skeleton>
        )}
      </div>
    </div>
  );
}
