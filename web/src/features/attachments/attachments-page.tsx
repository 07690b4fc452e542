import { useMayCall } from '#lib/api/session.ts';
import { useCall } from '#lib/api/use-call.ts';
import { useSearchFilters, type SearchFilters } from '#lib/browser/search-params.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Link } from '#lib/router/link.tsx';
import { LinkButton } from '#ui/actions/links.tsx';
import { AdminList, adminPageSize } from '#ui/data/admin-list.tsx';
import type { Column } from '#ui/data/data-table.tsx';
import { FileName } from '#ui/files/file-name.tsx';
import { Moment } from '#ui/values/moment.tsx';
import { Reference } from '#ui/values/reference.tsx';
import { StatusTag } from '#ui/values/status-tag.tsx';
import {
  attachmentStates,
  getAllAttachments,
  type AttachmentState,
  type AttachmentSummary,
} from '@diwan/contract/requests/attachments';
import type { StatusTone } from '@diwan/contract/requests/workflow';
import { detailsLink } from '../requests/data/details-link.ts';
import { AttachmentTypes } from './attachment-types.tsx';

const tones: Record<AttachmentState, StatusTone> = {
  announced: 'waiting',
  unused: 'waiting',
  attached: 'progress',
  viewed: 'done',
  result: 'done',
};

/** A short label for a media type: `application/pdf` is PDF. */
function labelOf(mediaType: string): string {
  return (mediaType.split('/').at(-1) ?? mediaType).toUpperCase();
}

function useColumns(): Column<AttachmentSummary>[] {
  const { t } = useTranslation('dashboards');
  const { fileSize } = useFormat();
  return [
    {
      key: 'file',
      header: t('attachments.file'),
      isPrimary: true,
      cell: (file) => (
        <>
          <span className="block wrap-anywhere">
            <FileName name={file.fileName} />
          </span>
          <span className="block font-normal text-ink-500">
            <bdi dir="ltr">{labelOf(file.mediaType)}</bdi> · <bdi>{fileSize(file.size)}</bdi>
          </span>
        </>
      ),
    },
    {
      key: 'state',
      header: t('attachments.state'),
      cell: (file) => (
        <StatusTag tone={tones[file.state]}>{t(`attachments.states.${file.state}`)}</StatusTag>
      ),
    },
    {
      key: 'request',
      header: t('attachments.request'),
      cell: (file) =>
        file.requestNumber ? (
          <Link {...detailsLink(file.requestNumber, '/dashboard/attachments')} className="link">
            <Reference>{file.requestNumber}</Reference>
          </Link>
        ) : (
          <span className="text-ink-500">{t('none')}</span>
        ),
    },
    { key: 'owner', header: t('attachments.owner'), cell: (file) => <bdi>{file.ownerName}</bdi> },
    {
      key: 'sent',
      header: t('attachments.sent'),
      cell: (file) => <Moment at={file.createdAt} as="date" />,
    },
  ];
}

/** All files, or the types of documents from which services are built. */
export function AttachmentsPage() {
  const filters = useSearchFilters('state', 'show');
  // Content has the types alone: the files are documents of applicants.
  const mayList = useMayCall(getAllAttachments);
  return filters.values.show === 'types' || !mayList ? (
    <AttachmentTypes />
  ) : (
    <Files filters={filters} />
  );
}

/**
 * The metadata of all files. Their content opens on the page of their request, where the user may
 * see it.
 */
function Files({ filters }: { filters: SearchFilters<'state' | 'show'> }) {
  const { t } = useTranslation(['dashboards', 'catalogue']);
  const State = attachmentStates.find((state) => state === filters.values.state);
  const list = useCall(getAllAttachments, {
    query: {
      SearchKeyword: filters.keyword || undefined,
      State,
      PageNumber: filters.page,
      Take: adminPageSize,
    },
    keepPrevious: true,
  });
  const columns = useColumns();
  const filter = {
    name: 'state' as const,
    label: t('attachments.state'),
    any: t('attachments.anyState'),
    choices: attachmentStates.map((state) => ({
      value: state,
      label: t(`attachments.states.${state}`),
    })),
  };
  return (
    <AdminList
      title={t('attachments.title')}
      lead={t('attachments.lead')}
      placeholder={t('attachments.search')}
      filters={filters}
      filter={filter}
      list={list}
      columns={columns}
      rowKey={(file) => file.attachmentId}
      action={
        <LinkButton to="/dashboard/attachments?show=types" variant="secondary">
          {t('catalogue:attachmentTypes.title')}
        </LinkButton>
      }
    />
  );
}
