import { useTranslation } from 'react-i18next';
import type { Workflow } from '@diwan/contract/requests/workflow';
import { useFormat } from '../../lib/i18n/format.ts';
import type { PictureWords } from './picture-parts.ts';

/** The words of a workflow's picture and table in the language of the page. */
export function useWorkflowWords({
  name,
  statuses,
}: Pick<Workflow, 'name' | 'statuses'>): PictureWords {
  const { t } = useTranslation(['workflow', 'shell']);
  const { count } = useFormat();
  return {
    action: (action) => t(`actions.${action}`),
    role: (role) => t(`roles.${role}`),
    tone: (tone) => t(`tones.${tone}`),
    withFees: t('picture.withFees'),
    sent: t('picture.sent'),
    listSeparator: t('shell:listSeparator'),
    title: t('picture.title', { name: `\u2068${name}\u2069` }),
    description: t('picture.description', { statuses: count(statuses.length) }),
  };
}
