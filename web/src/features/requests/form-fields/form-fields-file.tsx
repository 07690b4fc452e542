import { useTranslation } from 'react-i18next';
import type { FormField } from '@diwan/contract/forms/forms';
import { useLanguage } from '../../../lib/i18n/language.ts';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { DocumentUploads } from '../documents/document-uploads.tsx';
import { useFormDocuments } from './form-fields-documents.ts';

/**
 * A document asked for in the step that it belongs to: the same rule and the same upload as in the
 * documents step.
 */
export function FileControl({
  field,
  isRequired,
  isMissing,
  isWaiting,
}: {
  field: FormField;
  isRequired: boolean;
  isMissing: boolean;
  isWaiting: boolean;
}) {
  const { t } = useTranslation('attachments');
  const { language } = useLanguage();
  const documents = useFormDocuments();
  const rule = documents?.rules.find((each) => each.name === field.attachment);
  if (!documents || !rule) return null;
  const isOnItsWay =
    documents.uploads.isBusy && documents.uploads.pending.some((each) => each.name === rule.name);
  const asked = {
    ...rule,
    title: field.title,
    description: field.description ?? rule.description,
    required: rule.required || isRequired,
  };
  return (
    <div className="flex flex-col gap-3">
      <DocumentUploads
        rules={[asked]}
        uploads={documents.uploads}
        errors={{
          [rule.name]: isMissing && !isOnItsWay ? t('missing') : documents.errors[rule.name],
        }}
      />
      {isWaiting && isOnItsWay ? (
        <Notice isLive title={field.title[language]}>
          {t('waiting')}
        </Notice>
      ) : null}
    </div>
  );
}
