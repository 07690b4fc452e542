import { useTranslation } from 'react-i18next';
import type { Workflow, WorkflowFault } from '@diwan/contract/requests/workflow';
import type { WorkflowDifference } from '@diwan/contract/requests/workflows';
import { useLanguage } from '../../lib/i18n/language.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import type { Judgement } from './workflow.data.ts';

const isolate = (text: string | number) => `\u2068${text}\u2069`;

/**
 * Actions and roles by their names, the rest as it stands in the document and apart from the text
 * around it.
 */
function useFaultText(): (fault: WorkflowFault) => string {
  const { t } = useTranslation('workflow');
  return ({ code, params }) => {
    const named = Object.entries(params).map(([name, value]) => [
      name,
      isolate(
        name === 'action' ? t(`actions.${value}`) : name === 'role' ? t(`roles.${value}`) : value,
      ),
    ]);
    return t(`faults.${code}`, Object.fromEntries(named) as Record<string, string>);
  };
}

function useDifferenceText(
  before: Workflow,
  after: Workflow,
): (difference: WorkflowDifference) => string {
  const { t } = useTranslation('workflow');
  const { language } = useLanguage();
  const nameOf = (statusId: number | null | undefined) => {
    const status = [...after.statuses, ...before.statuses].find(
      (each) => each.statusId === statusId,
    );
    return status ? isolate(status.name[language]) : t('table.notSent');
  };
  return ({ kind, statusId, action, from, to }) =>
    t(`differences.${kind}`, {
      status: nameOf(statusId),
      action: action ? t(`actions.${action}`) : '',
      from: nameOf(from),
      to: nameOf(to),
    });
}

function Differences({
  differences,
  before,
  after,
}: {
  differences: readonly WorkflowDifference[];
  before: Workflow;
  after: Workflow;
}) {
  const { t } = useTranslation('workflow');
  const text = useDifferenceText(before, after);
  if (differences.length === 0) return <p>{t('replace.same')}</p>;
  return (
    <>
      <p className="font-semibold">{t('replace.changes', { count: differences.length })}</p>
      <ul className="mt-2 list-disc ps-5">
        {differences.map((difference) => (
          <li key={JSON.stringify(difference)}>{text(difference)}</li>
        ))}
      </ul>
    </>
  );
}

/** What the server says of a document: why it cannot be used, or what it would change. */
export function WorkflowJudgement({
  judgement: { faults, document, differences },
  inForce,
}: {
  judgement: Judgement;
  inForce: Workflow;
}) {
  const { t } = useTranslation('workflow');
  const faultText = useFaultText();
  if (faults.length > 0) {
    return (
      <Notice tone="danger" isLive title={t('replace.unusable', { count: faults.length })}>
        <ul className="list-disc ps-5">
          {faults.map((fault) => (
            <li key={JSON.stringify(fault)}>{faultText(fault)}</li>
          ))}
        </ul>
      </Notice>
    );
  }
  return document ? (
    <Notice tone="success" isLive title={t('replace.usable')}>
      <Differences differences={differences} before={inForce} after={document} />
    </Notice>
  ) : null;
}
