import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { showToast } from '#lib/browser/toasts.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { useAllFonts } from '#lib/i18n/use-all-fonts.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { Button } from '#ui/actions/button.tsx';
import { PageHeader } from '#ui/data/page-header.tsx';
import { ErrorAlert } from '#ui/feedback/alert.tsx';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { Checkbox } from '#ui/forms/checkbox.tsx';
import { FormDialog, FormField } from '#ui/forms/form-dialog.tsx';
import { messageNameOf, messageNames } from '#ui/forms/message-fields.tsx';
import { TextAreaField } from '#ui/forms/text-area-field.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import { maximumSnippetNameLength, type Snippet } from '@diwan/contract/people/snippets';
import { directionOf, languages } from '@diwan/contract/wire/languages';
import { useSnippetActions, useSnippets } from '../staff/snippets/snippets.data.ts';

type Open = { is: 'new' } | { is: 'edit' | 'delete'; snippet: Snippet };

/** The texts that staff insert into messages to applicants: own ones, and shared ones of colleagues. */
export function SavedTextsPage() {
  const { t } = useTranslation('snippets');
  const { data, error, refetch, isRefetching } = useSnippets();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const add = (
    <Button icon={<Plus aria-hidden size={18} />} onPress={() => setOpen({ is: 'new' })}>
      {t('add')}
    </Button>
  );
  usePageTitle(t('title'));
  // Texts of all languages are shown, each in its font.
  useAllFonts();
  return (
    <div className="page pb-16">
      <PageHeader
        title={t('title')}
        lead={t('lead')}
        action={data && data.length > 0 ? add : undefined}
      />
      {error && !data ? (
        <ErrorState error={error} onRetry={refetch} isRetrying={isRefetching} />
      ) : !data ? (
        <SkeletonRows count={4} />
      ) : data.length === 0 ? (
        <EmptyState title={t('emptyTitle')} action={add}>
          {t('emptyText')}
        </EmptyState>
      ) : (
        <ul className="divide-y divide-ink-100 border-y border-ink-100">
          {data.map((snippet) => (
            <SnippetRow
              key={snippet.snippetId}
              snippet={snippet}
              onEdit={() => setOpen({ is: 'edit', snippet })}
              onDelete={() => setOpen({ is: 'delete', snippet })}
            />
          ))}
        </ul>
      )}
      {open?.is === 'delete' ? <DeleteDialog snippet={open.snippet} onClose={close} /> : null}
      {open?.is === 'new' ? <SnippetDialog onClose={close} /> : null}
      {open?.is === 'edit' ? <SnippetDialog snippet={open.snippet} onClose={close} /> : null}
    </div>
  );
}

function SnippetRow({
  snippet,
  onEdit,
  onDelete,
}: {
  snippet: Snippet;
  onEdit: () => void;
  onDelete: () => void;
}) {
  const { t } = useTranslation(['snippets', 'shell']);
  const format = useFormat();
  const { name, isShared, owner, canChange } = snippet;
  const written = languages.filter((language) => snippet[messageNameOf[language]] !== '');
  const missing = languages.filter((language) => !written.includes(language));
  return (
    <li className="flex flex-wrap items-start justify-between gap-4 py-4">
      <div className="min-w-0 grow basis-72">
        <h2 className="text-base">
          <bdi>{name}</bdi>
        </h2>
        <p className="text-sm text-ink-600">
          <span>
            {owner
              ? t('sharedBy', { name: `\u2068${owner}\u2069` })
              : t(isShared ? 'shared' : 'own')}
          </span>
          {missing.length > 0 ? (
            <span className="text-amber-800">
              {' · '}
              <span>
                {t('missingIn', {
                  languages: missing.map(format.language).join(t('shell:listSeparator')),
                })}
              </span>
            </span>
          ) : null}
        </p>
        {written.map((language) => (
          <p
            key={language}
            lang={language.slice(0, 2)}
            dir={directionOf(language)}
            className="mt-2 max-w-form wrap-anywhere whitespace-pre-line"
          >
            {snippet[messageNameOf[language]]}
          </p>
        ))}
      </div>
      {canChange ? (
        <div className="flex gap-2">
          <Button
            variant="secondary"
            size="sm"
            aria-label={t('editName', { name })}
            onPress={onEdit}
          >
            {t('edit')}
          </Button>
          <Button
            variant="quiet"
            size="sm"
            aria-label={t('deleteName', { name })}
            onPress={onDelete}
          >
            {t('delete')}
          </Button>
        </div>
      ) : null}
    </li>
  );
}

function DeleteDialog({ snippet, onClose }: { snippet: Snippet; onClose: () => void }) {
  const { t } = useTranslation('snippets');
  const { remove } = useSnippetActions();
  const { snippetId, name } = snippet;
  const done = () => {
    showToast(t('deleted'), 'success');
    onClose();
  };
  return (
    <ConfirmDialog
      title={t('deleteTitle')}
      confirmLabel={t('delete')}
      cancelLabel={t('cancel')}
      isDangerous
      isPending={remove.isPending}
      onConfirm={() => remove.mutate({ body: { snippetId } }, { onSuccess: done })}
      onClose={onClose}
    >
      <p>{t('deleteText', { name })}</p>
      <ErrorAlert error={remove.error} />
    </ConfirmDialog>
  );
}

function SnippetDialog({ snippet, onClose }: { snippet?: Snippet; onClose: () => void }) {
  const { t } = useTranslation(['snippets', 'shell']);
  const { save } = useSnippetActions();
  const form = useForm({
    defaultValues: {
      name: snippet?.name ?? '',
      messageAr: snippet?.messageAr ?? '',
      messageEn: snippet?.messageEn ?? '',
      messageUr: snippet?.messageUr ?? '',
      isShared: snippet?.isShared ?? false,
    },
  });
  const { control, getValues } = form;
  const done = () => {
    showToast(t('saved'), 'success');
    onClose();
  };
  const isEmpty = () => messageNames.every((each) => getValues(each).trim() === '');
  return (
    <FormDialog
      form={form}
      title={t(snippet ? 'editTitle' : 'addTitle')}
      submitLabel={t('save')}
      cancelLabel={t('cancel')}
      isPending={save.isPending}
      error={save.error}
      errorTitle={t('failed')}
      fieldOfError={({ name }) => (name === 'SnippetNameTaken' ? 'name' : undefined)}
      onResetError={save.reset}
      submitsOnEnter={false}
      onSubmit={(values) =>
        save.mutate(
          {
            body: {
              ...(snippet ? { snippetId: snippet.snippetId, version: snippet.version } : {}),
              ...values,
            },
          },
          { onSuccess: done },
        )
      }
      onClose={onClose}
    >
      <FormField
        control={control}
        name="name"
        validate={(name) => (name.trim() === '' ? t('nameMissing') : undefined)}
      >
        {(field) => (
          <TextField
            {...field}
            label={t('name')}
            description={t('nameHint')}
            maxLength={maximumSnippetNameLength}
            dir="auto"
            focusIds={['SnippetNameTaken']}
          />
        )}
      </FormField>
      <fieldset className="flex flex-col gap-4">
        <legend className="font-semibold">{t('texts')}</legend>
        <p className="text-sm text-ink-500">{t('textsHint')}</p>
        {languages.map((language, index) => (
          <div key={language} dir={directionOf(language)}>
            <FormField
              control={control}
              name={messageNameOf[language]}
              validate={() => (index === 0 && isEmpty() ? t('textMissing') : undefined)}
            >
              {(field) => (
                <TextAreaField
                  {...field}
                  label={t(`shell:languages.${language}`)}
                  labelLanguage={language}
                  lang={language}
                  dir={directionOf(language)}
                  rows={2}
                  maxLength={2000}
                />
              )}
            </FormField>
          </div>
        ))}
      </fieldset>
      <FormField control={control} name="isShared">
        {(field) => <Checkbox {...field} label={t('share')} />}
      </FormField>
    </FormDialog>
  );
}
