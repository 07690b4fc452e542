import { statusTones, type StatusTone } from '@diwan/contract/requests/workflow';
import { Link } from '../lib/router/link.tsx';
import { Button } from '../ui/actions/button.tsx';
import { TextLink } from '../ui/actions/links.tsx';
import { ScrollRow } from '../ui/actions/scroll-row.tsx';
import { Breadcrumbs } from '../ui/data/breadcrumbs.tsx';
import { Card, FoldedCard } from '../ui/data/card.tsx';
import { DataTable, type Column } from '../ui/data/data-table.tsx';
import { KeyValueList } from '../ui/data/key-value-list.tsx';
import { LoadedTable } from '../ui/data/loaded-table.tsx';
import { Pager } from '../ui/data/pager.tsx';
import { SelectBox } from '../ui/data/select-box.tsx';
import { Stepper } from '../ui/data/stepper.tsx';
import { Tabs } from '../ui/data/tabs.tsx';
import { Timeline } from '../ui/data/timeline.tsx';
import { Moment } from '../ui/values/moment.tsx';
import { Money } from '../ui/values/money.tsx';
import { Reference } from '../ui/values/reference.tsx';
import { StatusTag } from '../ui/values/status-tag.tsx';
import { Controlled, ignore, type Examples, type Stories } from './story.tsx';

export interface ExampleRequest {
  number: string;
  service: string;
  applicant: string;
  tone: StatusTone;
  fee: number;
  at: string;
}

export const exampleRequests = (texts: Examples): ExampleRequest[] =>
  statusTones.map((tone, index) => ({
    number: `DW26-000421${index}`,
    service: texts.services[index % texts.services.length] ?? '',
    applicant: texts.people[index % texts.people.length] ?? '',
    tone,
    fee: 12_500 * (index + 1),
    at: `2026-11-${18 + index}T09:30:00Z`,
  }));

export const requestColumns = ({ columns, statuses }: Examples): Column<ExampleRequest>[] => [
  {
    key: 'number',
    header: columns.request,
    isPrimary: true,
    cell: ({ number }) => (
      <Link to="#data-table" className="row-link">
        <Reference>{number}</Reference>
      </Link>
    ),
  },
  { key: 'service', header: columns.service, cell: ({ service }) => service },
  {
    key: 'applicant',
    header: columns.applicant,
    cell: ({ applicant }) => <bdi>{applicant}</bdi>,
    isHiddenOnPhone: true,
  },
  {
    key: 'status',
    header: columns.status,
    cell: ({ tone }) => <StatusTag tone={tone}>{statuses[tone]}</StatusTag>,
  },
  { key: 'at', header: columns.date, cell: ({ at }) => <Moment at={at} as="date" /> },
  {
    key: 'fee',
    header: columns.fee,
    align: 'end',
    cell: ({ fee }) => <Money fils={fee} />,
  },
];

const pager = (initial: number, totalCount: number) => (
  <Controlled initial={initial}>
    {({ value, onChange }) => (
      <Pager pageNumber={value} pageSize={20} totalCount={totalCount} onSelect={onChange} />
    )}
  </Controlled>
);

const stepper = (texts: Examples, current: number) => (
  <Controlled initial={String(current)}>
    {({ value, onChange }) => (
      <Stepper
        label={`${texts.stepsLabel} ${current + 1}`}
        current={value}
        steps={texts.steps.map((title, index) => ({
          name: String(index),
          title,
          isDone: index < current,
          onSelect: index < current ? () => onChange(String(index)) : undefined,
        }))}
      />
    )}
  </Controlled>
);

const tabs = (texts: Examples, names: readonly string[]) => (
  <Controlled initial="0">
    {({ value, onChange }) => (
      <Tabs
        label={texts.tabsLabel}
        selected={value}
        onSelect={onChange}
        tabs={names.map((label, index) => ({
          id: String(index),
          label,
          content: <p>{texts.tabTexts[index % texts.tabTexts.length]}</p>,
        }))}
      />
    )}
  </Controlled>
);

function timeline(texts: Examples) {
  const tones: readonly StatusTone[] = ['done', 'progress', 'refused', 'waiting'];
  return (
    <Timeline
      items={texts.events.map(({ title, meta }, index) => ({
        id: title,
        title,
        tone: tones[index] ?? 'done',
        meta: (
          <>
            <bdi>{meta}</bdi> · <Moment at={`2026-11-${20 - index}T09:30:00Z`} />
          </>
        ),
        children: index === 2 ? <p>{texts.eventText}</p> : undefined,
      }))}
    />
  );
}

function keyValues(texts: Examples, hasActions: boolean) {
  const action = (label: string) =>
    hasActions ? (
      <TextLink to="#key-value-list">
        {texts.edit}
        <span className="sr-only"> {label}</span>
      </TextLink>
    ) : undefined;
  return (
    <KeyValueList
      items={[
        { label: texts.name, value: texts.nameValue, action: action(texts.name) },
        {
          label: texts.phone,
          value: <Reference>+971 50 123 4567</Reference>,
          action: action(texts.phone),
        },
        { label: texts.longLabel, value: texts.people[1], action: action(texts.longLabel) },
        { label: texts.details, value: texts.detailsValue, action: action(texts.details) },
      ]}
    />
  );
}

const loadedTable = (texts: Examples, data: ExampleRequest[] | undefined) => (
  <LoadedTable
    list={{ data, error: null, refetch: ignore, isRefetching: false }}
    failed={texts.caption}
    emptyTitle={texts.card}
    caption={texts.caption}
    columns={requestColumns(texts)}
    rowKey={({ number }) => number}
  />
);

export const dataStories: Stories = (texts) => {
  const table = {
    caption: texts.caption,
    columns: requestColumns(texts),
    rows: exampleRequests(texts),
    rowKey: ({ number }: ExampleRequest) => number,
  };
  return [
    {
      name: 'DataTable',
      isWide: true,
      states: {
        default: <DataTable {...table} />,
        'with a marked row': <DataTable {...table} isMarked={({ tone }) => tone === 'waiting'} />,
        'about to be replaced': <DataTable {...table} isStale />,
        'many columns, with a control': (
          <DataTable
            {...table}
            isWide
            columns={[
              ...table.columns,
              {
                key: 'action',
                header: texts.columns.action,
                isControl: true,
                cell: () => (
                  <span className="relative z-1">
                    <Button size="sm" variant="secondary" onPress={ignore}>
                      {texts.edit}
                    </Button>
                  </span>
                ),
              },
            ]}
          />
        ),
      },
    },
    {
      name: 'LoadedTable',
      isWide: true,
      states: {
        loading: loadedTable(texts, undefined),
        empty: loadedTable(texts, []),
        default: loadedTable(texts, exampleRequests(texts)),
      },
    },
    {
      name: 'KeyValueList',
      isWide: true,
      states: { default: keyValues(texts, false), 'with actions': keyValues(texts, true) },
    },
    {
      name: 'Card',
      states: {
        'without title': <Card>{texts.cardText}</Card>,
        'with title': <Card title={texts.card}>{texts.cardText}</Card>,
        folded: (
          <FoldedCard title={texts.card} summary={texts.cardText}>
            {texts.cardText}
          </FoldedCard>
        ),
        'folded, open at first': (
          <FoldedCard title={texts.card} isOpenAtFirst>
            {texts.cardText}
          </FoldedCard>
        ),
        'with action': (
          <Card
            title={texts.card}
            action={
              <Button size="sm" variant="secondary" onPress={ignore}>
                {texts.edit}
              </Button>
            }
          >
            {texts.paragraph}
          </Card>
        ),
        flush: (
          <Card title={texts.card} isFlush>
            <p className="border-t border-ink-100 bg-desert-50 p-4">{texts.cardText}</p>
          </Card>
        ),
      },
    },
    {
      name: 'Timeline',
      isWide: true,
      states: { default: timeline(texts) },
    },
    {
      name: 'Tabs',
      isWide: true,
      states: {
        default: tabs(texts, texts.tabs),
        'more than fit': tabs(texts, [...texts.tabs, ...texts.steps, ...texts.crumbs]),
      },
    },
    {
      name: 'ScrollRow',
      isWide: true,
      states: {
        'more than fits': (
          <ScrollRow className="flex gap-1.5">
            {[...texts.tabs, ...texts.steps].map((text) => (
              <Button key={text} onPress={ignore}>
                {text}
              </Button>
            ))}
          </ScrollRow>
        ),
      },
    },
    {
      name: 'Stepper',
      states: {
        'first step': stepper(texts, 0),
        'middle step': stepper(texts, 2),
        'last step': stepper(texts, 3),
      },
    },
    {
      name: 'SelectBox',
      states: {
        off: <SelectBox label={texts.card} isOn={false} onChange={ignore} />,
        on: <SelectBox label={texts.card} isOn onChange={ignore} />,
        mixed: <SelectBox label={texts.card} isOn={false} isMixed onChange={ignore} />,
      },
    },
    {
      name: 'Pager',
      isWide: true,
      states: {
        'first page': pager(1, 240),
        'middle page': pager(6, 240),
        'last page': pager(2, 25),
        'large numbers': pager(1208, 30_000),
      },
    },
    {
      name: 'Breadcrumbs',
      isWide: true,
      states: {
        default: (
          <Breadcrumbs
            crumbs={[
              ...texts.crumbs.map((label) => ({ label, to: '#breadcrumbs' })),
              { label: texts.service },
            ]}
          />
        ),
        long: (
          <Breadcrumbs
            crumbs={[
              ...texts.crumbs.map((label) => ({ label, to: '#breadcrumbs' })),
              { label: texts.services[2] ?? '', to: '#breadcrumbs' },
              { label: texts.longLabel },
            ]}
          />
        ),
      },
    },
  ];
};
