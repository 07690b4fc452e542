import { useState } from 'react';
import { useCall } from '#lib/api/use-call.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { useAllFonts } from '#lib/i18n/use-all-fonts.ts';
import { useParams } from '#lib/router/router-provider.tsx';
import { Button } from '#ui/actions/button.tsx';
import { TextLink } from '#ui/actions/links.tsx';
import { Card } from '#ui/data/card.tsx';
import { ChangeHistory } from '#ui/data/change-history.tsx';
import { KeyValueList } from '#ui/data/key-value-list.tsx';
import { RecordPage } from '#ui/data/record-page.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { Moment } from '#ui/values/moment.tsx';
import { EmailAddress } from '#ui/values/reference.tsx';
import { StatusTag } from '#ui/values/status-tag.tsx';
import {
  updateCompany,
  restoreCompany,
  suspendCompany,
  getCompanyById,
  type CompanyRecord,
} from '@diwan/contract/people/companies';
import { languages } from '@diwan/contract/wire/languages';
import { CompanyDetailList } from './company-details.tsx';
import { CompanyDialog, type CompanyDialogName } from './company-dialogs.tsx';

function Details({ company }: { company: CompanyRecord }) {
  const { t } = useTranslation(['companies', 'shell']);
  // The names are shown in all languages, so all fonts are needed.
  useAllFonts();
  return (
    <KeyValueList
      items={[
        ...languages.map((language) => ({
          label: t('admin.nameIn', { language: t(`languages.${language}`, { ns: 'shell' }) }),
          value: <bdi lang={language.slice(0, 2)}>{company.names[language]}</bdi>,
        })),
        { label: t('admin.added'), value: <Moment at={company.createdAt} as="date" /> },
      ]}
    />
  );
}

/** The numbers of requests, each with the list behind it. */
function Requests({ company }: { company: CompanyRecord }) {
  const { t } = useTranslation('companies');
  const { count } = useFormat();
  const list = `/requests/all?company=${company.id}`;
  return (
    <KeyValueList
      items={[
        {
          label: t('admin.open'),
          value: <TextLink to={`${list}&figure=open`}>{count(company.openRequestsCount)}</TextLink>,
        },
        {
          label: t('admin.all'),
          value: <TextLink to={list}>{count(company.requestsCount)}</TextLink>,
        },
      ]}
    />
  );
}

function Users({ company }: { company: CompanyRecord }) {
  const { t } = useTranslation('companies');
  const { dateTime } = useFormat();
  if (company.users.length === 0) return <p className="text-ink-600">{t('admin.none')}</p>;
  return (
    <>
      <ul className="divide-y divide-ink-100">
        {company.users.map((user) => (
          <li key={user.userId} className="flex items-start justify-between gap-4 py-3 first:pt-0">
            <span className="min-w-0">
              <TextLink to={`/dashboard/users/${user.userId}`}>
                <bdi className="wrap-anywhere">{user.fullName}</bdi>
              </TextLink>
              <span className="block text-ink-600">
                <EmailAddress>{user.email}</EmailAddress>
              </span>
              <span className="block text-sm text-ink-500">
                {user.lastSignInAt
                  ? t('admin.lastSignIn', { when: `\u2068${dateTime(user.lastSignInAt)}\u2069` })
                  : t('admin.neverSignedIn')}
              </span>
            </span>
            <span className="flex shrink-0 flex-wrap justify-end gap-2">
              {user.isManager ? <StatusTag tone="progress">{t('admin.manager')}</StatusTag> : null}
              {user.isSuspended ? (
                <StatusTag tone="refused">{t('admin.userSuspended')}</StatusTag>
              ) : null}
            </span>
          </li>
        ))}
      </ul>
      <p className="border-t border-ink-100 pt-3">
        <TextLink to={`/dashboard/users?company=${company.id}`}>{t('admin.allUsers')}</TextLink>
      </p>
    </>
  );
}

function CompanyContent({ company }: { company: CompanyRecord }) {
  const { t } = useTranslation('companies');
  const { dateTime } = useFormat();
  const [name, setName] = useState<CompanyDialogName>();
  return (
    <div className="flex flex-col gap-6">
      {company.suspendedAt ? (
        <Alert tone="warning" title={t('admin.suspendedTitle')}>
          {t('admin.since', {
            date: `\u2068${dateTime(company.suspendedAt)}\u2069`,
            reason: `\u2068${company.suspensionReason ?? ''}\u2069`,
          })}
        </Alert>
      ) : null}
      <div role="group" aria-label={t('admin.actions')} className="flex flex-wrap gap-3">
        <Button call={updateCompany} variant="secondary" onPress={() => setName('edit')}>
          {t('admin.edit')}
        </Button>
        {company.isSuspended ? (
          <Button call={restoreCompany} onPress={() => setName('restore')}>
            {t('admin.restore')}
          </Button>
        ) : (
          <Button call={suspendCompany} variant="danger" onPress={() => setName('suspend')}>
            {t('admin.suspend')}
          </Button>
        )}
      </div>
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <div className="flex flex-col gap-6">
          <Card title={t('admin.details')}>
            <Details company={company} />
            <CompanyDetailList details={company.details} />
          </Card>
          <Card title={t('admin.requests')}>
            <Requests company={company} />
          </Card>
        </div>
        <Card title={t('admin.users')}>
          <Users company={company} />
        </Card>
      </div>
      <ChangeHistory entity="company" entityId={company.id} />
      {name ? (
        <CompanyDialog name={name} company={company} onClose={() => setName(undefined)} />
      ) : null}
    </div>
  );
}

/** A company for an admin: licence, users, requests and history, and its suspension. */
export function CompanyRecordPage() {
  const { t } = useTranslation(['companies', 'dashboards']);
  const CompanyId = Number(useParams().companyId);
  const company = useCall(getCompanyById, { query: { CompanyId } });
  return (
    <RecordPage
      record={company}
      title={company.data?.name ?? t('admin.title')}
      list={{ label: t('dashboards:companies.title'), to: '/dashboard/companies' }}
      state={
        company.data && (
          <StatusTag tone={company.data.isSuspended ? 'refused' : 'done'}>
            {t(company.data.isSuspended ? 'admin.suspended' : 'admin.active')}
          </StatusTag>
        )
      }
    >
      {(data) => <CompanyContent company={data} />}
    </RecordPage>
  );
}
