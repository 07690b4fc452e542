import { useTranslation } from 'react-i18next';
import type { Workflow } from '@diwan/contract/requests/workflow';
import { useLanguage } from '../../lib/i18n/language.ts';
import { useWorkflowWords } from './use-workflow-words.ts';
import { WorkflowPicture } from './workflow-picture.tsx';
import { WorkflowTable } from './workflow-table.tsx';

// The way down the middle is what most requests take; a narrow window begins there.
function showMiddle(frame: HTMLElement | null): void {
  if (frame)
    frame.scrollLeft =
      ((frame.scrollWidth - frame.clientWidth) / 2) *
      (getComputedStyle(frame).direction === 'rtl' ? -1 : 1);
}

/**
 * A workflow as a picture and in words; `part` tells it from another one on the page. A narrow
 * window scrolls the picture and shows the words whole.
 */
export function WorkflowView({
  workflow,
  id,
  part,
  level: Heading = 'h3',
}: {
  workflow: Workflow;
  id: string;
  part?: string;
  level?: 'h3' | 'h4';
}) {
  const { t } = useTranslation('workflow');
  const { language } = useLanguage();
  const words = useWorkflowWords(workflow);
  return (
    <div className="flex flex-col gap-6">
      <div>
        <Heading className="pb-3 text-base font-semibold">{t('picture.heading')}</Heading>
        {/* Whoever has no mouse scrolls it by keys. */}
        <section
          ref={showMiddle}
          tabIndex={0}
          aria-label={part ? `${part}: ${t('picture.scroll')}` : t('picture.scroll')}
          className="overflow-x-auto rounded-md border border-ink-100 bg-desert-50 p-2 print:overflow-visible print:border-0 [&>svg]:mx-auto [&>svg]:max-w-none print:[&>svg]:h-auto print:[&>svg]:max-w-full"
        >
          <WorkflowPicture workflow={workflow} words={words} language={language} id={id} />
        </section>
      </div>
      <div>
        <Heading className="pb-3 text-base font-semibold">{t('table.heading')}</Heading>
        <WorkflowTable workflow={workflow} />
      </div>
    </div>
  );
}
