import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { directionOf, languages, type Language } from '@diwan/contract/wire/languages';
import {
  getAllRejectionReasons,
  longestReasonName,
  nameFields,
  saveRejectionReason,
  type ReasonRecord,
} from '@diwan/contract/requests/rejection-reasons';
import { rejectionReasonCollection } from '@diwan/contract/requests/requests';
import { focusOn } from '../../../lib/browser/focus-on.ts';
import { loadFonts } from '../../../lib/i18n/fonts.ts';
import { messageOf } from '../../../lib/api/handle-error.ts';
import { showToast } from '../../../lib/browser/toasts.ts';
import { useAction } from '../../../lib/api/use-call.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Checkbox } from '../../../ui/forms/checkbox.tsx';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { TextAreaField } from '../../../ui/forms/text-area-field.tsx';

/**
 * One reason in its three languages: a new one, or one that is renamed, retired or offered again.
 */
export function ReasonDialog({
  reason,
  onClose,
}: {
  reason: ReasonRecord | undefined;
  onClose: () => void;
}) {
  const { t } = useTranslation('returns');
  const client = useQueryClient();
  useEffect(() => {
    for (const language of languages) void loadFonts(language);
  }, []);
  const [names, setNames] = useState<Record<Language, string>>(
    reason?.names ?? { 'ar-EG': '', 'en-US': '', 'ur-PK': '' },
  );
  const [isRetired, setIsRetired] = useState(reason?.isRetired ?? false);
  const [hasTried, setHasTried] = useState(false);
  const save = useAction(saveRejectionReason, {
    skipErrorHandling: true,
    onSuccess: () => {
      for (const call of [getAllRejectionReasons, rejectionReasonCollection])
        void client.invalidateQueries({ queryKey: [call.name] });
      showToast(t('reasons.saved'), 'success');
      onClose();
    },
  });
  const refused = save.error?.fieldErrors ?? {};
  const errorOf = (language: Language) =>
    hasTried && names[language].trim() === ''
      ? t('reasons.missing')
      : refused[nameFields[language]]?.[0];
  const send = () => {
    setHasTried(true);
    const blank = languages.find((language) => names[language].trim() === '');
    if (blank) return void focusOn(nameFields[blank]);
    save.mutate({
      body: {
        ...(reason ? { id: reason.id, version: reason.version, isRetired } : {}),
        nameAr: names['ar-EG'],
        nameEn: names['en-US'],
        nameUr: names['ur-PK'],
      },
    });
  };
  return (
    <Dialog
      isOpen
      title={t(reason ? 'reasons.editTitle' : 'reasons.addTitle')}
      onClose={onClose}
      isBusy={save.isPending}
      actions={
        <>
          <Button isPending={save.isPending} onPress={send}>
            {t('reasons.save')}
          </Button>
          <Button variant="quiet" isDisabled={save.isPending} onPress={onClose}>
            {t('reasons.cancel')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-6">
        {reason ? <p className="text-ink-600">{t('reasons.hint')}</p> : null}
        <fieldset className="flex flex-col gap-4">
          <legend className="mb-2 font-semibold">{t('reasons.names')}</legend>
          {languages.map((language) => (
            <div key={language} dir={directionOf(language)}>
              <TextAreaField
                name={nameFields[language]}
                label={t(`languages.${language}`, { ns: 'shell' })}
                lang={language}
                dir={directionOf(language)}
                rows={1}
                maxLength={longestReasonName}
                value={names[language]}
                onChange={(text) => setNames({ ...names, [language]: text })}
                error={errorOf(language)}
              />
            </div>
          ))}
        </fieldset>
        {reason ? (
          <Checkbox
            label={t(reason.isRetired ? 'reasons.restore' : 'reasons.retire')}
            hint={reason.isRetired ? undefined : t('reasons.retireHint')}
            value={reason.isRetired ? !isRetired : isRetired}
            onChange={(on) => setIsRetired(reason.isRetired ? !on : on)}
          />
        ) : null}
        {save.error && Object.keys(refused).length === 0 ? (
          <Notice tone="danger" isLive title={t('reasons.failed')}>
            {messageOf(save.error)}
          </Notice>
        ) : null}
      </div>
    </Dialog>
  );
}
