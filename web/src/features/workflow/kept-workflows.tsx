import { useTranslation } from 'react-i18next';
import type { WorkflowsInForce } from '@diwan/contract/requests/workflows';
import { getWorkflowDocument } from '@diwan/contract/requests/workflows';
import { useFormat } from '../../lib/i18n/format.ts';
import { handleError } from '../../lib/api/handle-error.ts';
import { send } from '../../lib/api/send.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Card } from '../../ui/data/card.tsx';
import { DataTable, type Column } from '../../ui/data/data-table.tsx';
import { Moment } from '../../ui/values/moment.tsx';
import { Reference } from '../../ui/values/reference.tsx';

type Kept = WorkflowsInForce['earlier'][number];

const load = (workflowId: number, onUse: (text: string) => void) =>
  void send(getWorkflowDocument, { query: { WorkflowId: workflowId } }).then(
    (document) => onUse(JSON.stringify(document, null, 2)),
    handleError,
  );

function useColumns(onUse: (text: string) => void): Column<Kept>[] {
  const { t } = useTranslation('workflow');
  const { count } = useFormat();
  return [
    { key: 'name', header: t('page.name'), isPrimary: true, cell: ({ name }) => <bdi>{name}</bdi> },
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
      cell: ({ workflowId }) => (
        <Button size="sm" variant="secondary" onPress={() => load(workflowId, onUse)}>
          {t('earlier.use')}
        </Button>
      ),
    },
  ];
}

/** Every document that was ever in force; one of them can be looked at and put in force again. */
export function KeptWorkflows({
  kept,
  onUse,
}: {
  kept: readonly Kept[];
  onUse: (text: string) => void;
}) {
  const { t } = useTranslation('workflow');
  const columns = useColumns(onUse);
  return (
    <Card title={t('earlier.heading')}>
      <DataTable
        caption={t('earlier.caption')}
        columns={columns}
        rows={kept}
        rowKey={({ workflowId }) => workflowId}
      />
    </Card>
  );
}
