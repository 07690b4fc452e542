import { Mail, MessageSquare } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { messageOf } from '#lib/api/handle-error.ts';
import { useAction } from '#lib/api/use-call.ts';
import { showFonts } from '#lib/i18n/fonts.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { Checkbox } from '#ui/forms/checkbox.tsx';
import { FormField } from '#ui/forms/form-dialog.tsx';
import { findMissingMessages } from '#ui/forms/message-fields.tsx';
import { previewMessages } from '@diwan/contract/requests/messages';
import type { BodyInputOf, ReplyOf } from '@diwan/contract/wire/call';
import type { Language } from '@diwan/contract/wire/languages';
import { directionOf } from '@diwan/contract/wire/languages';
import { StaffMessageFields } from '../snippets/staff-message-fields.tsx';
import type { ActionDraft } from './action-draft.ts';

type Preview = ReplyOf<typeof previewMessages>;

interface NotificationFieldProps {
  /** The action with the current input. */
  preview: BodyInputOf<typeof previewMessages>;
  isSilent: boolean;
  onSilent: (isSilent: boolean) => void;
}

/**
 * Whether the applicant is notified, with a preview of the notifications. The preview disappears
 * when the input changes.
 */
function NotificationField({ preview, isSilent, onSilent }: NotificationFieldProps) {
  const { t } = useTranslation('staff');
  const action = useAction(previewMessages, { skipErrorHandling: true });
  const [shown, setShown] = useState<{ of: string; reply: Preview }>();
  const asked = JSON.stringify(preview);
  const show = () =>
    action.mutate({ body: preview }, { onSuccess: (reply) => setShown({ of: asked, reply }) });
  return (
    <div className="flex flex-col gap-3">
      <Checkbox
        isPlain
        name="isSilent"
        label={t('telling.silent')}
        hint={t('telling.silentHint')}
        value={isSilent}
        onChange={onSilent}
      />
      {isSilent ? null : (
        <>
          {shown?.of === asked ? (
            <PreviewList preview={shown.reply} />
          ) : (
            <div>
              <Button
                variant="secondary"
                size="sm"
                icon={<Mail aria-hidden size={18} />}
                isPending={action.isPending}
                onPress={show}
              >
                {t('telling.show')}
              </Button>
            </div>
          )}
          {action.error ? (
            <Alert tone="warning" isLive>
              {messageOf(action.error)}
            </Alert>
          ) : null}
        </>
      )}
    </div>
  );
}

function PreviewList({ preview: { outcome, messages } }: { preview: Preview }) {
  const { t } = useTranslation('staff');
  useEffect(() => {
    for (const { language } of messages) void showFonts(language);
  }, [messages]);
  if (messages.length === 0)
    return (
      <Alert isLive>
        {t(
          outcome === 'unreachable' || outcome === 'unwanted'
            ? `telling.${outcome}`
            : 'telling.nobody',
        )}
      </Alert>
    );
  return (
    <div role="status" className="flex flex-col gap-3">
      <p className="font-semibold">{t('telling.title')}</p>
      <ul className="grid gap-3 md:grid-cols-2">
        {messages.map(({ channel, recipient, language, subject, text }) => {
          const Icon = channel === 'email' ? Mail : MessageSquare;
          return (
            <li
              key={`${channel} ${recipient}`}
              className="flex flex-col gap-2 rounded-md border border-ink-200 bg-ink-50 p-4 text-sm"
            >
              <p className="flex items-center gap-2 text-ink-600">
                <Icon aria-hidden size={16} className="shrink-0" />
                <span className="sr-only">{t(`telling.${channel}`)} </span>
                <bdi dir="ltr" className="wrap-anywhere">
                  {recipient}
                </bdi>
              </p>
              <div
                lang={language.slice(0, 2)}
                dir={directionOf(language)}
                role="group"
                aria-label={t(`telling.${channel}`)}
                tabIndex={0}
                className="max-h-60 overflow-y-auto wrap-anywhere whitespace-pre-line"
              >
                {subject ? <p className="mb-2 font-semibold">{subject}</p> : null}
                <span>{text}</span>
              </div>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

interface FormFieldProps {
  form: UseFormReturn<ActionDraft>;
}

/** Whether the applicant is notified, in the form of an action's dialog. */
export function NotificationFormField({
  form: { control },
  preview,
}: FormFieldProps & Pick<NotificationFieldProps, 'preview'>) {
  return (
    <FormField control={control} name="isSilent">
      {({ value, onChange }) => (
        <NotificationField preview={preview} isSilent={value} onSilent={onChange} />
      )}
    </FormField>
  );
}

/** The message to the applicant in the form of an action's dialog. */
export function MessageFormField({
  form: { control, formState, watch },
  reader,
  isRequired,
}: FormFieldProps & {
  reader: Language | undefined;
  isRequired: boolean;
}) {
  const missing = findMissingMessages(watch('messages'), isRequired, reader);
  return (
    <FormField
      control={control}
      name="messages"
      focusId={missing[0]}
      validate={(value) => findMissingMessages(value, isRequired, reader)[0]}
    >
      {({ value, onChange }) => (
        <StaffMessageFields
          reader={reader}
          value={value}
          onChange={onChange}
          missing={formState.isSubmitted ? missing : []}
          isOptional={!isRequired}
        />
      )}
    </FormField>
  );
}
