import { useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { hasRole, useSession } from '#lib/api/session.ts';
import { useAction, useCall } from '#lib/api/use-call.ts';
import { useSearchFilters } from '#lib/browser/search-params.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { AdminList, adminPageSize } from '#ui/data/admin-list.tsx';
import { buttonColumn, type Column } from '#ui/data/data-table.tsx';
import { useIsOfOneAgency } from '#ui/search/agency-choices.ts';
import {
  saveSynonyms,
  getSearchQuestions,
  getSearchTerms,
  getSynonyms,
  markPopular,
  removeSearchQuestion,
  saveSearchQuestion,
  searchSelections,
  type SearchTerm,
  type SynonymGroup,
} from '@diwan/contract/catalogue/searches';
import { serviceSearch } from '@diwan/contract/catalogue/services';
import { SynonymDialog } from './synonym-dialog.tsx';

function useTermColumns(onSynonym: (term: SearchTerm) => void): Column<SearchTerm>[] {
  const { t } = useTranslation('searches');
  const { count, language } = useFormat();
  const client = useQueryClient();
  const popular = useAction(markPopular, {
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: [serviceSearch.name] });
      showToast(t('madePopular'), 'success');
    },
  });
  const question = useAction(saveSearchQuestion, {
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: [getSearchQuestions.name] });
      showToast(t('questions.saved'), 'success');
    },
  });
  return [
    {
      key: 'text',
      header: t('text'),
      isPrimary: true,
      cell: (term) => (
        <span className="flex flex-col">
          <bdi lang={term.language}>{term.text}</bdi>
          <span className="text-sm font-normal text-ink-600">{language(term.language)}</span>
        </span>
      ),
    },
    { key: 'searches', header: t('searches'), align: 'end', cell: (term) => count(term.searches) },
    {
      key: 'results',
      header: t('results'),
      align: 'end',
      cell: (term) =>
        term.results === 0 ? (
          <span className="font-semibold text-red-700">{t('nothing')}</span>
        ) : (
          count(term.results)
        ),
    },
    {
      key: 'opened',
      header: t('opened'),
      cell: (term) =>
        term.opened.length === 0 ? (
          <span className="text-ink-600">{t('none')}</span>
        ) : (
          <ul className="flex flex-col gap-1">
            {term.opened.map(({ serviceId, name, openings }) => (
              <li key={serviceId} className="flex flex-wrap items-center gap-x-2">
                <bdi>{name}</bdi>
                <span className="text-ink-600">
                  (<span>{count(openings)}</span>)
                </span>
                <Button
                  call={markPopular}
                  size="sm"
                  variant="quiet"
                  aria-label={t('makePopularName', { name })}
                  onPress={() => popular.mutate({ body: { serviceId, isPopular: true } })}
                >
                  {t('makePopular')}
                </Button>
                <Button
                  call={saveSearchQuestion}
                  size="sm"
                  variant="quiet"
                  aria-label={t('questions.addName', { name })}
                  onPress={() =>
                    question.mutate({
                      body: { language: term.language, text: term.text, serviceId },
                    })
                  }
                >
                  {t('questions.add')}
                </Button>
              </li>
            ))}
          </ul>
        ),
    },
    buttonColumn({
      call: saveSynonyms,
      key: 'action',
      header: t('action'),
      text: t('synonyms.add'),
      labelOf: (term) => t('synonyms.addFor', { text: term.text }),
      onPress: onSynonym,
    }),
  ];
}

function Synonyms({ onEdit }: { onEdit: (group: SynonymGroup) => void }) {
  const { t } = useTranslation('searches');
  const { list } = useFormat();
  const { data } = useCall(getSynonyms, {});
  const isOfOneAgency = useIsOfOneAgency();
  return (
    <section className="page pb-8">
      <h2 className="pb-3 text-lg">{t('synonyms.title')}</h2>
      {data?.length === 0 ? <p className="text-ink-600">{t('synonyms.none')}</p> : null}
      <ul className="flex flex-wrap gap-2">
        {(data ?? []).map((group) => (
          <li key={group.id}>
            <Button
              call={saveSynonyms}
              size="sm"
              variant="secondary"
              aria-label={t('synonyms.editName', { name: group.words[0] })}
              onPress={() => onEdit(group)}
            >
              <bdi>{list(group.words.slice(0, 6))}</bdi>
              {group.agency && !isOfOneAgency ? (
                <bdi className="text-ink-600">{`(${group.agency.name})`}</bdi>
              ) : null}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Questions() {
  const { t } = useTranslation('searches');
  const { language } = useFormat();
  const client = useQueryClient();
  const { data } = useCall(getSearchQuestions, {});
  const remove = useAction(removeSearchQuestion, {
    onSuccess: () => void client.invalidateQueries({ queryKey: [getSearchQuestions.name] }),
  });
  return (
    <section className="page pb-16">
      <h2 className="pb-1 text-lg">{t('questions.title')}</h2>
      <p className="pb-3 text-ink-600">{t('questions.hint')}</p>
      {data?.length === 0 ? <p className="text-ink-600">{t('questions.none')}</p> : null}
      <ul className="flex flex-col">
        {(data ?? []).map((each) => (
          <li key={each.id} className="flex flex-wrap items-center gap-x-3">
            <bdi lang={each.language}>{each.text}</bdi>
            <span className="text-ink-600">
              <span>{language(each.language)}</span>: <bdi>{each.name}</bdi>
            </span>
            <Button
              call={removeSearchQuestion}
              size="sm"
              variant="quiet"
              aria-label={t('questions.removeName', { text: each.text })}
              isDisabled={remove.isPending}
              onPress={() => remove.mutate({ body: { id: each.id } })}
            >
              {t('questions.remove')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What people search, what finds nothing, and the synonyms and test searches that improve it. */
export function SearchesPage() {
  const { t } = useTranslation('searches');
  const filters = useSearchFilters('only');
  const [open, setOpen] = useState<{ group?: SynonymGroup; words?: string[] }>();
  // Which agency a search that led nowhere was about is known of none.
  const isOfAgency = hasRole(useSession(), 'AgencyAdmin');
  const selections = searchSelections.filter((each) => !isOfAgency || each === 'nothing');
  const only = selections.find((each) => each === filters.values.only);
  const list = useCall(getSearchTerms, {
    query: {
      Only: only,
      Keyword: filters.keyword || undefined,
      PageNumber: filters.page,
      Take: adminPageSize,
    },
    keepPrevious: true,
  });
  const columns = useTermColumns((term) => setOpen({ words: [term.text] }));
  return (
    <>
      <AdminList
        title={t('title')}
        lead={t(isOfAgency ? 'leadOfAgency' : 'lead')}
        placeholder={t('search')}
        filters={filters}
        filter={{
          name: 'only',
          label: t('show'),
          any: t('only.all'),
          choices: selections.map((value) => ({ value, label: t(`only.${value}`) })),
        }}
        list={list}
        columns={columns}
        rowKey={(term) => `${term.language} ${term.text}`}
        emptyTitle={t('empty')}
        action={
          <Button
            call={saveSynonyms}
            icon={<Plus aria-hidden size={18} />}
            onPress={() => setOpen({})}
          >
            {t('synonyms.new')}
          </Button>
        }
      />
      <Synonyms onEdit={(group) => setOpen({ group })} />
      <Questions />
      {open ? <SynonymDialog {...open} onClose={() => setOpen(undefined)} /> : null}
    </>
  );
}
