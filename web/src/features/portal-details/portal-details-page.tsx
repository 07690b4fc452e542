import { useQueryClient } from '@tanstack/react-query';
import { Plus, Trash2 } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import type { ApiError } from '#lib/api/api-error.ts';
import { useAction, useCall } from '#lib/api/use-call.ts';
import { loadConfiguration } from '#lib/browser/configuration.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { selectLanguage, translatedLanguage, useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { Button } from '#ui/actions/button.tsx';
import { IconButton } from '#ui/actions/icon-button.tsx';
import { ChangeHistory } from '#ui/data/change-history.tsx';
import { AdminPageHeader } from '#ui/data/page-header.tsx';
import { EditorForm, useRecordEditor } from '#ui/editing/editor-form.tsx';
import { LocalizedFields } from '#ui/editing/localized-fields.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { LogoField } from '#ui/files/logo-field.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import {
  getPortalDetails,
  maximumBanner,
  maximumPortalName,
  maximumShortName,
  maximumSupportHours,
  savePortalDetails,
  type PortalDetails,
} from '@diwan/contract/content/portal-details';
import { getChanges } from '@diwan/contract/people/changes';
import { getPortalReadiness } from '@diwan/contract/portal/readiness';
import { languages } from '@diwan/contract/wire/languages';
import {
  bodyOf,
  draftOf,
  useConflicts,
  type PortalDetailsDraft as Draft,
} from './portal-details-draft.ts';
import { ReadinessItems } from './readiness-list.tsx';

interface SectionProps {
  draft: Draft;
  onChange: (changed: Partial<Draft>) => void;
  error: ApiError | undefined;
}

const messageOf = (error: ApiError | undefined, field: string) =>
  error?.fieldErrors[field]?.join(' ');

/** The errors of a text by language. */
const messagesOf = (error: ApiError | undefined, field: string) =>
  Object.fromEntries(
    languages.flatMap((language) => {
      const message = messageOf(error, `${field}.${language}`);
      return message ? [[language, message]] : [];
    }),
  );

/** `id` names the part in the address: the list of what is missing links to it. */
function Section({
  id,
  title,
  lead,
  children,
}: {
  id: string;
  title: string;
  lead: string;
  children: ReactNode;
}) {
  return (
    <section
      aria-labelledby={`${id}-title`}
      id={id}
      className="flex scroll-mt-24 flex-col gap-4 border-t border-ink-100 pt-6"
    >
      <div>
        <h2 id={`${id}-title`} className="text-lg">
          {title}
        </h2>
        <p className="text-ink-600">{lead}</p>
      </div>
      {children}
    </section>
  );
}

function Names({ draft, onChange, error }: SectionProps) {
  const { t } = useTranslation('portal');
  return (
    <Section id="names" title={t('names.title')} lead={t('names.lead')}>
      <LocalizedFields
        legend={t('fields.name')}
        name="name"
        value={draft.name}
        onChange={(name) => onChange({ name })}
        maxLength={maximumPortalName}
        error={messagesOf(error, 'name')}
      />
      <LocalizedFields
        legend={t('fields.shortName')}
        description={t('names.shortHint', { maximum: maximumShortName })}
        name="shortName"
        value={draft.shortName}
        onChange={(shortName) => onChange({ shortName })}
        maxLength={maximumShortName}
        isOptional
        error={messagesOf(error, 'shortName')}
      />
      <div className="grid gap-6 md:grid-cols-2">
        <LogoField
          label={t('fields.logo')}
          value={draft.logo}
          onChange={(logo) => onChange({ logo })}
          onRemove={() => onChange({ logo: '', darkLogo: '' })}
        />
        {draft.logo ? (
          <LogoField
            label={t('fields.darkLogo')}
            value={draft.darkLogo}
            onChange={(darkLogo) => onChange({ darkLogo })}
            onRemove={() => onChange({ darkLogo: '' })}
          />
        ) : null}
      </div>
    </Section>
  );
}

function Support({ draft, onChange, error }: SectionProps) {
  const { t } = useTranslation('portal');
  return (
    <Section id="support" title={t('support.title')} lead={t('support.lead')}>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField
          name="supportPhone"
          type="tel"
          label={t('fields.supportPhone')}
          value={draft.supportPhone}
          onChange={(supportPhone) => onChange({ supportPhone })}
          dir="ltr"
          maxLength={30}
          isOptional
          error={messageOf(error, 'supportPhone')}
        />
        <TextField
          name="supportEmail"
          type="email"
          label={t('fields.supportEmail')}
          value={draft.supportEmail}
          onChange={(supportEmail) => onChange({ supportEmail })}
          dir="ltr"
          maxLength={200}
          isOptional
          error={messageOf(error, 'supportEmail')}
        />
      </div>
      <LocalizedFields
        legend={t('fields.supportHours')}
        description={t('support.hoursHint')}
        name="supportHours"
        value={draft.supportHours}
        onChange={(supportHours) => onChange({ supportHours })}
        maxLength={maximumSupportHours}
        isOptional
        error={messagesOf(error, 'supportHours')}
      />
    </Section>
  );
}

/** The most links and the most cards. */
const mostItems = 8;

function RemoveButton({ name, onPress }: { name: string; onPress: () => void }) {
  const { t } = useTranslation('portal');
  return (
    <IconButton label={t('remove', { name })} onPress={onPress}>
      <Trash2 aria-hidden size={20} />
    </IconButton>
  );
}

function AddButton({
  label,
  onPress,
  count,
}: {
  label: string;
  onPress: () => void;
  count: number;
}) {
  return count < mostItems ? (
    <div>
      <Button variant="secondary" size="sm" icon={<Plus aria-hidden size={18} />} onPress={onPress}>
        {label}
      </Button>
    </div>
  ) : null;
}

function Links({ draft: { social }, onChange, error }: SectionProps) {
  const { t } = useTranslation('portal');
  const change = (at: number, changed: Partial<Draft['social'][number]>) =>
    onChange({
      social: social.map((each, index) => (index === at ? { ...each, ...changed } : each)),
    });
  return (
    <Section id="social" title={t('fields.social')} lead={t('social.lead')}>
      {social.map(({ name, url }, index) => (
        <div key={index} className="flex items-start gap-2">
          <div className="grid grow items-start gap-4 sm:grid-cols-[1fr_2fr]">
            <TextField
              name={`social.${index}.name`}
              label={t('social.name')}
              value={name}
              onChange={(next) => change(index, { name: next })}
              maxLength={40}
              error={messageOf(error, `social.${index}.name`)}
            />
            <TextField
              name={`social.${index}.url`}
              label={t('social.url')}
              value={url}
              onChange={(next) => change(index, { url: next })}
              dir="ltr"
              maxLength={300}
              error={messageOf(error, `social.${index}.url`)}
            />
          </div>
          <RemoveButton
            name={name || t('social.new')}
            onPress={() => onChange({ social: social.filter((_, at) => at !== index) })}
          />
        </div>
      ))}
      <AddButton
        label={t('social.add')}
        count={social.length}
        onPress={() => onChange({ social: [...social, { name: '', url: 'https://' }] })}
      />
    </Section>
  );
}

function Cards({ draft: { cards }, onChange, error }: SectionProps) {
  const { t } = useTranslation('portal');
  const change = (at: number, changed: Partial<Draft['cards'][number]>) =>
    onChange({
      cards: cards.map((each, index) => (index === at ? { ...each, ...changed } : each)),
    });
  return (
    <Section id="cards" title={t('fields.cards')} lead={t('cards.lead')}>
      {cards.map(({ name, logo }, index) => (
        <div key={index} className="flex items-start gap-2">
          <div className="grid grow items-start gap-4 sm:grid-cols-2">
            <TextField
              name={`cards.${index}.name`}
              label={t('cards.name')}
              value={name}
              onChange={(next) => change(index, { name: next })}
              maxLength={40}
              error={messageOf(error, `cards.${index}.name`)}
            />
            <div>
              <LogoField value={logo} onChange={(next) => change(index, { logo: next })} />
              {messageOf(error, `cards.${index}.logo`) ? (
                <p role="alert" className="text-sm font-medium text-red-700">
                  {t('cards.noLogo')}
                </p>
              ) : null}
            </div>
          </div>
          <RemoveButton
            name={name || t('cards.new')}
            onPress={() => onChange({ cards: cards.filter((_, at) => at !== index) })}
          />
        </div>
      ))}
      <AddButton
        label={t('cards.add')}
        count={cards.length}
        onPress={() => onChange({ cards: [...cards, { name: '', logo: '' }] })}
      />
    </Section>
  );
}

function Banner({ draft, onChange, error }: SectionProps) {
  const { t } = useTranslation('portal');
  return (
    <Section id="banner" title={t('fields.banner')} lead={t('banner.lead')}>
      <LocalizedFields
        legend={t('banner.text')}
        name="banner"
        value={draft.banner}
        onChange={(banner) => onChange({ banner })}
        maxLength={maximumBanner}
        isOptional
        error={messagesOf(error, 'banner')}
      />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        {(['bannerFrom', 'bannerUntil'] as const).map((field) => (
          <TextField
            key={field}
            name={field}
            type="datetime-local"
            label={t(`fields.${field}`)}
            description={t(`banner.${field}Hint`)}
            isOptional
            value={draft[field]}
            onChange={(time) => onChange({ [field]: time })}
            dir="ltr"
            error={messageOf(error, field)}
          />
        ))}
      </div>
    </Section>
  );
}

/** Shows the saved details in the frame of this page too. */
async function showSaved(): Promise<void> {
  await loadConfiguration();
  selectLanguage(translatedLanguage());
}

function DetailsEditor({
  loaded,
  onReload,
}: {
  loaded: PortalDetails;
  onReload: () => Promise<PortalDetails | undefined>;
}) {
  const { t } = useTranslation('portal');
  const client = useQueryClient();
  const conflictsOf = useConflicts();
  // The part that the address names is not there before the details are.
  useEffect(() => {
    document.getElementById(window.location.hash.slice(1))?.scrollIntoView();
  }, []);
  const editor = useRecordEditor('portal', loaded, draftOf);
  const { draft, change, error } = editor;
  const save = useAction(savePortalDetails, {
    skipErrorHandling: true,
    onSuccess: (saved) => {
      editor.continueWith(saved, draft);
      client.setQueryData([getPortalDetails.name], saved);
      for (const call of [getPortalDetails, getPortalReadiness, getChanges])
        void client.invalidateQueries({ queryKey: [call.name] });
      showToast(t('saved'), 'success');
      void showSaved();
    },
    onError: async (failure) =>
      editor.fail(failure, failure.name === 'RecordHasChanged' ? await onReload() : undefined),
  });
  const section = { draft, onChange: change, error };
  return (
    <>
      <EditorForm
        call={savePortalDetails}
        editor={editor}
        draftOf={draftOf}
        conflictsOf={conflictsOf}
        isPending={save.isPending}
        onSubmit={(over) => save.mutate({ body: bodyOf(draft, over?.version ?? 0) })}
      >
        <Names {...section} />
        <Support {...section} />
        <Links {...section} />
        <Cards {...section} />
        <Banner {...section} />
        <div>
          <Button call={savePortalDetails} type="submit" isPending={save.isPending}>
            {t('save')}
          </Button>
        </div>
      </EditorForm>
      <ChangeHistory entity="portal" entityId="details" />
    </>
  );
}

/** What is still missing before visitors come. */
function GoingLive() {
  const { t } = useTranslation('portal');
  const { data } = useCall(getPortalReadiness, { skipErrorHandling: true });
  return data ? (
    <Section id="going-live" title={t('goingLive.title')} lead={t('goingLive.lead')}>
      <ReadinessItems list="goingLive" done={data.done} />
    </Section>
  ) : null;
}

/** The name of the portal, its logo, support, links and banner. */
export function PortalDetailsPage() {
  const { t } = useTranslation('portal');
  usePageTitle(t('title'));
  const { data, error, refetch, isRefetching } = useCall(getPortalDetails, {
    skipErrorHandling: true,
  });
  return (
    <div className="page flex flex-col gap-6 pb-16">
      <AdminPageHeader title={t('title')} lead={t('lead')} />
      <GoingLive />
      {data ? (
        <DetailsEditor loaded={data} onReload={async () => (await refetch()).data} />
      ) : error ? (
        <ErrorState error={error} title={t('failed')} onRetry={refetch} isRetrying={isRefetching} />
      ) : (
        <SkeletonRows count={6} />
      )}
    </div>
  );
}
