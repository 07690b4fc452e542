import { Plus } from 'lucide-react';
import { useMayCall } from '#lib/api/session.ts';
import { useCall } from '#lib/api/use-call.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { Link } from '#lib/router/link.tsx';
import { useSearchParams } from '#lib/router/router-provider.tsx';
import { LinkButton } from '#ui/actions/links.tsx';
import type { Column } from '#ui/data/data-table.tsx';
import { LoadedTable } from '#ui/data/loaded-table.tsx';
import { AdminPageHeader } from '#ui/data/page-header.tsx';
import { Tabs, useAddressTab } from '#ui/data/tabs.tsx';
import { StatusTag } from '#ui/values/status-tag.tsx';
import {
  saveAnnouncement,
  getAllAnnouncements,
  type AnnouncementRecord,
} from '@diwan/contract/content/announcements';
import { AnnouncementEditor } from './announcement-editor.tsx';
import { ClosuresTab } from './closures-tab.tsx';

const tones = {
  planned: 'waiting',
  shown: 'progress',
  over: 'done',
  withdrawn: 'refused',
} as const;

function useColumns(): Column<AnnouncementRecord>[] {
  const { t } = useTranslation('announcements');
  const { language } = useLanguage();
  const { dateTime } = useFormat();
  return [
    {
      key: 'title',
      header: t('title'),
      isPrimary: true,
      cell: ({ id, title }) => (
        <Link
          to={`/dashboard/announcements?edit=${id}`}
          className="row-link link"
          aria-label={t('editName', { name: title[language] })}
        >
          {title[language]}
        </Link>
      ),
    },
    {
      key: 'state',
      header: t('state'),
      cell: ({ state }) => <StatusTag tone={tones[state]}>{t(`states.${state}`)}</StatusTag>,
    },
    { key: 'kind', header: t('kind'), cell: ({ kind }) => t(`kinds.${kind}`) },
    {
      key: 'severity',
      header: t('severity'),
      isHiddenOnPhone: true,
      cell: ({ severity }) => t(`severities.${severity}`),
    },
    {
      key: 'audience',
      header: t('audience'),
      cell: ({ audience }) => t(`audiences.${audience.of}`),
    },
    {
      key: 'when',
      header: t('when'),
      cell: ({ from, until }) =>
        until
          ? t('public.fromUntil', { from: dateTime(from), until: dateTime(until) })
          : t('public.from', { from: dateTime(from) }),
    },
  ];
}

type List = ReturnType<typeof useCall<typeof getAllAnnouncements>>;

function AnnouncementsTab({ list }: { list: List }) {
  const { t } = useTranslation('announcements');
  const columns = useColumns();
  return (
    <div className="flex flex-col items-start gap-4">
      <LinkButton
        call={saveAnnouncement}
        icon={<Plus aria-hidden size={18} />}
        to="/dashboard/announcements?edit=new"
      >
        {t('add')}
      </LinkButton>
      <div className="w-full">
        <LoadedTable
          list={list}
          failed={t('failed')}
          emptyTitle={t('emptyTitle')}
          caption={t('tabs.announcements')}
          columns={columns}
          rowKey={({ id }) => id}
        />
      </div>
    </div>
  );
}

/** Banners of the portal and closed services. `?edit=new` or `?edit=<id>` opens the editor. */
export function AdminAnnouncementsPage() {
  const { t } = useTranslation('announcements');
  const [search] = useSearchParams();
  const readsAll = useMayCall(getAllAnnouncements);
  const [selected, select] = useAddressTab(['announcements', 'closures']);
  const list = useCall(getAllAnnouncements, { enabled: readsAll });
  // An agency administrator closes services, and has no banners of the portal.
  const title = t(readsAll ? 'tabs.announcements' : 'tabs.closures');
  usePageTitle(title);
  const edit = search.get('edit');
  const mayAdd = useMayCall(saveAnnouncement);
  const record = list.data?.find(({ id }) => String(id) === edit);
  if ((edit === 'new' && mayAdd) || record)
    return (
      <AnnouncementEditor
        key={edit}
        record={record}
        onReload={async () => (await list.refetch()).data?.find(({ id }) => String(id) === edit)}
      />
    );
  return (
    <div className="page pb-16">
      <AdminPageHeader title={title} lead={t(readsAll ? 'lead' : 'closuresLead')} />
      {readsAll ? (
        <Tabs
          label={t('label')}
          selected={selected}
          onSelect={select}
          tabs={[
            {
              id: 'announcements',
              label: t('tabs.announcements'),
              content: <AnnouncementsTab list={list} />,
            },
            { id: 'closures', label: t('tabs.closures'), content: <ClosuresTab /> },
          ]}
        />
      ) : (
        <ClosuresTab />
      )}
    </div>
  );
}
