import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { AttachmentRule } from '@diwan/contract/forms/forms';
import { focusOn } from '../../../lib/browser/focus-on.ts';
import { useLanguage } from '../../../lib/i18n/language.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { ErrorSummary } from '../../../ui/forms/error-summary.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { StageActions } from './create-request-actions.tsx';
import { missingDocuments } from '../documents/document-uploads-check.ts';
import { DocumentUploads } from '../documents/document-uploads.tsx';
import type { DocumentUploads as Uploads } from '../documents/document-uploads-state.ts';

interface CreateRequestDocumentsProps {
  rules: readonly AttachmentRule[];
  uploads: Uploads;
  saved: ReactNode;
  serverErrors: Readonly<Record<string, string>>;
  isFromReview: boolean;
  onDone: () => void;
  onBack: () => void;
}

/** All documents that the service asks for, on one page. */
export function CreateRequestDocuments({
  rules,
  uploads,
  saved,
  serverErrors,
  isFromReview,
  onDone,
  onBack,
}: CreateRequestDocumentsProps) {
  const { t } = useTranslation('attachments');
  const { t: words } = useTranslation('forms');
  const { language } = useLanguage();
  const [attempt, setAttempt] = useState(0);
  const isOnItsWay = (name: string) =>
    uploads.pending.some(
      (each) => each.name === name && each.refusal === undefined && each.error === undefined,
    );
  const missing =
    attempt > 0
      ? missingDocuments(rules, uploads.documents).filter((name) => !isOnItsWay(name))
      : [];
  const errors = {
    ...serverErrors,
    ...Object.fromEntries(missing.map((name) => [name, t('missing')])),
  };
  const wrong = rules.filter((rule) => errors[rule.name]);
  const isWaiting = attempt > 0 && uploads.isBusy;

  const goOn = () => {
    setAttempt((before) => before + 1);
    const absent = missingDocuments(rules, uploads.documents);
    if (absent.length === 0 && !uploads.isBusy) return onDone();
    const [first, second] = absent.filter((name) => !isOnItsWay(name));
    if (first && !second)
      window.requestAnimationFrame(() => window.requestAnimationFrame(() => focusOn(first)));
  };
  return (
    <div className="flex flex-col gap-6">
      <p className="text-ink-600">{t('lead')}</p>
      {wrong.length > 1 ? (
        <ErrorSummary
          key={attempt}
          errors={wrong.map((rule) => ({
            focusId: rule.name,
            message: words('summaryLine', {
              field: rule.title[language],
              message: errors[rule.name],
            }),
          }))}
        />
      ) : null}
      <DocumentUploads rules={rules} uploads={uploads} errors={errors} />
      {isWaiting ? <Notice isLive>{t('waiting')}</Notice> : null}
      <StageActions onBack={onBack} saved={saved}>
        <Button onPress={goOn}>{isFromReview ? words('backToReview') : words('continue')}</Button>
      </StageActions>
    </div>
  );
}
