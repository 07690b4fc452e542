import { useForm } from 'react-hook-form';
import type { ApiError } from '#lib/api/api-error.ts';
import { queryClient } from '#lib/api/query-client.ts';
import { send } from '#lib/api/send.ts';
import { useAction } from '#lib/api/use-call.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { LocalizedFormField } from '#ui/editing/localized-form-field.tsx';
import { ReasonDialog } from '#ui/editing/reason-dialog.tsx';
import { RecordDialog } from '#ui/editing/record-dialog.tsx';
import { Alert, ErrorAlert } from '#ui/feedback/alert.tsx';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { getChanges } from '@diwan/contract/people/changes';
import {
  getAllCompanies,
  getCompanyById,
  restoreCompany,
  suspendCompany,
  updateCompany,
  type CompanyRecord,
} from '@diwan/contract/people/companies';
import type { Call, ReplyOf } from '@diwan/contract/wire/call';
import type { LocalizedText } from '@diwan/contract/wire/languages';
import {
  CompanyDetailFields,
  detailsOf,
  useDetailLabels,
  type DetailsForm,
} from './company-details.tsx';

interface DialogProps {
  company: CompanyRecord;
  onClose: () => void;
}

/** Reads again what a change of a company touches. */
function refresh(): Promise<unknown> {
  const calls = [getCompanyById, getAllCompanies, getChanges];
  return Promise.all(calls.map(({ name }) => queryClient.invalidateQueries({ queryKey: [name] })));
}

/** An action of a dialog. After a conflict the page shows the company as it is now. */
function useCompanyChange<C extends Call>(call: C, onDone: (reply: ReplyOf<C>) => void) {
  return useAction(call, {
    skipErrorHandling: true,
    onSuccess: async (reply) => {
      onDone(reply);
      await refresh();
    },
    onError: (error) => (error.name === 'RecordHasChanged' ? refresh() : undefined),
  });
}

/** What another admin changed meanwhile, or any other error. */
function ChangeError({ error }: { error: ApiError | null }) {
  const { t } = useTranslation('companies');
  return error?.name === 'RecordHasChanged' ? (
    <Alert tone="warning" isLive>
      {t('admin.changed')}
    </Alert>
  ) : (
    <ErrorAlert error={error} />
  );
}

interface Values extends DetailsForm {
  name: LocalizedText;
}

const valuesOf = ({ names, details }: CompanyRecord): Values => ({ name: names, ...details });

/** Changes names and licence; where another admin was faster, the person chooses. */
function DetailsDialog({ company, onClose }: DialogProps) {
  const { t } = useTranslation('companies');
  const labels = useDetailLabels();
  const form = useForm<Values>({ defaultValues: valuesOf(company) });
  return (
    <RecordDialog
      form={form}
      kind="wide"
      title={t('admin.editTitle')}
      submitLabel={t('admin.save')}
      cancelLabel={t('cancel')}
      errorTitle={t('admin.failed')}
      record={company}
      valuesOf={valuesOf}
      call={updateCompany}
      bodyOf={(values, over) => ({
        companyId: company.id,
        version: (over ?? company).version,
        ...values,
        ...detailsOf(values),
      })}
      readAgain={() => send(getCompanyById, { query: { CompanyId: company.id } })}
      labels={{ name: t('admin.name'), ...labels }}
      fieldOfError={({ name }) => (name === 'LicenceNumberInUse' ? 'licenceNumber' : undefined)}
      onSaved={() => {
        showToast(t('admin.saved'), 'success');
        void refresh();
      }}
      onClose={onClose}
    >
      {(error) => (
        <>
          <LocalizedFormField
            control={form.control}
            name="name"
            legend={t('admin.name')}
            rows={2}
            maxLength={200}
            error={error}
          />
          <CompanyDetailFields control={form.control} />
        </>
      )}
    </RecordDialog>
  );
}

function SuspendDialog({ company, onClose }: DialogProps) {
  const { t } = useTranslation('companies');
  const suspend = useCompanyChange(suspendCompany, () => {
    showToast(t('admin.suspendDone'), 'success');
    onClose();
  });
  return (
    <ReasonDialog
      title={t('admin.suspendTitle')}
      submitLabel={t('admin.suspend')}
      cancelLabel={t('cancel')}
      subject={
        <p className="font-semibold">
          <bdi className="wrap-anywhere">{company.name}</bdi>
        </p>
      }
      consequences={[
        t('admin.suspendOut'),
        ...(company.openRequestsCount > 0
          ? [t('admin.suspendRequests', { count: company.openRequestsCount })]
          : []),
        t('admin.suspendJoin'),
      ]}
      problem={<ChangeError error={suspend.error} />}
      reasonLabel={t('admin.reason')}
      reasonHint={t('admin.reasonHint')}
      reasonRequired={t('admin.reasonRequired')}
      action={suspend}
      onSubmit={(reason) =>
        suspend.mutate({ body: { companyId: company.id, version: company.version, reason } })
      }
      onClose={onClose}
    />
  );
}

function RestoreDialog({ company, onClose }: DialogProps) {
  const { t } = useTranslation('companies');
  const restore = useCompanyChange(restoreCompany, () => {
    showToast(t('admin.restoreDone'), 'success');
    onClose();
  });
  return (
    <ConfirmDialog
      title={t('admin.restoreTitle')}
      confirmLabel={t('admin.restore')}
      cancelLabel={t('cancel')}
      isPending={restore.isPending}
      onConfirm={() =>
        restore.mutate({ body: { companyId: company.id, version: company.version } })
      }
      onClose={onClose}
    >
      <div className="flex flex-col gap-4">
        <ChangeError error={restore.error} />
        <p className="font-semibold">
          <bdi className="wrap-anywhere">{company.name}</bdi>
        </p>
        <p>{t('admin.restoreText')}</p>
      </div>
    </ConfirmDialog>
  );
}

const dialogs = { edit: DetailsDialog, suspend: SuspendDialog, restore: RestoreDialog };
export type CompanyDialogName = keyof typeof dialogs;

/** The dialog of an action of an admin on a company. */
export function CompanyDialog({ name, ...props }: DialogProps & { name: CompanyDialogName }) {
  const Dialog = dialogs[name];
  return <Dialog {...props} />;
}
