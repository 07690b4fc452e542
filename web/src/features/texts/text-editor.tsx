import { RotateCcw, Undo2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ApiError } from '#lib/api/api-error.ts';
import { useCall } from '#lib/api/use-call.ts';
import { focusOn } from '#lib/browser/focus-on.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { showFonts } from '#lib/i18n/fonts.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { Button } from '#ui/actions/button.tsx';
import { LinkButton } from '#ui/actions/links.tsx';
import { ChangeHistory } from '#ui/data/change-history.tsx';
import { PageHeader } from '#ui/data/page-header.tsx';
import { ConflictChoice } from '#ui/editing/conflict-choice.tsx';
import { TextWarnings } from '#ui/editing/localized-fields.tsx';
import { Alert, ErrorAlert } from '#ui/feedback/alert.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { TextAreaField } from '#ui/forms/text-area-field.tsx';
import { getText, type EditedForm, type TextEntry } from '@diwan/contract/content/texts';
import { directionOf, languages, type Language } from '@diwan/contract/wire/languages';
import { findTextWarnings } from '@diwan/contract/wire/text-warnings';
import { MarkedText, TextPlaces } from './text-places.tsx';
import { useSaveText } from './texts.data.ts';

/** Texts by `language.form`, such as `ar-EG.few`; `ar-EG.` without a count. */
type Values = Readonly<Record<string, string>>;
const nameOf = (language: Language, { form }: Pick<EditedForm, 'form'>) => `${language}.${form}`;

const formsOf = ({ texts }: TextEntry) =>
  languages.flatMap((language) => texts[language].map((form) => ({ language, ...form })));

const valuesOf = (entry: TextEntry): Values =>
  Object.fromEntries(formsOf(entry).map((form) => [nameOf(form.language, form), form.text]));

/** What was typed and not saved, by entry: it returns after another page was open. */
const drafts = new Map<string, Values>();

const fieldName = (language: Language, { form }: Pick<EditedForm, 'form'>) =>
  ['texts', language, ...(form === '' ? [] : [form])].join('.');

/** One form of a text: the field, the shipped text, and what to do where both differ. */
function FormEditor({
  form,
  language,
  label,
  value,
  error,
  onChange,
  onKeep,
}: {
  form: EditedForm;
  language: Language;
  label: string;
  value: string;
  error: string | undefined;
  onChange: (text: string) => void;
  onKeep: () => void;
}) {
  const { t } = useTranslation('texts');
  const isShipped = value === form.shipped;
  return (
    <div className="flex flex-col items-start gap-2">
      <div className="w-full">
        <TextAreaField
          name={fieldName(language, form)}
          label={label}
          lang={language}
          dir={directionOf(language)}
          rows={value.length > 120 ? 6 : 2}
          maxLength={4000}
          value={value}
          onChange={onChange}
          error={error}
        />
      </div>
      {form.shippedThen === undefined ? null : (
        <Alert
          tone="warning"
          title={t('shippedChanged')}
          action={
            <Button variant="secondary" size="sm" onPress={onKeep}>
              {t('keepOurs')}
            </Button>
          }
        >
          <p>{t('shippedThen')}</p>
          <ShippedText text={form.shippedThen} language={language} />
        </Alert>
      )}
      {isShipped ? null : (
        <>
          <p className="text-sm text-ink-600">{t('shipped')}</p>
          <ShippedText text={form.shipped} language={language} />
          <Button
            variant="quiet"
            size="sm"
            icon={<RotateCcw aria-hidden size={16} />}
            onPress={() => onChange(form.shipped)}
          >
            {t('useShipped')}
          </Button>
        </>
      )}
    </div>
  );
}

function ShippedText({ text, language }: { text: string; language: Language }) {
  return (
    <p
      lang={language}
      dir={directionOf(language)}
      className="w-full rounded-md bg-ink-50 px-3 py-2 text-sm whitespace-pre-wrap wrap-anywhere"
    >
      <MarkedText text={text} />
    </p>
  );
}

function useFormLabel() {
  const { t } = useTranslation(['texts', 'shell']);
  return (language: Language, { form }: Pick<EditedForm, 'form'>) =>
    form === '' ? t(`shell:languages.${language}`) : t(`forms.${language}.${form}`);
}

/** The warnings of the usual form in each language. */
function warningsOf(entry: TextEntry, values: Values) {
  const main = (language: Language) => {
    const forms = entry.texts[language];
    const form = forms.find((each) => each.form === 'other') ?? forms[0];
    return form ? (values[nameOf(language, form)] ?? '') : '';
  };
  return findTextWarnings({
    'ar-EG': main('ar-EG'),
    'en-US': main('en-US'),
    'ur-PK': main('ur-PK'),
  }).filter(({ kind }) => kind !== 'missing');
}

function EditForm({
  entry,
  onReload,
}: {
  entry: TextEntry;
  onReload: () => Promise<TextEntry | undefined>;
}) {
  const { t } = useTranslation(['texts', 'shell']);
  const labelOf = useFormLabel();
  const id = `${entry.noun}:${entry.key}`;
  const [base, setBase] = useState(entry);
  const [values, setValues] = useState<Values>(() => ({ ...valuesOf(entry), ...drafts.get(id) }));
  const [error, setError] = useState<ApiError>();
  const [theirs, setTheirs] = useState<TextEntry>();
  const [undo, setUndo] = useState<Values>();
  const saved = valuesOf(base);
  const edited = formsOf(base).filter(
    (form) => values[nameOf(form.language, form)] !== saved[nameOf(form.language, form)],
  );
  const isEdited = edited.length > 0;
  useEffect(() => {
    if (isEdited) drafts.set(id, values);
    else drafts.delete(id);
  }, [id, isEdited, values]);

  const save = useSaveText({
    onSaved: (next) => {
      showToast(t('saved'), 'success');
      setUndo(valuesOf(base));
      setBase(next);
      setValues(valuesOf(next));
      setTheirs(undefined);
      setError(undefined);
    },
    onError: async (failure) => {
      if (failure.name === 'RecordHasChanged') setTheirs(await onReload());
      setError(failure);
      const [first] = Object.keys(failure.fieldErrors);
      if (first) focusOn(first);
    },
  });
  const send = (
    forms: readonly { language: Language; form: EditedForm['form'] }[],
    over: TextEntry,
    from: Values,
  ) =>
    save.mutate({
      body: {
        noun: over.noun,
        key: over.key,
        version: over.version,
        texts: forms.map(({ language, form }) => ({
          language,
          form,
          text: from[nameOf(language, { form })] ?? '',
        })),
      },
    });
  const change = (name: string, text: string) => {
    setValues((known) => ({ ...known, [name]: text }));
    setError(undefined);
    setUndo(undefined);
  };
  const conflicts = theirs
    ? edited.filter((form) => {
        const name = nameOf(form.language, form);
        return valuesOf(theirs)[name] !== saved[name] && valuesOf(theirs)[name] !== values[name];
      })
    : [];
  const isConflict = error?.name === 'RecordHasChanged' && theirs !== undefined;
  const warnings = warningsOf(base, values);
  return (
    <form
      noValidate
      className="flex flex-col gap-6"
      onSubmit={(event) => {
        event.preventDefault();
        if (isEdited && !save.isPending) send(edited, base, values);
      }}
    >
      {isConflict ? (
        <ConflictChoice
          fields={(conflicts.length > 0 ? conflicts : edited).map((form) => {
            const name = nameOf(form.language, form);
            return {
              label: labelOf(form.language, form),
              mine: values[name],
              theirs: valuesOf(theirs)[name],
            };
          })}
          isPending={save.isPending}
          onKeepMine={() => send(edited, theirs, values)}
          onTakeTheirs={() => {
            setBase(theirs);
            setValues(valuesOf(theirs));
            setTheirs(undefined);
            setError(undefined);
          }}
        />
      ) : error && Object.keys(error.fieldErrors).length === 0 ? (
        <ErrorAlert error={error} />
      ) : null}
      <div className="grid items-start gap-6 lg:grid-cols-3">
        {languages.map((language) => (
          <section
            key={language}
            data-surface
            aria-label={t(`shell:languages.${language}`)}
            className="flex min-w-0 flex-col gap-5 rounded-lg border border-ink-100 bg-white p-4"
          >
            {base.texts[language].map((form) => {
              const name = nameOf(language, form);
              return (
                <FormEditor
                  key={name}
                  form={form}
                  language={language}
                  label={labelOf(language, form)}
                  value={values[name] ?? ''}
                  error={error?.fieldErrors[fieldName(language, form)]?.join(' ')}
                  onChange={(text) => change(name, text)}
                  onKeep={() => send([{ language, form: form.form }], base, saved)}
                />
              );
            })}
            <TextWarnings
              kinds={warnings.filter((each) => each.language === language).map(({ kind }) => kind)}
            />
          </section>
        ))}
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" isDisabled={!isEdited} isPending={save.isPending}>
          {t('save')}
        </Button>
        {isEdited ? (
          <Button variant="secondary" onPress={() => setValues(saved)}>
            {t('discard')}
          </Button>
        ) : null}
        {undo && !isEdited ? (
          <Button
            variant="secondary"
            icon={<Undo2 aria-hidden size={18} />}
            isPending={save.isPending}
            onPress={() => {
              const forms = formsOf(base).filter((form) => {
                const name = nameOf(form.language, form);
                return undo[name] !== saved[name];
              });
              if (forms.length > 0) send(forms, base, undo);
            }}
          >
            {t('undo')}
          </Button>
        ) : null}
        <p role="status" className="text-sm text-ink-600">
          {isEdited ? t('unsaved', { count: edited.length }) : ''}
        </p>
      </div>
    </form>
  );
}

/** One text in three languages, where it appears, and its history. */
export function TextEditor({ noun, textKey }: { noun: string; textKey: string }) {
  const { t } = useTranslation(['texts', 'dashboards']);
  const { dateTime } = useFormat();
  useEffect(() => {
    for (const language of languages) void showFonts(language);
  }, []);
  const title = t('editTitle');
  usePageTitle(title);
  const { data, error, refetch, isRefetching } = useCall(getText, {
    query: { Noun: noun, Key: textKey },
    skipErrorHandling: true,
  });
  return (
    <div className="page flex flex-col gap-6 pb-16">
      <PageHeader
        title={title}
        lead={
          <bdi dir="ltr" className="wrap-anywhere">
            {noun}: {textKey}
          </bdi>
        }
        crumbs={[
          { label: t('dashboards:admin.title'), to: '/dashboard-Admin' },
          { label: t('title'), to: '/dashboard/texts' },
          { label: title },
        ]}
        action={
          <LinkButton variant="secondary" to="/dashboard/texts">
            {t('back')}
          </LinkButton>
        }
      />
      {error && !data ? (
        <ErrorState error={error} title={t('failed')} onRetry={refetch} isRetrying={isRefetching} />
      ) : !data ? (
        <SkeletonRows count={4} />
      ) : (
        <>
          <EditForm
            key={`${noun}:${textKey}`}
            entry={data}
            onReload={async () => (await refetch()).data}
          />
          <div className="grid gap-6 md:grid-cols-2">
            <section className="text-sm">
              <h2 className="pb-2 text-lg">{t('where')}</h2>
              <p className="pb-2 text-ink-600">{t(`nouns.${noun}`)}</p>
              <TextPlaces entry={data} maximum={12} />
            </section>
            <section className="text-sm">
              <h2 className="pb-2 text-lg">{t('rules')}</h2>
              <ul className="list-disc ps-5 text-ink-700">
                <li>{t('rulePlaceholders')}</li>
                <li>{t('ruleReferences')}</li>
                <li>{t('rulePlain')}</li>
              </ul>
              {data.changedAt ? (
                <p className="pt-3 text-ink-600">
                  {t('changedAt', { at: dateTime(data.changedAt) })}
                </p>
              ) : null}
            </section>
          </div>
          <ChangeHistory entity="text" entityId={`${noun}:${textKey}`} />
        </>
      )}
    </div>
  );
}
