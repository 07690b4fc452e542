import { Plus } from 'lucide-react';
import { useState } from 'react';
import { hasRole, useSession } from '#lib/api/session.ts';
import { useAction, useCall } from '#lib/api/use-call.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Link } from '#lib/router/link.tsx';
import { useNavigate } from '#lib/router/router-provider.tsx';
import { Button } from '#ui/actions/button.tsx';
import { ErrorAlert } from '#ui/feedback/alert.tsx';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { ComboField } from '#ui/forms/combo-field.tsx';
import { RadioGroup } from '#ui/forms/radio-group.tsx';
import { getManagedAgencies } from '@diwan/contract/catalogue/agencies';
import {
  createServiceDraft,
  getServiceDesigns,
  serviceTemplates,
} from '@diwan/contract/catalogue/service-designs';
import { getAllServicesForUpdatingPartner } from '@diwan/contract/catalogue/services';

const hourMs = 3_600_000;
const starts = [...serviceTemplates, 'copy'] as const;
type Start = (typeof starts)[number];

/** Asks what a new service begins with: a template, or a copy of another service. */
function NewServiceDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('designer');
  const navigate = useNavigate();
  const [start, setStart] = useState<Start>('blank');
  const [copied, setCopied] = useState('');
  const [problem, setProblem] = useState<string>();
  const [agency, setAgency] = useState('');
  // An administrator of several agencies says for which of them the service is.
  const isOfAgency = hasRole(useSession(), 'AgencyAdmin');
  const agencies = useCall(getManagedAgencies, { enabled: isOfAgency }).data ?? [];
  const asksAgency = isOfAgency && agencies.length > 1 && start !== 'copy';
  const services = useCall(getAllServicesForUpdatingPartner, { query: {}, staleTime: hourMs });
  const create = useAction(createServiceDraft, {
    skipErrorHandling: true,
    onSuccess: ({ serviceId }) => navigate(`/dashboard/services/${serviceId}`),
  });
  const confirm = () => {
    if (asksAgency && agency === '') return setProblem(t('start.chooseAgency'));
    if (start !== 'copy')
      return create.mutate({
        body: { template: start, ...(asksAgency ? { agencyId: Number(agency) } : {}) },
      });
    if (copied === '') return setProblem(t('start.chooseService'));
    create.mutate({ body: { copyOf: Number(copied) } });
  };
  return (
    <ConfirmDialog
      title={t('start.title')}
      confirmLabel={t('start.create')}
      cancelLabel={t('publish.keep')}
      isPending={create.isPending}
      onConfirm={confirm}
      onClose={onClose}
    >
      <div className="flex flex-col gap-5">
        <ErrorAlert error={create.error} />
        <RadioGroup
          label={t('start.from')}
          value={start}
          onChange={(chosen) => {
            setStart(chosen as Start);
            setProblem(undefined);
          }}
          choices={starts.map((value) => ({
            value,
            label: t(`start.${value}`),
            hint: t(`start.${value}Hint`),
          }))}
        />
        {asksAgency ? (
          <ComboField
            label={t('about.agency')}
            value={agency}
            error={problem}
            onChange={(id) => {
              setAgency(id);
              setProblem(undefined);
            }}
            choices={agencies.map(({ id, name }) => ({ value: String(id), label: name }))}
          />
        ) : null}
        {start === 'copy' ? (
          <ComboField
            label={t('start.service')}
            value={copied}
            error={problem}
            onChange={(id) => {
              setCopied(id);
              setProblem(undefined);
            }}
            choices={(services.data ?? []).map(({ id, name }) => ({
              value: String(id),
              label: name,
            }))}
          />
        ) : null}
      </div>
    </ConfirmDialog>
  );
}

/** Begins a new service, and opens drafts. */
export function NewService() {
  const { t } = useTranslation('designer');
  const { language } = useLanguage();
  const [isAsking, setIsAsking] = useState(false);
  const drafts = useCall(getServiceDesigns, { staleTime: 0 });
  return (
    <div className="flex flex-col items-end gap-2 max-md:items-stretch">
      <Button
        call={createServiceDraft}
        icon={<Plus aria-hidden size={18} />}
        onPress={() => setIsAsking(true)}
      >
        {t('start.new')}
      </Button>
      {drafts.data && drafts.data.length > 0 ? (
        <ul aria-label={t('start.drafts')} className="text-sm">
          {drafts.data.slice(0, 5).map(({ serviceId, name }) => (
            <li key={serviceId}>
              <Link to={`/dashboard/services/${serviceId}`} className="link">
                {name[language] || t('start.unnamed', { number: serviceId })}
              </Link>
            </li>
          ))}
        </ul>
      ) : null}
      {isAsking ? <NewServiceDialog onClose={() => setIsAsking(false)} /> : null}
    </div>
  );
}
