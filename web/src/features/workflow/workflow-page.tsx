import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { WorkflowsInForce } from '@diwan/contract/requests/workflows';
import { usePageTitle } from '../../lib/page/page-title.ts';
import { ComboField } from '../../ui/forms/combo-field.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { PageHeader } from '../../ui/data/page-header.tsx';
import { Skeleton, SkeletonText } from '../../ui/feedback/skeleton.tsx';
import { KeptWorkflows } from './kept-workflows.tsx';
import { PutInForceDialog } from './put-in-force-dialog.tsx';
import { ReplaceWorkflow } from './replace-workflow.tsx';
import { WorkflowInForce } from './workflow-in-force.tsx';
import type { Scope } from './workflow-scope.ts';
import { useDocument, useServiceChoices, useWorkflows } from './workflow.data.ts';

function Chosen({
  data,
  serviceId,
  serviceName,
}: {
  data: WorkflowsInForce;
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
  const scope: Scope = {
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
  const look = (kept: string) => {
    setText(kept);
    editor.current?.scrollIntoView({ block: 'start' });
  };
  return (
    <>
      <WorkflowInForce
        choice={choice}
        document={document}
        {...(origin ? { origin } : {})}
        onBack={canGoBack ? () => setIsGoingBack(true) : undefined}
        backLabel={serviceId === undefined ? t('replace.backGeneral') : t('replace.back')}
      />
      <div ref={editor} data-no-print className="flex scroll-mt-24 flex-col gap-6">
        <ReplaceWorkflow
          key={serviceId}
          scope={scope}
          inForce={document}
          text={text}
          onText={setText}
        />
        <KeptWorkflows kept={data.earlier} onUse={look} />
      </div>
      {isGoingBack ? (
        <PutInForceDialog
          scope={scope}
          onClose={() => setIsGoingBack(false)}
          onDone={() => setIsGoingBack(false)}
        />
      ) : null}
    </>
  );
}

/**
 * Which workflow new requests follow, for services in general and for one; an admin replaces it
 * here. Decision 0023.
 */
export function WorkflowPage() {
  const { t } = useTranslation(['workflow', 'dashboards', 'shell']);
  usePageTitle(t('title'));
  const [chosen, setChosen] = useState('');
  const { data, error, refetch, isFetching } = useWorkflows();
  const { data: services } = useServiceChoices();
  const serviceId = chosen === '' ? undefined : Number(chosen);
  const choices = (services ?? []).map(({ id, name }) => ({ value: String(id), label: name }));
  return (
    <div className="page pb-16">
      <PageHeader
        title={t('title')}
        lead={t('lead')}
        crumbs={[
          { label: t('dashboards:admin.title'), to: '/dashboard-Admin' },
          { label: t('title') },
        ]}
      />
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
