import { useState } from 'react';
import { statusTones } from '@diwan/contract/requests/workflow';
import { ApiError, connectionError } from '../lib/api/api-error.ts';
import type { SearchFilters } from '../lib/browser/search-params.ts';
import { Button } from '../ui/actions/button.tsx';
import { AdminList, type ListState } from '../ui/data/admin-list.tsx';
import { AdminPageHeader, PageHeader, PrintedHead } from '../ui/data/page-header.tsx';
import { RecordPage } from '../ui/data/record-page.tsx';
import { exampleRequests, requestColumns, type ExampleRequest } from './data.tsx';
import { ignore, type Examples, type Stories } from './story.tsx';

type StatusFilters = SearchFilters<'status'>;

const noFilters: Pick<StatusFilters, 'keyword' | 'page' | 'values'> = {
  keyword: '',
  page: 1,
  values: { status: '' },
};

interface AdminListExampleProps {
  texts: Examples;
  list: Partial<ListState<ExampleRequest>>;
  keyword?: string;
  hasFilter?: boolean;
}

/** A list whose filters are in a state, because the gallery shows several lists at one address. */
function AdminListExample({ texts, list, keyword = '', hasFilter }: AdminListExampleProps) {
  const [values, setValues] = useState({ ...noFilters, keyword });
  const filters: StatusFilters = {
    ...values,
    change: ({ keyword, page = 1, status }) =>
      setValues((before) => ({
        keyword: keyword ?? before.keyword,
        page,
        values: { status: status === undefined ? before.values.status : String(status) },
      })),
    clear: () => setValues(noFilters),
    isFiltered: values.keyword !== '' || values.values.status !== '',
  };
  return (
    <AdminList
      title={texts.pageTitle}
      lead={texts.pageLead}
      placeholder={texts.find}
      filters={filters}
      filter={
        hasFilter
          ? {
              name: 'status',
              label: texts.columns.status,
              any: texts.anyStatus,
              choices: statusTones.map((tone) => ({ value: tone, label: texts.statuses[tone] })),
            }
          : undefined
      }
      list={{
        data: undefined,
        error: null,
        refetch: ignore,
        isRefetching: false,
        isPlaceholderData: false,
        ...list,
      }}
      columns={requestColumns(texts)}
      rowKey={({ number }) => number}
    />
  );
}

export const pageHeaderStories: Stories = (texts) => [
  {
    name: 'PageHeader',
    isWide: true,
    states: {
      'title only': <PageHeader title={texts.pageTitle} />,
      'with lead, breadcrumbs and action': (
        <PageHeader
          title={texts.pageTitle}
          lead={texts.pageLead}
          crumbs={[
            { label: texts.crumbs[0] ?? '', to: '#page-header' },
            { label: texts.pageTitle },
          ]}
          action={<Button onPress={ignore}>{texts.continue}</Button>}
        />
      ),
      'long title': <PageHeader title={texts.longTitle} lead={texts.paragraph} />,
      'of administration': (
        <AdminPageHeader
          title={texts.pageTitle}
          lead={texts.pageLead}
          parent={{ label: texts.crumbs[0] ?? '', to: '#page-header' }}
        />
      ),
      'of a printed report': (
        <>
          <PrintedHead />
          <PageHeader title={texts.pageTitle} />
        </>
      ),
    },
  },
];

export const adminListStories: Stories = (texts) => {
  const rows = exampleRequests(texts);
  const failure = new ApiError(500, 'InternalServerError', '');
  failure.requestId = '7f3a91c204';
  return [
    {
      name: 'AdminList',
      isWide: true,
      states: {
        'many, with filter': (
          <AdminListExample
            texts={texts}
            hasFilter
            list={{ data: { items: rows, totalCount: 128 } }}
          />
        ),
        loading: <AdminListExample texts={texts} list={{}} />,
        'empty from the start': (
          <AdminListExample texts={texts} list={{ data: { items: [], totalCount: 0 } }} />
        ),
        'nothing found': (
          <AdminListExample
            texts={texts}
            keyword={texts.query}
            list={{ data: { items: [], totalCount: 0 } }}
          />
        ),
        'page past the end': (
          <AdminListExample texts={texts} list={{ data: { items: [], totalCount: 12 } }} />
        ),
        failed: <AdminListExample texts={texts} list={{ error: failure }} />,
        'failed without a connection': (
          <AdminListExample texts={texts} list={{ error: connectionError() }} />
        ),
      },
    },
    {
      name: 'RecordPage',
      isWide: true,
      states: {
        loaded: (
          <RecordPage
            record={{ data: texts.paragraph, error: null, refetch: ignore, isRefetching: false }}
            title={texts.pageTitle}
            list={{ label: texts.crumbs[0] ?? '', to: '#record-page' }}
            state={texts.pageLead}
          >
            {(text) => <p>{text}</p>}
          </RecordPage>
        ),
      },
    },
  ];
};
