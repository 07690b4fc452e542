import { FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '#lib/api/use-call.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Link } from '#lib/router/link.tsx';
import { Button } from '#ui/actions/button.tsx';
import { Alert, ErrorAlert } from '#ui/feedback/alert.tsx';
import { Reference } from '#ui/values/reference.tsx';
import { simulateWorkflow } from '@diwan/contract/requests/workflows';
import type { ReplyOf } from '@diwan/contract/wire/call';

type Result = ReplyOf<typeof simulateWorkflow>;

const isolate = (text: string) => `\u2068${text}\u2069`;

function Examples({ numbers }: { numbers: readonly string[] }) {
  const { t } = useTranslation('workflow');
  return (
    <span className="block text-sm">
      {t('simulation.examples')}{' '}
      {numbers.map((number) => (
        <Link
          key={number}
          to={`/requests/request-details?request-number=${encodeURIComponent(number)}`}
          className="link me-2 inline-block"
        >
          <Reference>{number}</Reference>
        </Link>
      ))}
    </span>
  );
}

function Findings({ result }: { result: Result }) {
  const { t } = useTranslation('workflow');
  const { statusMissing, noAction, stopped, otherEnd, paidElsewhere, overdue, lacking } = result;
  const lines = [
    ...noAction.map(({ statusId, statusName, requests, examples }) => ({
      key: `action ${statusId}`,
      text: t('simulation.noAction', { count: requests, status: isolate(statusName) }),
      examples,
    })),
    ...statusMissing.map(({ statusId, statusName, requests, examples }) => ({
      key: `status ${statusId}`,
      text: t('simulation.statusMissing', { count: requests, status: isolate(statusName) }),
      examples,
    })),
    ...stopped.map(({ action, from, statusName, requests, examples }) => ({
      key: `step ${action} ${from}`,
      text: t('simulation.stopped', {
        count: requests,
        action: t(`actions.${action}`),
        status: isolate(statusName || t('table.notSent')),
      }),
      examples,
    })),
    ...paidElsewhere.map(({ action, statusName, paidStatusName, requests, examples }) => ({
      key: `paid ${action} ${statusName} ${paidStatusName}`,
      text: t('simulation.paidElsewhere', {
        count: requests,
        action: t(`actions.${action}`),
        status: isolate(statusName),
        paid: isolate(paidStatusName),
      }),
      examples,
    })),
    ...overdue.map(({ statusId, statusName, requests, examples }) => ({
      key: `overdue ${statusId}`,
      text: t('simulation.overdue', { count: requests, status: isolate(statusName) }),
      examples,
    })),
    ...lacking.map(({ action, input, statusName, requests, examples }) => ({
      key: `lacking ${action} ${statusName} ${input}`,
      text: t('simulation.lacking', {
        count: requests,
        action: t(`actions.${action}`),
        status: isolate(statusName),
        input: t(`inputs.${input}`),
      }),
      examples,
    })),
    ...(otherEnd.requests > 0
      ? [
          {
            key: 'end',
            text: t('simulation.otherEnd', { count: otherEnd.requests }),
            examples: otherEnd.examples,
          },
        ]
      : []),
  ];
  const summary = t('simulation.summary', {
    passed: result.passed,
    tried: result.tried,
    open: result.openRequests,
  });
  return lines.length === 0 ? (
    <Alert tone="success" isLive title={t('simulation.fine')}>
      <p>{summary}</p>
    </Alert>
  ) : (
    <Alert tone="warning" isLive title={summary}>
      <ul className="flex list-disc flex-col gap-2 ps-5">
        {lines.map(({ key, text, examples }) => (
          <li key={key}>
            <span>{text}</span>
            <Examples numbers={examples} />
          </li>
        ))}
      </ul>
    </Alert>
  );
}

/** Tries the document on open and past requests; the result is that of the document it shows. */
export function Simulation({ text, serviceId }: { text: string; serviceId: number | undefined }) {
  const { t } = useTranslation('workflow');
  const [shown, setShown] = useState<{ text: string; result: Result }>();
  const simulate = useAction(simulateWorkflow, { skipErrorHandling: true });
  const run = () =>
    simulate.mutate(
      { body: { document: text, ...(serviceId === undefined ? {} : { serviceId }) } },
      { onSuccess: (result) => setShown({ text, result }) },
    );
  return (
    <section aria-label={t('simulation.heading')} className="flex flex-col gap-3">
      <p className="max-w-form text-ink-600">{t('simulation.lead')}</p>
      <div>
        <Button
          variant="secondary"
          icon={<FlaskConical aria-hidden size={18} />}
          isPending={simulate.isPending}
          onPress={run}
        >
          {t('simulation.run')}
        </Button>
      </div>
      <ErrorAlert error={simulate.error} />
      {shown?.text === text ? <Findings result={shown.result} /> : null}
    </section>
  );
}
