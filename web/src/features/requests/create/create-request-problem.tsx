import { useTranslation } from 'react-i18next';
import { messageOf } from '../../../lib/api/handle-error.ts';
import type { SendError } from '../../../lib/api/send-error.ts';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { TextLink } from '../../../ui/actions/text-link.tsx';

/**
 * Why nothing was sent, and that nothing is lost. Without an answer nobody knows whether it
 * arrived, and that is said.
 */
export function SendingProblem({ problem }: { problem: SendError }) {
  const { t } = useTranslation('forms');
  const isUnknown = problem.status === 0 || problem.status >= 500;
  return (
    <Notice
      tone="danger"
      isLive
      title={messageOf(problem)}
      action={isUnknown ? <TextLink to="/requests">{t('review.myRequests')}</TextLink> : null}
    >
      {isUnknown ? t('review.perhapsSent') : t('review.notSent')}
    </Notice>
  );
}
