import { RotateCcw, Undo2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { useCall } from '#lib/api/use-call.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { useAllFonts } from '#lib/i18n/use-all-fonts.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { Button } from '#ui/actions/button.tsx';
import { LinkButton } from '#ui/actions/links.tsx';
import { ChangeHistory } from '#ui/data/change-history.tsx';
import { AdminPageHeader } from '#ui/data/page-header.tsx';
import { EditorForm, useRecordEditor } from '#ui/editing/editor-form.tsx';
import { TextWarnings } from '#ui/editing/localized-fields.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { TextAreaField } from '#ui/forms/text-area-field.tsx';
import { legalFacts } from '@diwan/contract/content/legal-text';
import { isLegalText } from '@diwan/contract/content/text-checks';
import { saveText, getText, type EditedForm, type TextEntry } from '@diwan/contract/content/texts';
import { directionOf, languages, type Language } from '@diwan/contract/wire/languages';
import { findTextWarnings } from '@diwan/contract/wire/text-warnings';
import { LegalPreview } from './legal-preview.tsx';
import { MarkedText, TextPlaces } from './text-places.tsx';
import { useSaveText } from './texts.data.ts';

/** Texts by `language.form`, such as `ar-EG.few`; `ar-EG.` without a count. */
type Values = Readonly<Record<string, string>>;
const nameOf = (language: Language, { form }: Pick<EditedForm, 'form'>) => `${language}.${form}`;

const formsOf = ({ texts }: TextEntry) =>
  languages.flatMap((language) => texts[language].map((form) => ({ language, ...form })));

const valuesOf = (entry: TextEntry | undefined): Values =>
  Object.fromEntries(
    (entry ? formsOf(entry) : []).map((form) => [nameOf(form.language, form), form.text]),
  );

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

type Form = ReturnType<typeof formsOf>[number];

/** The forms whose texts differ between two versions. */
const differenceOf = (entry: TextEntry, one: Values, other: Values): Form[] =>
  formsOf(entry).filter((form) => {
    const name = nameOf(form.language, form);
    return one[name] !== other[name];
  });

/** What a person types over a text, saved and taken back by their choice. */
function useTextEditor(entry: TextEntry, onReload: () => Promise<TextEntry | undefined>) {
  const { t } = useTranslation('texts');
  const editor = useRecordEditor(`text.${entry.noun}:${entry.key}`, entry, valuesOf);
  const { base = entry, draft } = editor;
  const saved = valuesOf(base);
  const [undo, setUndo] = useState<Values>();
  /** What was typed when it was sent. */
  const sent = useRef<Values>(saved);
  const save = useSaveText({
    onSaved: (next) => {
      showToast(t('saved'), 'success');
      setUndo(saved);
      editor.continueWith(next, sent.current);
    },
    onError: async (failure) =>
      editor.fail(failure, failure.name === 'RecordHasChanged' ? await onReload() : undefined),
  });
  /** Saves these forms of `from` over a version of the text. */
  const send = (forms: readonly Form[], over: TextEntry, from: Values) => {
    sent.current = from === draft ? draft : saved;
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
  };
  const edited = differenceOf(base, draft, saved);
  return {
    editor,
    base,
    edited,
    isPending: save.isPending,
    change: (name: string, text: string) => {
      editor.change({ [name]: text });
      setUndo(undefined);
    },
    submit: (over: TextEntry | undefined) => {
      if (edited.length > 0) send(edited, over ?? base, draft);
    },
    /** Saves a text of ours again, now that the shipped one has changed. */
    keepOurs: (form: Form) => send([form], base, saved),
    discard: edited.length > 0 && !editor.discard ? () => editor.restart(base) : undefined,
    undo:
      undo && edited.length === 0
        ? () => {
            const forms = differenceOf(base, undo, saved);
            if (forms.length > 0) send(forms, base, undo);
          }
        : undefined,
    /** The texts that two people gave differently; all that are edited, where there is none. */
    conflictsOf: (mine: Values, theirs: Values) => {
      const both = edited.filter((form) => {
        const name = nameOf(form.language, form);
        return theirs[name] !== saved[name] && theirs[name] !== mine[name];
      });
      return both.length > 0 ? both : edited;
    },
  };
}

/** Saves, discards and takes back, and says how many texts are not saved. */
function EditorActions({
  text: { edited, isPending, discard, undo },
}: {
  text: Pick<ReturnType<typeof useTextEditor>, 'edited' | 'isPending' | 'discard' | 'undo'>;
}) {
  const { t } = useTranslation('texts');
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button call={saveText} type="submit" isDisabled={edited.length === 0} isPending={isPending}>
        {t('save')}
      </Button>
      {discard ? (
        <Button variant="secondary" onPress={discard}>
          {t('discard')}
        </Button>
      ) : null}
      {undo ? (
        <Button
          call={saveText}
          variant="secondary"
          icon={<Undo2 aria-hidden size={18} />}
          isPending={isPending}
          onPress={undo}
        >
          {t('undo')}
        </Button>
      ) : null}
      <p role="status" className="text-sm text-ink-600">
        {edited.length > 0 ? t('unsaved', { count: edited.length }) : ''}
      </p>
    </div>
  );
}

function EditForm({
  entry,
  onReload,
}: {
  entry: TextEntry;
  onReload: () => Promise<TextEntry | undefined>;
}) {
  const { t } = useTranslation('shell');
  const labelOf = useFormLabel();
  const text = useTextEditor(entry, onReload);
  const { draft, error } = text.editor;
  const warnings = warningsOf(text.base, draft);
  return (
    <EditorForm
      call={saveText}
      editor={text.editor}
      draftOf={valuesOf}
      conflictsOf={(mine, theirs) =>
        text.conflictsOf(mine, theirs).map((form) => {
          const name = nameOf(form.language, form);
          return { label: labelOf(form.language, form), mine: mine[name], theirs: theirs[name] };
        })
      }
      isPending={text.isPending}
      onSubmit={text.submit}
    >
      <div className="grid items-start gap-6 lg:grid-cols-3">
        {languages.map((language) => (
          <section
            key={language}
            data-surface
            aria-label={t(`languages.${language}`)}
            className="flex min-w-0 flex-col gap-5 rounded-lg border border-ink-100 bg-white p-4"
          >
            {text.base.texts[language].map((form) => {
              const name = nameOf(language, form);
              return (
                <FormEditor
                  key={name}
                  form={form}
                  language={language}
                  label={labelOf(language, form)}
                  value={draft[name] ?? ''}
                  error={error?.fieldErrors[fieldName(language, form)]?.join(' ')}
                  onChange={(value) => text.change(name, value)}
                  onKeep={() => text.keepOurs({ language, ...form })}
                />
              );
            })}
            <TextWarnings
              kinds={warnings.filter((each) => each.language === language).map(({ kind }) => kind)}
            />
          </section>
        ))}
      </div>
      {isLegalText(entry.noun, entry.key) ? (
        <LegalPreview
          textKey={entry.key}
          texts={{
            'ar-EG': draft['ar-EG.'] ?? '',
            'en-US': draft['en-US.'] ?? '',
            'ur-PK': draft['ur-PK.'] ?? '',
          }}
        />
      ) : null}
      <EditorActions text={text} />
    </EditorForm>
  );
}

/** One text in three languages, where it appears, and its history. */
export function TextEditor({ noun, textKey }: { noun: string; textKey: string }) {
  const { t } = useTranslation('texts');
  const { dateTime } = useFormat();
  useAllFonts();
  const title = t('editTitle');
  usePageTitle(title);
  const { data, error, refetch, isRefetching } = useCall(getText, {
    query: { Noun: noun, Key: textKey },
    skipErrorHandling: true,
  });
  return (
    <div className="page flex flex-col gap-6 pb-16">
      <AdminPageHeader
        title={title}
        lead={
          <bdi dir="ltr" className="wrap-anywhere">
            <span>{noun}</span>: <span>{textKey}</span>
          </bdi>
        }
        parent={{ label: t('title'), to: '/dashboard/texts' }}
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
                {isLegalText(noun, textKey) ? null : <li>{t('rulePlaceholders')}</li>}
                <li>{t('ruleReferences')}</li>
                {isLegalText(noun, textKey) ? (
                  <>
                    <li>{t('legal.ruleParts')}</li>
                    <li>
                      {t('legal.ruleFacts')}
                      <bdi dir="ltr" className="block wrap-anywhere">
                        {legalFacts.map((fact) => `{{${fact}}}`).join(' ')}
                      </bdi>
                    </li>
                  </>
                ) : (
                  <li>{t('rulePlain')}</li>
                )}
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
