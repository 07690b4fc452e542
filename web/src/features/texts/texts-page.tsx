import { Download } from 'lucide-react';
import { Fragment, useState } from 'react';
import { useMayCall } from '#lib/api/session.ts';
import { useCall } from '#lib/api/use-call.ts';
import { useSearchFilters } from '#lib/browser/search-params.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { useAllFonts } from '#lib/i18n/use-all-fonts.ts';
import { Link } from '#lib/router/link.tsx';
import { useSearchParams } from '#lib/router/router-provider.tsx';
import { Button } from '#ui/actions/button.tsx';
import { LinkButton } from '#ui/actions/links.tsx';
import { AdminList, adminPageSize } from '#ui/data/admin-list.tsx';
import type { Column } from '#ui/data/data-table.tsx';
import { SelectField } from '#ui/forms/select-field.tsx';
import { getLegalOrder } from '@diwan/contract/content/legal-pages';
import {
  previewTextReplacement,
  previewTextImport,
  getTexts,
  textSelections,
  type TextEntry,
  type TextSelection,
} from '@diwan/contract/content/texts';
import { directionOf, languages, type Language } from '@diwan/contract/wire/languages';
import { LegalOrderPage } from './legal-order.tsx';
import { ImportTexts, ReplaceTexts } from './text-changes.tsx';
import { TextEditor } from './text-editor.tsx';
import { MarkedText, TextPlaces } from './text-places.tsx';
import { downloadChangedFiles, textLink } from './texts.data.ts';

// The form that people see most: without a count, or of the usual plural.
const mainForm = (entry: TextEntry, language: Language) =>
  entry.texts[language].find(({ form }) => form === '' || form === 'other') ??
  entry.texts[language][0];

function useColumns(): Column<TextEntry>[] {
  const { t } = useTranslation(['texts', 'shell']);
  const isOf = (entry: TextEntry, test: (form: TextEntry['texts']['ar-EG'][number]) => boolean) =>
    languages.some((language) => entry.texts[language].some(test));
  return [
    {
      key: 'key',
      header: t('key'),
      isPrimary: true,
      className: 'lg:w-56',
      cell: (entry) => (
        <span className="flex flex-col items-start gap-1">
          <Link to={textLink(entry)} className="row-link link wrap-anywhere">
            <bdi dir="ltr">
              {entry.key.split('.').map((part, index) => (
                <Fragment key={index}>
                  {index > 0 ? (
                    <>
                      .<wbr />
                    </>
                  ) : null}
                  <span>{part}</span>
                </Fragment>
              ))}
            </bdi>
          </Link>
          <span className="text-sm font-normal text-ink-600">{t(`nouns.${entry.noun}`)}</span>
          {isOf(entry, (form) => form.shippedThen !== undefined) ? (
            <span className="rounded-lg bg-amber-100 px-2 text-sm text-amber-800">
              {t('shippedChanged')}
            </span>
          ) : isOf(entry, (form) => form.isOverridden) ? (
            <span className="rounded-lg bg-blue-100 px-2 text-sm text-blue-900">
              {t('changedHere')}
            </span>
          ) : null}
        </span>
      ),
    },
    ...languages.map((language): Column<TextEntry> => ({
      key: language,
      header: t(`shell:languages.${language}`),
      cell: (entry) => (
        <span
          lang={language}
          dir={directionOf(language)}
          className="line-clamp-3 text-start wrap-anywhere"
        >
          <MarkedText text={mainForm(entry, language)?.text ?? ''} />
        </span>
      ),
    })),
    {
      key: 'where',
      header: t('where'),
      isHiddenOnPhone: true,
      className: 'text-sm lg:w-52',
      cell: (entry) => <TextPlaces entry={entry} maximum={2} />,
    },
  ];
}

function TextList() {
  const { t } = useTranslation('texts');
  const { count } = useFormat();
  const filters = useSearchFilters('noun', 'only');
  const [isDownloading, setIsDownloading] = useState(false);
  useAllFonts();
  const only = textSelections.find((each) => each === filters.values.only);
  const list = useCall(getTexts, {
    query: {
      Noun: filters.values.noun || undefined,
      Keyword: filters.keyword || undefined,
      Only: only,
      PageNumber: filters.page,
      Take: adminPageSize,
    },
    keepPrevious: true,
  });
  const nameOf = (selection: TextSelection) =>
    list.data
      ? `${t(`only.${selection}`)} (${count(list.data.counts[selection])})`
      : t(`only.${selection}`);
  return (
    <AdminList
      title={t('title')}
      lead={t('lead')}
      placeholder={t('search')}
      filters={filters}
      filter={{
        name: 'noun',
        label: t('noun'),
        any: t('allNouns'),
        choices: (list.data?.nouns ?? []).map((noun) => ({
          value: noun,
          label: t(`nouns.${noun}`),
        })),
      }}
      more={
        <div className="md:w-60">
          <SelectField
            label={t('show')}
            value={only ?? 'all'}
            onChange={(value) => filters.change({ only: value === 'all' ? '' : value })}
            choices={[
              { value: 'all', label: t('only.all') },
              ...textSelections.map((selection) => ({
                value: selection,
                label: nameOf(selection),
              })),
            ]}
          />
        </div>
      }
      list={list}
      columns={useColumns()}
      rowKey={(entry) => `${entry.noun}:${entry.key}`}
      action={
        <>
          <LinkButton
            call={getLegalOrder}
            variant="secondary"
            to="/dashboard/texts?change=sections"
          >
            {t('legal.title')}
          </LinkButton>
          <LinkButton
            call={previewTextReplacement}
            variant="secondary"
            to="/dashboard/texts?change=replace"
          >
            {t('replace.title')}
          </LinkButton>
          <LinkButton
            call={previewTextImport}
            variant="secondary"
            to="/dashboard/texts?change=import"
          >
            {t('import.title')}
          </LinkButton>
          <Button
            variant="secondary"
            icon={<Download aria-hidden size={18} />}
            isPending={isDownloading}
            isDisabled={list.data?.counts.overridden === 0}
            onPress={() => {
              setIsDownloading(true);
              // The failure of the call is shown by the caller of every call.
              downloadChangedFiles()
                .catch(() => undefined)
                .finally(() => setIsDownloading(false));
            }}
          >
            {t('download')}
          </Button>
        </>
      }
    />
  );
}

/** The texts of the product in three languages. `?text=noun:key` opens one of them, `?change=` what changes many. */
export function TextsPage() {
  const [search] = useSearchParams();
  const [noun, ...rest] = (search.get('text') ?? '').split(':');
  const change = search.get('change');
  const mayChange = {
    replace: useMayCall(previewTextReplacement),
    import: useMayCall(previewTextImport),
    sections: useMayCall(getLegalOrder),
  };
  if (change === 'replace' && mayChange.replace) return <ReplaceTexts />;
  if (change === 'import' && mayChange.import) return <ImportTexts />;
  if (change === 'sections' && mayChange.sections) return <LegalOrderPage />;
  return noun && rest.length > 0 ? (
    <TextEditor noun={noun} textKey={rest.join(':')} />
  ) : (
    <TextList />
  );
}
