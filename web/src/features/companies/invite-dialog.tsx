import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { inviteCompanyUser } from '@diwan/contract/people/company-users';
import { checkContacts } from '@diwan/contract/forms/contact-details';
import { languages, type Language } from '@diwan/contract/wire/languages';
import { focusOn } from '../../lib/browser/focus-on.ts';
import { messageOf } from '../../lib/api/handle-error.ts';
import { useLanguage } from '../../lib/i18n/language.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Dialog } from '../../ui/feedback/dialog.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { RadioGroup } from '../../ui/forms/radio-group.tsx';
import { TextField } from '../../ui/forms/text-field.tsx';
import { useCompanyAction } from './company-users.data.ts';

/** Invites one person by e-mail, in a language that the manager chooses. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['companies', 'errors', 'shell']);
  const own = useLanguage().language;
  const form = useId();
  const [email, setEmail] = useState('');
  const [language, setLanguage] = useState<Language>(own);
  const [fault, setFault] = useState<string>();
  const invite = useCompanyAction(inviteCompanyUser, { done: t('invite.done'), onDone: onClose });
  const isOfAddress = invite.error?.name === 'AlreadyInCompany';
  const send = () => {
    const [issue] = checkContacts({ email: 'email' }, { email }).issues;
    setFault(issue ? t(`validation.${issue.code}`, { ns: 'errors' }) : undefined);
    if (issue) focusOn('email');
    else if (!invite.isPending) invite.act({ email, language });
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('invite.title')}
      isBusy={invite.isPending}
      actions={
        <>
          <Button type="submit" form={form} isPending={invite.isPending}>
            {t('invite.send')}
          </Button>
          <Button variant="quiet" isDisabled={invite.isPending} onPress={onClose}>
            {t('cancel')}
          </Button>
        </>
      }
    >
      <form
        id={form}
        noValidate
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <p className="text-ink-600">{t('invite.text')}</p>
        {invite.error && !isOfAddress ? (
          <Notice tone="danger" isLive>
            {messageOf(invite.error)}
          </Notice>
        ) : null}
        <TextField
          name="email"
          label={t('invite.email')}
          type="email"
          autoComplete="off"
          dir="ltr"
          maxLength={254}
          value={email}
          error={fault ?? (isOfAddress ? messageOf(invite.error) : undefined)}
          onChange={(value) => {
            setEmail(value);
            setFault(undefined);
            if (invite.error) invite.reset();
          }}
        />
        <RadioGroup
          name="language"
          label={t('invite.language')}
          isInline
          value={language}
          onChange={(value) => setLanguage(languages.find((each) => each === value) ?? own)}
          choices={languages.map((each) => ({
            value: each,
            label: t(`languages.${each}`, { ns: 'shell' }),
          }))}
        />
      </form>
    </Dialog>
  );
}
