import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction, useCall } from '#lib/api/use-call.ts';
import { focusOn } from '#lib/browser/focus-on.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { useNavigate } from '#lib/router/router-provider.tsx';
import { Button } from '#ui/actions/button.tsx';
import { LinkButton } from '#ui/actions/links.tsx';
import { ChangeHistory } from '#ui/data/change-history.tsx';
import { AdminPageHeader } from '#ui/data/page-header.tsx';
import { useConflictFields } from '#ui/editing/conflict-fields.ts';
import { EditorForm, useRecordEditor } from '#ui/editing/editor-form.tsx';
import { LocalizedFields } from '#ui/editing/localized-fields.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { toneOf } from '#ui/feedback/announcements.tsx';
import { Checkbox, CheckboxGroup } from '#ui/forms/checkbox.tsx';
import { ComboField } from '#ui/forms/combo-field.tsx';
import { SelectField } from '#ui/forms/select-field.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import { ServiceChoice } from '#ui/search/service-choice.tsx';
import { getAllAccountTypesByLogo } from '@diwan/contract/catalogue/account-types';
import { governmentAgencyCollection } from '@diwan/contract/catalogue/agencies';
import {
  announcementKinds,
  announcementSeverities,
  getAllAnnouncements,
  getAnnouncements,
  maximumAnnouncementText,
  maximumAnnouncementTitle,
  saveAnnouncement,
  type AnnouncementRecord,
} from '@diwan/contract/content/announcements';
import { getChanges } from '@diwan/contract/people/changes';
import { roles } from '@diwan/contract/wire/call';
import { directionOf, languages, type LocalizedText } from '@diwan/contract/wire/languages';
import { audienceOf, draftOf, type AnnouncementDraft as Draft } from './announcement-draft.ts';

const isMissing = (text: LocalizedText) => languages.some((each) => text[each].trim() === '');

/** The choice that belongs to the audience: account types, roles, an agency or a service. */
function AudienceChoice({
  draft,
  onChange,
  error,
}: {
  draft: Draft;
  onChange: (changed: Partial<Draft>) => void;
  error: string | undefined;
}) {
  const { t } = useTranslation('announcements');
  const accountTypes = useCall(getAllAccountTypesByLogo, { enabled: draft.of === 'accountTypes' });
  const agencies = useCall(governmentAgencyCollection, { enabled: draft.of === 'agency' });
  if (draft.of === 'everybody') return null;
  if (draft.of === 'service')
    return (
      <ServiceChoice
        name="audience"
        serviceId={draft.serviceId}
        onChange={(serviceId) => onChange({ serviceId })}
        error={error}
      />
    );
  if (draft.of === 'agency')
    return (
      <ComboField
        name="audience"
        label={t('choose')}
        value={draft.agencyId === undefined ? '' : String(draft.agencyId)}
        onChange={(value) => onChange({ agencyId: value === '' ? undefined : Number(value) })}
        choices={(agencies.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
        error={error}
      />
    );
  return draft.of === 'roles' ? (
    <CheckboxGroup
      name="audience"
      label={t('choose')}
      value={draft.roles}
      onChange={(roles) => onChange({ roles })}
      choices={roles.map((role) => ({ value: role, label: t(`roles.${role}`) }))}
      error={error}
    />
  ) : (
    <CheckboxGroup
      name="audience"
      label={t('choose')}
      value={draft.accountTypes}
      onChange={(ids) => onChange({ accountTypes: ids })}
      choices={(accountTypes.data ?? []).map(({ accountTypeId, accountTypeName }) => ({
        value: String(accountTypeId),
        label: accountTypeName,
      }))}
      error={error}
    />
  );
}

function Preview({ draft }: { draft: Draft }) {
  const { t } = useTranslation(['announcements', 'shell']);
  return (
    <section>
      <h2 className="pb-3 text-lg">{t('preview')}</h2>
      <div className="grid items-start gap-4 lg:grid-cols-3">
        {languages.map((language) => (
          <div key={language} lang={language} dir={directionOf(language)}>
            <Alert
              tone={toneOf[draft.severity]}
              title={draft.title[language] || t(`shell:languages.${language}`)}
            >
              <p className="whitespace-pre-line wrap-anywhere">{draft.text[language]}</p>
            </Alert>
          </div>
        ))}
      </div>
    </section>
  );
}

type Field = 'title' | 'text' | 'audience' | 'from' | 'until';
type Problems = Partial<Record<Field, string>>;

/** The fields that somebody else changed meanwhile, in words. */
function useConflicts() {
  const { t } = useTranslation('announcements');
  const conflictFields = useConflictFields();
  const inWords = ({ title, text, kind, severity, of, isDismissible, from, until }: Draft) => ({
    title,
    text,
    kind: t(`kinds.${kind}`),
    severity: t(`severities.${severity}`),
    audience: t(`audiences.${of}`),
    isDismissible,
    from,
    until,
  });
  const labels = {
    title: t('title'),
    text: t('text'),
    kind: t('kind'),
    severity: t('severity'),
    audience: t('audience'),
    isDismissible: t('dismissible'),
    from: t('from'),
    until: t('until'),
  };
  return (mine: Draft, theirs: Draft) => conflictFields(inWords(mine), inWords(theirs), labels);
}

/** What is missing in a draft, by field. */
function useMissing() {
  const { t } = useTranslation('announcements');
  return (draft: Draft): Problems => ({
    ...(isMissing(draft.title) ? { title: t('required') } : {}),
    ...(isMissing(draft.text) ? { text: t('required') } : {}),
    ...(audienceOf(draft) ? {} : { audience: t('missingChoice') }),
    ...(draft.from === '' ? { from: t('missingTime') } : {}),
  });
}

/** Focuses the first field that is missing; of a text, its first language. */
function focusOnMissing(draft: Draft, field: Field): void {
  const language =
    field === 'title' || field === 'text'
      ? languages.find((each) => draft[field][each].trim() === '')
      : undefined;
  focusOn(language ? `${field}.${language}` : field);
}

/** What an admin types, and how it is published, changed and withdrawn. */
function useAnnouncementEditor(
  record: AnnouncementRecord | undefined,
  onReload: () => Promise<AnnouncementRecord | undefined>,
) {
  const { t } = useTranslation('announcements');
  const client = useQueryClient();
  const navigate = useNavigate();
  const missingOf = useMissing();
  const editor = useRecordEditor(`announcement.${record?.id ?? 'new'}`, record, draftOf);
  const { draft } = editor;
  const [missing, setMissing] = useState<Problems>({});
  const save = useAction(saveAnnouncement, {
    skipErrorHandling: true,
    onSuccess: ({ state }) => {
      editor.finish();
      for (const call of [getAllAnnouncements, getAnnouncements, getChanges])
        void client.invalidateQueries({ queryKey: [call.name] });
      showToast(t(state === 'withdrawn' ? 'withdrawn' : 'saved'), 'success');
      void navigate('/dashboard/announcements');
    },
    onError: async (failure) =>
      editor.fail(failure, failure.name === 'RecordHasChanged' ? await onReload() : undefined),
  });
  return {
    editor,
    isPending: save.isPending,
    change: (changed: Partial<Draft>) => {
      editor.change(changed);
      setMissing({});
    },
    errorOf: (field: Field) => missing[field] ?? editor.error?.fieldErrors[field]?.join(' '),
    submit: (over: AnnouncementRecord | undefined, isWithdrawn = false) => {
      const found = missingOf(draft);
      setMissing(found);
      const [first] = Object.keys(found) as Field[];
      if (first) return focusOnMissing(draft, first);
      const audience = audienceOf(draft);
      if (!audience) return;
      save.mutate({
        body: {
          ...(over ? { id: over.id, version: over.version } : {}),
          title: draft.title,
          text: draft.text,
          kind: draft.kind,
          severity: draft.severity,
          audience,
          isDismissible: draft.isDismissible,
          from: draft.from,
          ...(draft.until === '' ? {} : { until: draft.until }),
          ...(isWithdrawn ? { isWithdrawn } : {}),
        },
      });
    },
  };
}

interface FieldsProps {
  draft: Draft;
  onChange: (changed: Partial<Draft>) => void;
  errorOf: (field: Field) => string | undefined;
}

function AnnouncementTexts({ draft, onChange, errorOf }: FieldsProps) {
  const { t } = useTranslation('announcements');
  return (
    <>
      <LocalizedFields
        legend={t('title')}
        name="title"
        value={draft.title}
        onChange={(title) => onChange({ title })}
        maxLength={maximumAnnouncementTitle}
        error={errorOf('title')}
      />
      <LocalizedFields
        legend={t('text')}
        name="text"
        value={draft.text}
        onChange={(text) => onChange({ text })}
        rows={4}
        maxLength={maximumAnnouncementText}
        error={errorOf('text')}
      />
    </>
  );
}

/** What kind of announcement it is, and when and to whom it is shown. */
function AnnouncementDetails({ draft, onChange, errorOf }: FieldsProps) {
  const { t } = useTranslation('announcements');
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-4">
      <SelectField
        label={t('kind')}
        value={draft.kind}
        onChange={(kind) => onChange({ kind: kind as Draft['kind'] })}
        choices={announcementKinds.map((value) => ({ value, label: t(`kinds.${value}`) }))}
      />
      <SelectField
        label={t('severity')}
        value={draft.severity}
        onChange={(severity) => onChange({ severity: severity as Draft['severity'] })}
        choices={announcementSeverities.map((value) => ({
          value,
          label: t(`severities.${value}`),
        }))}
      />
      <TextField
        name="from"
        type="datetime-local"
        label={t('from')}
        value={draft.from}
        onChange={(from) => onChange({ from })}
        dir="ltr"
        error={errorOf('from')}
      />
      <TextField
        name="until"
        type="datetime-local"
        label={t('until')}
        description={t('untilHint')}
        isOptional
        value={draft.until}
        onChange={(until) => onChange({ until })}
        dir="ltr"
        error={errorOf('until')}
      />
      <SelectField
        label={t('audience')}
        value={draft.of}
        onChange={(of) => onChange({ of: of as Draft['of'] })}
        choices={(['everybody', 'accountTypes', 'roles', 'agency', 'service'] as const).map(
          (value) => ({ value, label: t(`audiences.${value}`) }),
        )}
      />
      <div className="sm:col-span-1 lg:col-span-2">
        <AudienceChoice draft={draft} onChange={onChange} error={errorOf('audience')} />
      </div>
    </div>
  );
}

function EditorHeader({ title }: { title: string }) {
  const { t } = useTranslation('announcements');
  return (
    <AdminPageHeader
      title={title}
      parent={{ label: t('tabs.announcements'), to: '/dashboard/announcements' }}
      action={
        <LinkButton variant="secondary" to="/dashboard/announcements">
          {t('back')}
        </LinkButton>
      }
    />
  );
}

/** Adds or changes an announcement, with its preview in three languages and its history. */
export function AnnouncementEditor({
  record,
  onReload,
}: {
  record: AnnouncementRecord | undefined;
  onReload: () => Promise<AnnouncementRecord | undefined>;
}) {
  const { t } = useTranslation('announcements');
  const conflictsOf = useConflicts();
  const title = t(record ? 'editTitle' : 'addTitle');
  usePageTitle(title);
  const { editor, isPending, change, errorOf, submit } = useAnnouncementEditor(record, onReload);
  const { base, draft } = editor;
  return (
    <div className="page flex flex-col gap-6 pb-16">
      <EditorHeader title={title} />
      <EditorForm
        call={saveAnnouncement}
        editor={editor}
        draftOf={draftOf}
        conflictsOf={conflictsOf}
        isPending={isPending}
        onSubmit={submit}
      >
        <AnnouncementTexts draft={draft} onChange={change} errorOf={errorOf} />
        <AnnouncementDetails draft={draft} onChange={change} errorOf={errorOf} />
        <Checkbox
          label={t('dismissible')}
          value={draft.isDismissible}
          onChange={(isDismissible) => change({ isDismissible })}
        />
        <Preview draft={draft} />
        <div className="flex flex-wrap gap-3">
          <Button call={saveAnnouncement} type="submit" isPending={isPending}>
            {t(base?.state === 'withdrawn' ? 'restore' : base ? 'saveChanges' : 'save')}
          </Button>
          {base && (base.state === 'planned' || base.state === 'shown') ? (
            <Button
              call={saveAnnouncement}
              variant="danger"
              isDisabled={isPending}
              onPress={() => submit(base, true)}
            >
              {t('withdraw')}
            </Button>
          ) : null}
        </div>
      </EditorForm>
      {base ? <ChangeHistory entity="announcement" entityId={String(base.id)} /> : null}
    </div>
  );
}
