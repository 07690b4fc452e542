import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { currentSession } from '#lib/api/session.ts';
import { refreshTokenOnce } from '#lib/api/token-refresh.ts';
import { homeAddressOf } from '#lib/auth/home-address.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { useNavigate } from '#lib/router/router-provider.tsx';
import { Button } from '#ui/actions/button.tsx';
import { PageHeader } from '#ui/data/page-header.tsx';
import { Alert, ErrorAlert } from '#ui/feedback/alert.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { FormDialog, FormField } from '#ui/forms/form-dialog.tsx';
import { RadioGroup } from '#ui/forms/radio-group.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import { checkContacts } from '@diwan/contract/forms/contact-details';
import {
  resendCompanyInvitation,
  type CompanyInvitation,
  inviteCompanyUser,
} from '@diwan/contract/people/companies';
import { languages, type Language } from '@diwan/contract/wire/languages';
import { CompanyConfirmDialog, type CompanyDecision } from './company-confirm-dialog.tsx';
import { OwnCompanyDetails } from './company-details.tsx';
import { CompanyInvitations, CompanyPeople } from './company-people.tsx';
import { useCompanyAction, useCompanyUsers } from './company-users.data.ts';

/** Invites one person by e-mail, in the language that the manager selects. */
function InviteDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['companies', 'errors', 'shell']);
  const current = useLanguage().language;
  const form = useForm<{ email: string; language: Language }>({
    defaultValues: { email: '', language: current },
    reValidateMode: 'onSubmit',
  });
  const invite = useCompanyAction(inviteCompanyUser, { done: t('invite.done'), onDone: onClose });
  const validateEmail = (email: string) => {
    const [issue] = checkContacts({ email: 'email' }, { email }).issues;
    return issue ? t(`validation.${issue.code}`, { ns: 'errors' }) : undefined;
  };
  return (
    <FormDialog
      form={form}
      title={t('invite.title')}
      submitLabel={t('invite.send')}
      cancelLabel={t('cancel')}
      isPending={invite.isPending}
      error={invite.error}
      fieldOfError={({ name }) => (name === 'AlreadyInCompany' ? 'email' : undefined)}
      onResetError={invite.reset}
      clearsErrorsOnChange
      onSubmit={invite.act}
      onClose={onClose}
    >
      <p className="text-ink-600">{t('invite.text')}</p>
      <FormField control={form.control} name="email" validate={validateEmail}>
        {(field) => (
          <TextField
            {...field}
            label={t('invite.email')}
            type="email"
            autoComplete="off"
            dir="ltr"
            maxLength={254}
          />
        )}
      </FormField>
      <FormField control={form.control} name="language">
        {(field) => (
          <RadioGroup
            {...field}
            label={t('invite.language')}
            isInline
            onChange={(value) =>
              field.onChange(languages.find((each) => each === value) ?? current)
            }
            choices={languages.map((each) => ({
              value: each,
              label: t(`languages.${each}`, { ns: 'shell' }),
            }))}
          />
        )}
      </FormField>
    </FormDialog>
  );
}

function Invitations({
  invitations,
  decide,
}: {
  invitations: readonly CompanyInvitation[];
  decide: (decision: CompanyDecision) => void;
}) {
  const { t } = useTranslation('companies');
  const resend = useCompanyAction(resendCompanyInvitation, {
    done: t('invite.done'),
    onDone: () => undefined,
  });
  return (
    <section>
      <h2 className="pb-3 text-lg">{t('invitations.title')}</h2>
      {resend.error ? (
        <div className="pb-4">
          <ErrorAlert error={resend.error} />
        </div>
      ) : null}
      {invitations.length > 0 ? (
        <CompanyInvitations
          invitations={invitations}
          decide={decide}
          sending={resend.isPending ? resend.variables?.body?.invitationId : undefined}
          resend={(invitationId) => {
            if (!resend.isPending) resend.act({ invitationId });
          }}
        />
      ) : (
        <p className="text-ink-600">{t('invitations.none')}</p>
      )}
    </section>
  );
}

/** The users of the user's own company. Managers invite and remove users and assign managers. */
export function CompanyUsersPage() {
  const { t } = useTranslation('companies');
  const navigate = useNavigate();
  const people = useCompanyUsers();
  const [isInviting, setIsInviting] = useState(false);
  const [decision, setDecision] = useState<CompanyDecision>();
  usePageTitle(t('title'));
  const { data, error } = people;
  const leave = async () => {
    const session = currentSession();
    // The token still contains the company.
    if (session) await refreshTokenOnce(session.token).catch(() => null);
    await navigate(homeAddressOf(currentSession()));
  };
  return (
    <div className="page pb-16">
      <PageHeader
        title={t('title')}
        lead={data ? <bdi>{data.companyName}</bdi> : undefined}
        action={
          data?.isManager ? (
            <Button icon={<UserPlus aria-hidden size={20} />} onPress={() => setIsInviting(true)}>
              {t('invite.open')}
            </Button>
          ) : undefined
        }
      />
      {!data ? (
        error ? (
          <ErrorState error={error} onRetry={people.refetch} isRetrying={people.isRefetching} />
        ) : (
          <SkeletonRows count={3} />
        )
      ) : (
        <div className="flex flex-col gap-8">
          {data.isManager ? null : <Alert>{t('onlyManagers')}</Alert>}
          <CompanyPeople users={data.users} decide={data.isManager ? setDecision : undefined} />
          {data.isManager ? (
            <Invitations invitations={data.invitations} decide={setDecision} />
          ) : null}
          <OwnCompanyDetails users={data} />
        </div>
      )}
      {isInviting ? <InviteDialog onClose={() => setIsInviting(false)} /> : null}
      {decision ? (
        <CompanyConfirmDialog
          key={`${decision.kind}${decision.id}`}
          decision={decision}
          onClose={() => setDecision(undefined)}
          onLeft={() => void leave()}
        />
      ) : null}
    </div>
  );
}
