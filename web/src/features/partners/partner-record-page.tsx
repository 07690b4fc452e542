import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { send } from '#lib/api/send.ts';
import { useCall } from '#lib/api/use-call.ts';
import { useSearchFilters } from '#lib/browser/search-params.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { useAllFonts } from '#lib/i18n/use-all-fonts.ts';
import { useParams } from '#lib/router/router-provider.tsx';
import { Button } from '#ui/actions/button.tsx';
import { Card } from '#ui/data/card.tsx';
import { ChangeHistory } from '#ui/data/change-history.tsx';
import { KeyValueList } from '#ui/data/key-value-list.tsx';
import { RecordPage } from '#ui/data/record-page.tsx';
import { Tabs } from '#ui/data/tabs.tsx';
import { LocalizedFormField } from '#ui/editing/localized-form-field.tsx';
import { RecordDialog } from '#ui/editing/record-dialog.tsx';
import { Reference } from '#ui/values/reference.tsx';
import { getChanges } from '@diwan/contract/people/changes';
import {
  changePartnerState,
  getPartnerById,
  type PartnerRecord,
} from '@diwan/contract/people/partner-registration';
import type { PartnerAction } from '@diwan/contract/people/partner-states';
import {
  getAllPartners,
  getAllServiceProviders,
  updatePartner,
} from '@diwan/contract/people/partners';
import { languages } from '@diwan/contract/wire/languages';
import { emptyDecision, PartnerDecisionDialog } from './partner-decision-dialog.tsx';
import { PartnerDocumentList } from './partner-document-list.tsx';
import { PartnerServices } from './partner-services.tsx';
import { ProviderState } from './provider-state.tsx';
import { ProviderSupervisors } from './provider-supervisors.tsx';
import { ProviderTimeline } from './provider-timeline.tsx';

function Details({ record }: { record: PartnerRecord }) {
  const { t } = useTranslation(['partners', 'shell']);
  const { count } = useFormat();
  // The names are shown in all languages, so all fonts are needed.
  useAllFonts();
  const none = <span className="text-ink-500">{t('record.none')}</span>;
  return (
    <KeyValueList
      items={[
        ...languages.map((language) => ({
          label: t('record.nameIn', { language: t(`languages.${language}`, { ns: 'shell' }) }),
          value: <bdi lang={language.slice(0, 2)}>{record.names[language]}</bdi>,
        })),
        {
          label: t('form.licenceNumber'),
          value: record.licenceNumber ? <Reference>{record.licenceNumber}</Reference> : none,
        },
        {
          label: t('form.contactName'),
          value: record.contactName ? <bdi>{record.contactName}</bdi> : none,
        },
        {
          label: t('form.contactEmail'),
          value: record.contactEmail ? (
            <bdi dir="ltr" className="wrap-anywhere">
              {record.contactEmail}
            </bdi>
          ) : (
            none
          ),
        },
        {
          label: t('form.contactPhone'),
          value: record.contactPhone ? <Reference>{record.contactPhone}</Reference> : none,
        },
        {
          label: t('form.agencies'),
          value: (
            <ul>
              {record.agencies.map(({ id, name }) => (
                <li key={id}>{name}</li>
              ))}
            </ul>
          ),
        },
        { label: t('record.openRequests'), value: count(record.openRequestsCount) },
      ]}
    />
  );
}

/** Changes the names in three languages; where another admin was faster, the person chooses. */
function NamesDialog({
  record,
  onChanged,
  onClose,
}: {
  record: PartnerRecord;
  onChanged: (fresh: PartnerRecord) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation('partners');
  const form = useForm({ defaultValues: { name: record.names } });
  return (
    <RecordDialog
      form={form}
      kind="wide"
      title={t('record.namesTitle')}
      submitLabel={t('record.saveNames')}
      cancelLabel={t('decide.cancel')}
      errorTitle={t('record.namesFailed')}
      record={record}
      valuesOf={({ names }) => ({ name: names })}
      call={updatePartner}
      bodyOf={({ name }, over) => ({
        partnerId: record.partnerId,
        version: (over ?? record).version,
        name,
      })}
      readAgain={() => send(getPartnerById, { query: { PartnerId: record.partnerId } })}
      labels={{ name: t('record.name') }}
      onSaved={(fresh) => {
        onChanged(fresh);
        showToast(t('record.namesSaved'), 'success');
      }}
      onClose={onClose}
    >
      {(error) => (
        <LocalizedFormField
          control={form.control}
          name="name"
          legend={t('record.name')}
          rows={2}
          maxLength={200}
          error={error}
        />
      )}
    </RecordDialog>
  );
}

function Account({
  record,
  reload,
  onNames,
  onChanged,
}: {
  record: PartnerRecord;
  reload: () => unknown;
  onNames: () => void;
  onChanged: (fresh: PartnerRecord) => void;
}) {
  const { t } = useTranslation('partners');
  return (
    <>
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <div className="flex flex-col gap-6">
          <Card
            title={t('record.details')}
            action={
              <Button call={updatePartner} variant="secondary" size="sm" onPress={onNames}>
                {t('record.editNames')}
              </Button>
            }
          >
            <Details record={record} />
          </Card>
          <ProviderSupervisors record={record} onChanged={onChanged} />
        </div>
        <div className="flex flex-col gap-6">
          <Card title={t('documents.title')}>
            <PartnerDocumentList documents={record.documents} reload={reload} />
          </Card>
          <Card title={t('story.title')}>
            <ProviderTimeline history={record.history} />
          </Card>
        </div>
      </div>
      <div className="pt-6">
        <ChangeHistory entity="partner" entityId={record.partnerId} />
      </div>
    </>
  );
}

/** Accepting is the main decision, else the first one that takes nothing away. */
const isMainAction = (action: PartnerAction, { allowedActions }: PartnerRecord) =>
  action === 'accept' ||
  (action === allowedActions[0] &&
    !allowedActions.includes('accept') &&
    action !== 'suspend' &&
    action !== 'refuse');

function PartnerContent({ record, reload }: { record: PartnerRecord; reload: () => unknown }) {
  const { t } = useTranslation('partners');
  const client = useQueryClient();
  const filters = useSearchFilters('tab');
  const [action, setAction] = useState<PartnerAction>();
  const [draft, setDraft] = useState(emptyDecision);
  const [isNaming, setIsNaming] = useState(false);
  const done = (fresh: PartnerRecord) => {
    client.setQueriesData<PartnerRecord>(
      {
        queryKey: [getPartnerById.name],
        predicate: ({ state }) =>
          (state.data as PartnerRecord | undefined)?.partnerId === fresh.partnerId,
      },
      () => fresh,
    );
    for (const { name } of [getAllPartners, getAllServiceProviders, getChanges])
      void client.invalidateQueries({ queryKey: [name] });
    setAction(undefined);
    setDraft(emptyDecision);
  };
  return (
    <>
      {record.allowedActions.length > 0 ? (
        <div role="group" aria-label={t('decide.label')} className="flex flex-wrap gap-3 pb-6">
          {record.allowedActions.map((each) => (
            <Button
              call={changePartnerState}
              key={each}
              variant={isMainAction(each, record) ? 'primary' : 'secondary'}
              onPress={() => setAction(each)}
            >
              {t(`decide.${each}.open`)}
            </Button>
          ))}
        </div>
      ) : null}
      <Tabs
        label={t('assign.tabs')}
        selected={filters.values.tab || 'account'}
        onSelect={(tab) => filters.change({ tab: tab === 'account' ? '' : tab })}
        tabs={[
          {
            id: 'account',
            label: t('assign.account'),
            content: (
              <Account
                record={record}
                reload={reload}
                onNames={() => setIsNaming(true)}
                onChanged={done}
              />
            ),
          },
          {
            id: 'services',
            label: t('assign.services'),
            content: <PartnerServices record={record} />,
          },
        ]}
      />
      {isNaming ? (
        <NamesDialog record={record} onChanged={done} onClose={() => setIsNaming(false)} />
      ) : null}
      {action ? (
        <PartnerDecisionDialog
          record={record}
          action={action}
          draft={draft}
          onDraft={setDraft}
          onClose={() => setAction(undefined)}
          onDone={done}
          reload={reload}
        />
      ) : null}
    </>
  );
}

/** A service provider for an admin: details, documents, history and the possible decisions. */
export function PartnerRecordPage() {
  const { t } = useTranslation(['partners', 'dashboards']);
  const PartnerId = Number(useParams().partnerId);
  const partner = useCall(getPartnerById, { query: { PartnerId } });
  return (
    <RecordPage
      record={partner}
      title={partner.data?.name ?? t('record.title')}
      list={{ label: t('dashboards:partners.title'), to: '/dashboard/partners' }}
      state={partner.data && <ProviderState state={partner.data.state} />}
    >
      {(record) => <PartnerContent record={record} reload={partner.refetch} />}
    </RecordPage>
  );
}
