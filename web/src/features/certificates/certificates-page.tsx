import { useQueryClient } from '@tanstack/react-query';
import { Eye, Plus } from 'lucide-react';
import { useState } from 'react';
import type { ApiError } from '#lib/api/api-error.ts';
import { useMayCall } from '#lib/api/session.ts';
import { useAction, useCall } from '#lib/api/use-call.ts';
import { focusOn } from '#lib/browser/focus-on.ts';
import { saveContent } from '#lib/browser/save-file.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { Link } from '#lib/router/link.tsx';
import { useNavigate, useSearchParams } from '#lib/router/router-provider.tsx';
import { Button } from '#ui/actions/button.tsx';
import { LinkButton } from '#ui/actions/links.tsx';
import { ChangeHistory } from '#ui/data/change-history.tsx';
import type { Column } from '#ui/data/data-table.tsx';
import { LoadedTable } from '#ui/data/loaded-table.tsx';
import { AdminPageHeader } from '#ui/data/page-header.tsx';
import { useConflictFields } from '#ui/editing/conflict-fields.ts';
import { EditorForm, useRecordEditor } from '#ui/editing/editor-form.tsx';
import { LocalizedFields, noText } from '#ui/editing/localized-fields.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { Checkbox } from '#ui/forms/checkbox.tsx';
import { ServiceChoice } from '#ui/search/service-choice.tsx';
import { StatusTag } from '#ui/values/status-tag.tsx';
import {
  getCertificateTemplate,
  getCertificateTemplates,
  maximumCertificateBody,
  maximumCertificateTitle,
  previewCertificate,
  saveCertificateTemplate,
  type CertificateTemplate,
} from '@diwan/contract/content/certificates';
import { getChanges } from '@diwan/contract/people/changes';
import { pages } from '@diwan/contract/portal/pages';
import type { ReplyOf } from '@diwan/contract/wire/call';
import { languages, type Language, type LocalizedText } from '@diwan/contract/wire/languages';
import {
  draftOfValidity,
  Placeholders,
  ValidityFields,
  validityOf,
  wrongField,
  type DraftValidity,
} from './template-fields.tsx';

const home = '/dashboard/certificates';

function useColumns(): Column<CertificateTemplate>[] {
  const { t } = useTranslation('certificates');
  const { language } = useLanguage();
  return [
    {
      key: 'service',
      header: t('service'),
      isPrimary: true,
      cell: ({ serviceId, serviceName }) => (
        <Link
          to={`${home}?edit=${serviceId}`}
          className="row-link link"
          aria-label={t('editName', { name: serviceName })}
        >
          {serviceName}
        </Link>
      ),
    },
    { key: 'title', header: t('text.title'), cell: ({ title }) => <bdi>{title[language]}</bdi> },
    {
      key: 'state',
      header: t('state'),
      cell: ({ isActive }) => (
        <StatusTag tone={isActive ? 'done' : 'waiting'}>
          {t(`states.${isActive ? 'active' : 'inactive'}`)}
        </StatusTag>
      ),
    },
  ];
}

/** The templates of certificates. `?edit=new` or `?edit=<service>` opens the editor. */
export function CertificatesPage() {
  const { t } = useTranslation('certificates');
  const [search] = useSearchParams();
  const edit = search.get('edit');
  const mayAdd = useMayCall(saveCertificateTemplate);
  const columns = useColumns();
  const list = useCall(getCertificateTemplates, {});
  usePageTitle(t('title'));
  if (edit === 'new' && mayAdd) return <NewTemplate />;
  if (edit !== null && /^\d{1,9}$/.test(edit))
    return <LoadedEditor key={edit} serviceId={Number(edit)} />;
  return (
    <div className="page pb-16">
      <AdminPageHeader title={t('title')} lead={t('lead')} />
      <div className="flex flex-col items-start gap-4">
        <div className="flex flex-wrap gap-3">
          <LinkButton
            call={saveCertificateTemplate}
            icon={<Plus aria-hidden size={18} />}
            to={`${home}?edit=new`}
          >
            {t('add')}
          </LinkButton>
          <LinkButton
            call={pages.issuedCertificates}
            variant="secondary"
            to={pages.issuedCertificates.path}
          >
            {t('list.issued')}
          </LinkButton>
        </div>
        <div className="w-full">
          <LoadedTable
            list={list}
            failed={t('failed')}
            emptyTitle={t('emptyTitle')}
            caption={t('title')}
            columns={columns}
            rowKey={({ serviceId }) => serviceId}
          />
        </div>
      </div>
    </div>
  );
}

function Header({ title }: { title: string }) {
  const { t } = useTranslation('certificates');
  return (
    <AdminPageHeader
      title={title}
      // While the service is loaded, the title is that of the list.
      parent={title === t('title') ? undefined : { label: t('title'), to: home }}
      action={
        <LinkButton variant="secondary" to={home}>
          {t('back')}
        </LinkButton>
      }
    />
  );
}

/** The service of a new template, whose fields the editor needs. */
function NewTemplate() {
  const { t } = useTranslation('certificates');
  const navigate = useNavigate();
  return (
    <div className="page flex flex-col gap-6 pb-16">
      <Header title={t('addTitle')} />
      <div className="max-w-form">
        <ServiceChoice
          serviceId={undefined}
          onChange={(serviceId) => {
            if (serviceId !== undefined)
              void navigate(`${home}?edit=${serviceId}`, { replace: true });
          }}
        />
      </div>
    </div>
  );
}

function LoadedEditor({ serviceId }: { serviceId: number }) {
  const { t } = useTranslation('certificates');
  const { data, error, refetch, isRefetching } = useCall(getCertificateTemplate, {
    query: { ServiceId: serviceId },
    skipErrorHandling: true,
  });
  if (data)
    return (
      <TemplateEditor
        serviceId={serviceId}
        loaded={data}
        onReload={async () => (await refetch()).data?.template}
      />
    );
  return (
    <div className="page flex flex-col gap-6 pb-16">
      <Header title={t('title')} />
      {error ? (
        <ErrorState error={error} title={t('failed')} onRetry={refetch} isRetrying={isRefetching} />
      ) : (
        <SkeletonRows count={4} />
      )}
    </div>
  );
}

interface Draft extends DraftValidity {
  title: LocalizedText;
  body: LocalizedText;
  isActive: boolean;
}

const draftOf = (template: CertificateTemplate | undefined): Draft => ({
  title: template?.title ?? noText,
  body: template?.body ?? noText,
  ...draftOfValidity(template?.validity),
  isActive: template?.isActive ?? true,
});

/** The first field that is missing or wrong, by its focus id. */
function findMissing(draft: Draft): string | undefined {
  const { title, body } = draft;
  for (const [name, text] of Object.entries({ title, body }))
    for (const language of languages)
      if (text[language].trim() === '') return `${name}.${language}`;
  return wrongField(draft);
}

type Part = 'title' | 'body';

const errorsOf = (error: ApiError | undefined, part: Part) =>
  Object.fromEntries(
    languages.flatMap((language) => {
      const found = error?.fieldErrors[`${part}.${language}`]?.join(' ');
      return found ? [[language, found]] : [];
    }),
  );

/** What an admin types in a template, saved, or previewed as PDF. */
function useTemplateEditor(
  serviceId: number,
  template: CertificateTemplate | undefined,
  onReload: () => Promise<CertificateTemplate | undefined>,
) {
  const { t } = useTranslation('certificates');
  const client = useQueryClient();
  const navigate = useNavigate();
  const editor = useRecordEditor(`certificate.${serviceId}`, template, draftOf);
  const { draft } = editor;
  const [missing, setMissing] = useState<string>();
  const save = useAction(saveCertificateTemplate, {
    skipErrorHandling: true,
    onSuccess: () => {
      editor.finish();
      for (const call of [getCertificateTemplates, getCertificateTemplate, getChanges])
        void client.invalidateQueries({ queryKey: [call.name] });
      showToast(t('saved'), 'success');
      void navigate(home);
    },
    onError: async (failure) =>
      editor.fail(failure, failure.name === 'RecordHasChanged' ? await onReload() : undefined),
  });
  const preview = useAction(previewCertificate, {
    skipErrorHandling: true,
    onSuccess: ({ content }) => {
      const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
      saveContent(new Blob([bytes], { type: 'application/pdf' }), `preview-${serviceId}.pdf`);
    },
    onError: (failure) => editor.fail(failure),
  });
  const isComplete = (): boolean => {
    const found = findMissing(draft);
    setMissing(found);
    if (found) focusOn(found);
    return !found;
  };
  return {
    editor,
    isSaving: save.isPending,
    isPreviewing: preview.isPending,
    change: (changed: Partial<Draft>) => {
      editor.change(changed);
      setMissing(undefined);
    },
    errorOf: (part: Part) =>
      missing?.startsWith(`${part}.`) ? t('required') : errorsOf(editor.error, part),
    wrongValidity: missing?.startsWith('validity') ? missing : undefined,
    submit: (over: CertificateTemplate | undefined) => {
      if (!isComplete()) return;
      const { title, body, isActive } = draft;
      const version = over ? { version: over.version } : {};
      const validity = validityOf(draft);
      save.mutate({ body: { serviceId, title, body, validity, isActive, ...version } });
    },
    showPreview: (language: Language) => {
      const { title, body } = draft;
      const validity = validityOf(draft);
      if (isComplete()) preview.mutate({ body: { serviceId, title, body, validity, language } });
    },
  };
}

/** Saves the template, or shows it as PDF in a language. */
function TemplateActions({
  isSaving,
  isPreviewing,
  onPreview,
}: {
  isSaving: boolean;
  isPreviewing: boolean;
  onPreview: (language: Language) => void;
}) {
  const { t } = useTranslation(['certificates', 'shell']);
  return (
    <>
      <div className="flex flex-wrap gap-3">
        <Button call={saveCertificateTemplate} type="submit" isPending={isSaving}>
          {t('save')}
        </Button>
        {languages.map((language) => (
          <Button
            call={previewCertificate}
            key={language}
            variant="secondary"
            icon={<Eye aria-hidden size={18} />}
            isDisabled={isPreviewing}
            onPress={() => onPreview(language)}
          >
            {t('preview', { language: t(`shell:languages.${language}`) })}
          </Button>
        ))}
      </div>
      <p role="status" className="text-sm text-ink-600">
        {isPreviewing ? t('previewPending') : ''}
      </p>
    </>
  );
}

/** Edits a template, with its placeholders, its preview as PDF and its history. */
function TemplateEditor({
  serviceId,
  loaded,
  onReload,
}: {
  serviceId: number;
  loaded: ReplyOf<typeof getCertificateTemplate>;
  onReload: () => Promise<CertificateTemplate | undefined>;
}) {
  const { t } = useTranslation('certificates');
  const conflictFields = useConflictFields();
  usePageTitle(loaded.serviceName);
  const { editor, isSaving, isPreviewing, change, errorOf, wrongValidity, submit, showPreview } =
    useTemplateEditor(serviceId, loaded.template, onReload);
  const { draft } = editor;
  const labels = {
    title: t('fields.title'),
    body: t('fields.body'),
    validityKind: t('validity.title'),
    validityCount: t('validity.count'),
    validityUnit: t('validity.unit'),
    validityField: t('validity.field'),
    isActive: t('fields.isActive'),
  };
  return (
    <div className="page flex flex-col gap-6 pb-16">
      <Header title={loaded.serviceName} />
      <EditorForm
        call={saveCertificateTemplate}
        editor={editor}
        draftOf={draftOf}
        conflictsOf={(mine, theirs) => conflictFields<Draft>(mine, theirs, labels)}
        isPending={isSaving}
        onSubmit={submit}
      >
        <LocalizedFields
          legend={t('text.title')}
          name="title"
          value={draft.title}
          onChange={(title) => change({ title })}
          maxLength={maximumCertificateTitle}
          error={errorOf('title')}
        />
        <LocalizedFields
          legend={t('text.body')}
          description={t('text.bodyHint')}
          name="body"
          value={draft.body}
          onChange={(body) => change({ body })}
          rows={8}
          maxLength={maximumCertificateBody}
          error={errorOf('body')}
        />
        <Placeholders fields={loaded.fields} />
        <ValidityFields
          draft={draft}
          fields={loaded.fields.filter(({ isDate }) => isDate)}
          wrong={wrongValidity}
          onChange={change}
        />
        <Checkbox
          label={t('isActive')}
          value={draft.isActive}
          onChange={(isActive) => change({ isActive })}
        />
        <p className="text-sm text-ink-600">{t('isActiveHint')}</p>
        <TemplateActions isSaving={isSaving} isPreviewing={isPreviewing} onPreview={showPreview} />
      </EditorForm>
      {editor.base ? (
        <ChangeHistory entity="certificateTemplate" entityId={String(serviceId)} />
      ) : null}
    </div>
  );
}
