import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiError } from '#lib/api/api-error.ts';
import { useAction, useCall } from '#lib/api/use-call.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { refreshTexts } from '#lib/i18n/refresh-texts.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { useAllFonts } from '#lib/i18n/use-all-fonts.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { Button } from '#ui/actions/button.tsx';
import { LinkButton } from '#ui/actions/links.tsx';
import { AdminPageHeader } from '#ui/data/page-header.tsx';
import { Alert, ErrorAlert } from '#ui/feedback/alert.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { FileButton } from '#ui/files/file-button.tsx';
import { Checkbox } from '#ui/forms/checkbox.tsx';
import { SelectField } from '#ui/forms/select-field.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import {
  getText,
  getTexts,
  maximumTextArchive,
  previewTextImport,
  previewTextReplacement,
  saveTexts,
  type TextPlace,
} from '@diwan/contract/content/texts';
import { getChanges } from '@diwan/contract/people/changes';
import { noTextsVersion, type ReplyOf } from '@diwan/contract/wire/call';
import { directionOf, languages, type Language } from '@diwan/contract/wire/languages';

const idOf = ({ noun, key, language, form }: TextPlace) => `${noun}:${key} ${language} ${form}`;

/** A place before and after, with the box that chooses it. */
function PlaceRow({
  place,
  isChosen,
  onChange,
}: {
  place: TextPlace;
  isChosen: boolean;
  onChange: (isChosen: boolean) => void;
}) {
  const { t } = useTranslation(['texts', 'shell']);
  const { language } = place;
  return (
    <li className="border-b border-ink-100 py-3">
      <Checkbox
        isPlain
        label={
          <span>
            <bdi dir="ltr" className="wrap-anywhere">{`${place.noun}:${place.key}`}</bdi>
            <span className="ms-2 text-ink-600">{t(`shell:languages.${language}`)}</span>
          </span>
        }
        value={isChosen}
        isDisabled={place.problem !== undefined}
        onChange={onChange}
      />
      <div lang={language} dir={directionOf(language)} className="ms-9 flex flex-col wrap-anywhere">
        <del className="whitespace-pre-line text-ink-600 decoration-ink-400">{place.before}</del>
        <ins className="whitespace-pre-line text-ink-900 no-underline">{place.after}</ins>
      </div>
      {place.problem ? (
        <p className="ms-9 text-sm font-medium text-red-700">{place.problem}</p>
      ) : null}
    </li>
  );
}

/** Saves chosen places in one transaction, and takes them back. */
function useSavePlaces(onSaved: (saved: readonly TextPlace[]) => void) {
  const client = useQueryClient();
  const [saved, setSaved] = useState<readonly TextPlace[]>([]);
  const save = useAction(saveTexts, {
    skipErrorHandling: true,
    onSuccess: async ({ textsVersion }) => {
      await refreshTexts(textsVersion || noTextsVersion);
      for (const call of [getTexts, getText, getChanges, previewTextReplacement])
        void client.invalidateQueries({ queryKey: [call.name] });
    },
  });
  const send = (places: readonly TextPlace[], onSuccess: () => void) =>
    save.mutate(
      {
        body: {
          places: places.map(({ noun, key, version, language, form, after }) => ({
            noun,
            key,
            version,
            language,
            form,
            text: after,
          })),
        },
      },
      { onSuccess },
    );
  return {
    error: save.error,
    isPending: save.isPending,
    save: (places: readonly TextPlace[]) =>
      send(places, () => {
        setSaved(places);
        onSaved(places);
      }),
    undo:
      saved.length === 0
        ? undefined
        : () =>
            send(
              saved.map((place) => ({
                ...place,
                version: place.version + 1,
                before: place.after,
                after: place.before,
              })),
              () => setSaved([]),
            ),
  };
}

/** What would change, to choose from, and the button that saves it. */
function Places({
  places,
  totalCount,
  onSaved,
}: Pick<ReplyOf<typeof previewTextReplacement>, 'places' | 'totalCount'> & {
  onSaved: (count: number) => void;
}) {
  const { t } = useTranslation('texts');
  const [unchecked, setUnchecked] = useState<readonly string[]>([]);
  const { save, undo, error, isPending } = useSavePlaces((saved) => onSaved(saved.length));
  useAllFonts();
  const chosen = places.filter(
    (place) => place.problem === undefined && !unchecked.includes(idOf(place)),
  );
  return (
    <div className="flex flex-col gap-4">
      {undo ? (
        <Alert
          tone="success"
          action={
            <Button variant="secondary" size="sm" isPending={isPending} onPress={undo}>
              {t('change.undo')}
            </Button>
          }
        >
          {t('change.saved')}
        </Alert>
      ) : null}
      <ErrorAlert error={error as ApiError | null} />
      <p role="status">
        <span>{t('change.count', { count: totalCount })}</span>{' '}
        {totalCount > places.length ? (
          <span>{t('change.cut', { shown: places.length })}</span>
        ) : null}
      </p>
      {places.length > 0 ? (
        <>
          <ul>
            {places.map((place) => (
              <PlaceRow
                key={idOf(place)}
                place={place}
                isChosen={chosen.includes(place)}
                onChange={(isChosen) =>
                  setUnchecked((known) =>
                    isChosen
                      ? known.filter((each) => each !== idOf(place))
                      : [...known, idOf(place)],
                  )
                }
              />
            ))}
          </ul>
          <div>
            <Button
              isPending={isPending}
              isDisabled={chosen.length === 0}
              onPress={() => save(chosen)}
            >
              {t('change.save', { count: chosen.length })}
            </Button>
          </div>
        </>
      ) : null}
    </div>
  );
}

function Header({ title, lead }: { title: string; lead: string }) {
  const { t } = useTranslation('texts');
  usePageTitle(title);
  return (
    <AdminPageHeader
      title={title}
      lead={lead}
      parent={{ label: t('title'), to: '/dashboard/texts' }}
      action={
        <LinkButton variant="secondary" to="/dashboard/texts">
          {t('back')}
        </LinkButton>
      }
    />
  );
}

/** Replaces a wording in all texts of one or every language, after a preview. */
export function ReplaceTexts() {
  const { t } = useTranslation(['texts', 'shell']);
  const [draft, setDraft] = useState({ find: '', replace: '', language: 'all' });
  const [asked, setAsked] = useState<typeof draft>();
  const change = (changed: Partial<typeof draft>) => setDraft({ ...draft, ...changed });
  const language = languages.find((each) => each === asked?.language);
  const { data, error } = useCall(previewTextReplacement, {
    query: {
      Find: asked?.find ?? '',
      Replace: asked?.replace ?? '',
      ...(language ? { Language: language as Language } : {}),
    },
    enabled: asked !== undefined,
    skipErrorHandling: true,
  });
  return (
    <div className="page flex flex-col gap-6 pb-16">
      <Header title={t('replace.title')} lead={t('replace.lead')} />
      <form
        noValidate
        className="grid items-end gap-4 md:grid-cols-[1fr_1fr_12rem_auto]"
        onSubmit={(event) => {
          event.preventDefault();
          if (draft.find !== '') setAsked(draft);
        }}
      >
        <TextField
          label={t('replace.find')}
          value={draft.find}
          onChange={(find) => change({ find })}
          dir="auto"
          maxLength={200}
        />
        <TextField
          label={t('replace.replace')}
          value={draft.replace}
          onChange={(replace) => change({ replace })}
          dir="auto"
          maxLength={200}
        />
        <SelectField
          label={t('replace.language')}
          value={draft.language}
          onChange={(chosen) => change({ language: chosen })}
          choices={[
            { value: 'all', label: t('replace.all') },
            ...languages.map((each) => ({ value: each, label: t(`shell:languages.${each}`) })),
          ]}
        />
        <Button type="submit" variant="secondary" isDisabled={draft.find === ''}>
          {t('replace.preview')}
        </Button>
      </form>
      <ErrorAlert error={error} />
      {asked && data ? (
        <Places
          key={JSON.stringify(asked)}
          {...data}
          onSaved={() => showToast(t('change.saved'), 'success')}
        />
      ) : asked && !error ? (
        <SkeletonRows count={4} />
      ) : null}
    </div>
  );
}

async function readBase64(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** Imports an archive as the export writes it, after a preview of what it changes. */
export function ImportTexts() {
  const { t } = useTranslation('texts');
  const [problem, setProblem] = useState<string>();
  const preview = useAction(previewTextImport, { skipErrorHandling: true });
  const choose = async (file: File) => {
    preview.reset();
    setProblem(undefined);
    if (file.size > maximumTextArchive || file.size < 3) return setProblem(t('import.size'));
    preview.mutate({ body: { content: await readBase64(file) } });
  };
  const { data } = preview;
  return (
    <div className="page flex flex-col gap-6 pb-16">
      <Header title={t('import.title')} lead={t('import.lead')} />
      <div>
        <FileButton
          label={t('import.choose')}
          pendingLabel={t('import.pending')}
          isPending={preview.isPending}
          accept={['application/zip']}
          onChoose={(file) => void choose(file)}
        />
      </div>
      {problem ? (
        <p role="alert" className="text-sm font-medium text-red-700">
          {problem}
        </p>
      ) : null}
      <ErrorAlert error={preview.error} />
      {data && data.problems.length > 0 ? (
        <Alert tone="danger" title={t('import.problems', { count: data.problems.length })}>
          <ul className="flex flex-col gap-1">
            {data.problems.map(({ file, key, problem: text }) => (
              <li key={`${file} ${key}`} className="wrap-anywhere">
                <bdi dir="ltr">{key === '' ? file : `${file}: ${key}`}</bdi> – <span>{text}</span>
              </li>
            ))}
          </ul>
        </Alert>
      ) : null}
      {data ? (
        <Places
          key={preview.submittedAt}
          places={data.places}
          totalCount={data.totalCount}
          onSaved={() => showToast(t('change.saved'), 'success')}
        />
      ) : null}
    </div>
  );
}
