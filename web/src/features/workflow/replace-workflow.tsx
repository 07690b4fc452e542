import { useId, useState, type ChangeEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { Workflow } from '@diwan/contract/requests/workflow';
import { Button } from '../../ui/actions/button.tsx';
import { Card } from '../../ui/data/card.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { TextAreaField } from '../../ui/forms/text-area-field.tsx';
import { PutInForceDialog } from './put-in-force-dialog.tsx';
import type { Scope } from './workflow-scope.ts';
import { WorkflowJudgement } from './workflow-judgement.tsx';
import { WorkflowView } from './workflow-view.tsx';
import { useJudgement } from './workflow.data.ts';

/** As much as the call takes. */
const longestDocument = 500_000;

interface ReplaceProps {
  scope: Scope;
  inForce: Workflow;
  text: string;
  onText: (text: string) => void;
}

/** A document is pasted or chosen, judged at once, looked at, and only then put in force. */
export function ReplaceWorkflow({ scope, inForce, text, onText }: ReplaceProps) {
  const { t } = useTranslation('workflow');
  const inputId = useId();
  const [isTooLarge, setIsTooLarge] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const { judgement, error, isChecking } = useJudgement(text, scope.serviceId);
  const choose = async (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.target.files ?? [];
    event.target.value = '';
    if (!file) return;
    setIsTooLarge(file.size > longestDocument);
    if (file.size <= longestDocument) onText(await file.text());
  };
  const document = judgement?.document;
  return (
    <Card title={t('replace.heading')}>
      <div className="flex flex-col gap-5">
        <p className="max-w-form">{t('replace.lead')}</p>
        <div className="flex flex-wrap items-center gap-3">
          <input
            id={inputId}
            type="file"
            accept="application/json,.json"
            onChange={(event) => void choose(event)}
            className="peer sr-only"
          />
          <label
            htmlFor={inputId}
            className="inline-flex min-h-11 cursor-pointer items-center rounded-md border border-ink-300 px-4 font-semibold hover:bg-desert-50 peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-focus"
          >
            {t('replace.choose')}
          </label>
        </div>
        <TextAreaField
          name="workflowDocument"
          label={t('replace.document')}
          dir="ltr"
          rows={12}
          maxLength={longestDocument}
          value={text}
          onChange={onText}
          focusIds={['WorkflowNotUsable']}
          {...(isTooLarge ? { error: t('replace.tooLarge') } : {})}
        />
        <p role="status" className="text-sm text-ink-600">
          {isChecking ? t('replace.checking') : ''}
        </p>
        {error ? (
          <Notice tone="danger" isLive>
            {t('replace.failed')}
          </Notice>
        ) : null}
        {judgement ? <WorkflowJudgement judgement={judgement} inForce={inForce} /> : null}
        {document ? (
          <>
            <div>
              <Button onPress={() => setIsAsking(true)}>{t('replace.put')}</Button>
            </div>
            <section aria-label={t('replace.preview')}>
              <h3 className="pb-3 text-base">{t('replace.preview')}</h3>
              <WorkflowView
                workflow={document}
                id="workflow-preview"
                part={t('replace.preview')}
                level="h4"
              />
            </section>
            {isAsking ? (
              <PutInForceDialog
                scope={scope}
                name={document.name}
                text={text}
                onClose={() => setIsAsking(false)}
                onDone={() => {
                  setIsAsking(false);
                  onText('');
                }}
              />
            ) : null}
          </>
        ) : null}
      </div>
    </Card>
  );
}
