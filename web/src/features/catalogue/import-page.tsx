import { Download } from 'lucide-react';
import { useState } from 'react';
import type { ApiError } from '#lib/api/api-error.ts';
import { handleError } from '#lib/api/handle-error.ts';
import { send, sendForFile } from '#lib/api/send.ts';
import { hasRole, useSession } from '#lib/api/session.ts';
import { saveContent } from '#lib/browser/save-file.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { Button } from '#ui/actions/button.tsx';
import { AdminPageHeader } from '#ui/data/page-header.tsx';
import { Alert, ErrorAlert } from '#ui/feedback/alert.tsx';
import { FileButton } from '#ui/files/file-button.tsx';
import { Checkbox } from '#ui/forms/checkbox.tsx';
import {
  catalogueFormats,
  exportCatalogue,
  maximumCatalogueBytes,
  prepareCatalogueImport,
  type CatalogueFormat,
  type CatalogueJob,
} from '@diwan/contract/catalogue/transfer';
import { JobView } from './jobs/job-view.tsx';

const accepted = [
  'application/json',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'text/csv',
  '.json',
  '.xlsx',
  '.csv',
];

/** The form of a file by its name; undefined for another one. */
const formatOf = (name: string): CatalogueFormat | undefined =>
  catalogueFormats.find((format) => name.toLowerCase().endsWith(`.${format}`));

/** What can be exported: everything in two forms, or one list. */
const exports = {
  xlsx: { query: { Format: 'xlsx' }, name: 'catalogue.xlsx' },
  services: { query: { Format: 'csv', List: 'services' }, name: 'catalogue-services.csv' },
  fees: { query: { Format: 'csv', List: 'fees' }, name: 'catalogue-fees.csv' },
  json: { query: { Format: 'json' }, name: 'catalogue.json' },
} as const;
type Export = keyof typeof exports;

function ExportButtons() {
  const { t } = useTranslation('catalogue');
  const [pending, setPending] = useState<Export>();
  const save = async (wished: Export) => {
    setPending(wished);
    try {
      const { query, name } = exports[wished];
      saveContent(await sendForFile(exportCatalogue, { query }), name);
    } catch (error) {
      handleError(error as ApiError);
    } finally {
      setPending(undefined);
    }
  };
  return (
    <div className="flex flex-wrap gap-3">
      {(Object.keys(exports) as Export[]).map((format) => (
        <Button
          key={format}
          variant="secondary"
          icon={<Download aria-hidden size={18} />}
          isPending={pending === format}
          onPress={() => void save(format)}
        >
          {t(`import.export.${format}`)}
        </Button>
      ))}
    </div>
  );
}

/** Chooses a file, checks it on the server and opens what it would change. */
function ImportForm({ onPrepared }: { onPrepared: (job: CatalogueJob) => void }) {
  const { t } = useTranslation('catalogue');
  const isOfAgency = hasRole(useSession(), 'AgencyAdmin');
  const [retires, setRetires] = useState(false);
  const [isPending, setIsPending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [error, setError] = useState<ApiError | null>(null);
  const choose = async (file: File) => {
    const format = formatOf(file.name);
    setError(null);
    setProblem(undefined);
    if (!format) return setProblem(t('import.wrongType'));
    if (file.size === 0 || file.size > maximumCatalogueBytes)
      return setProblem(t('import.wrongSize', { maximum: maximumCatalogueBytes / 1_000_000 }));
    setIsPending(true);
    try {
      onPrepared(
        await send(prepareCatalogueImport, {
          query: { Format: format, RetireMissing: retires ? 'true' : 'false' },
          content: file,
          skipErrorHandling: true,
        }),
      );
    } catch (thrown) {
      setError(thrown as ApiError);
    } finally {
      setIsPending(false);
    }
  };
  return (
    <div className="flex max-w-form flex-col items-start gap-5">
      <p>{t('import.text')}</p>
      {isOfAgency ? <p>{t('import.ownText')}</p> : null}
      <div className="self-stretch">
        <Checkbox
          label={t('import.retire')}
          hint={t(isOfAgency ? 'import.retireOwnHint' : 'import.retireHint')}
          value={retires}
          onChange={setRetires}
        />
      </div>
      <FileButton
        label={t('import.choose')}
        pendingLabel={t('import.checking')}
        isPending={isPending}
        accept={accepted}
        onChoose={(file) => void choose(file)}
      />
      {problem ? (
        <Alert tone="danger" isLive>
          {problem}
        </Alert>
      ) : null}
      <ErrorAlert error={error} title={t('import.failed')} />
    </div>
  );
}

/** Exports the catalogue, and imports it from a file after showing what would change. */
export function ImportPage() {
  const { t } = useTranslation(['catalogue', 'dashboards']);
  const isOfAgency = hasRole(useSession(), 'AgencyAdmin');
  const [job, setJob] = useState<CatalogueJob>();
  usePageTitle(t('import.title'));
  return (
    <div className="page pb-16">
      <AdminPageHeader
        title={t('import.title')}
        lead={t('import.lead')}
        parent={{ label: t('dashboards:services.title'), to: '/dashboard/services' }}
      />
      {job ? (
        <JobView key={job.jobId} prepared={job} onEnd={() => setJob(undefined)} />
      ) : (
        <div className="flex flex-col gap-10">
          <section aria-labelledby="import-heading">
            <h2 id="import-heading" className="pb-3 text-lg">
              {t('import.importTitle')}
            </h2>
            <ImportForm onPrepared={setJob} />
          </section>
          <section aria-labelledby="export-heading">
            <h2 id="export-heading" className="pb-3 text-lg">
              {t('import.exportTitle')}
            </h2>
            <p className="max-w-form pb-4">
              {t(isOfAgency ? 'import.exportOwnText' : 'import.exportText')}
            </p>
            <ExportButtons />
          </section>
        </div>
      )}
    </div>
  );
}
