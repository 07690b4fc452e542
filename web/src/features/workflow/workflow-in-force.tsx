import { Download, Printer, Undo2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Workflow } from '@diwan/contract/requests/workflow';
import type { WorkflowChoice } from '@diwan/contract/requests/workflows';
import { saveText } from '../../lib/browser/save-content.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Card } from '../../ui/data/card.tsx';
import { KeyValueList } from '../../ui/data/key-value-list.tsx';
import { Moment } from '../../ui/values/moment.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Reference } from '../../ui/values/reference.tsx';
import { WorkflowView } from './workflow-view.tsx';

interface InForceProps {
  choice: WorkflowChoice;
  document: Workflow;
  /** Where it comes from, when nobody chose it here. */
  origin?: string;
  onBack?: (() => void) | undefined;
  backLabel: string;
}

/** What new requests follow now: since when, by whom, as a picture and in words. */
export function WorkflowInForce({ choice, document, origin, onBack, backLabel }: InForceProps) {
  const { t } = useTranslation('workflow');
  const items = [
    { label: t('page.name'), value: <bdi>{choice.name}</bdi> },
    { label: t('page.version'), value: <Reference>{String(choice.version)}</Reference> },
    ...(choice.since ? [{ label: t('page.since'), value: <Moment at={choice.since} /> }] : []),
    ...(choice.by ? [{ label: t('page.by'), value: <Reference>{choice.by}</Reference> }] : []),
  ];
  return (
    <Card title={t('page.inForce')}>
      <div className="flex flex-col gap-6">
        {choice.demo ? <Notice tone="info">{t('page.demo')}</Notice> : null}
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
