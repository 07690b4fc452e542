import { EyeOff, Pencil, Plus, UserRound } from 'lucide-react';
import { useState } from 'react';
import { useCall } from '#lib/api/use-call.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { IconButton } from '#ui/actions/icon-button.tsx';
import { Card } from '#ui/data/card.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { Moment } from '#ui/values/moment.tsx';
import {
  getAllServiceProviderRequestAttachmentsByRequestId,
  type ServiceProviderAttachment,
} from '@diwan/contract/requests/provider-documents';
import type { RequestRecord } from '@diwan/contract/requests/requests';
import { ProviderDocumentDialog } from './provider-document-dialog.tsx';
import { RequestDocument } from './request-documents.tsx';

interface ProviderDocumentsProps {
  record: RequestRecord;
  /** Staff and the service provider manage the documents; the applicant sees the visible ones. */
  isStaff?: boolean;
}

/** Who added a document and when, and whether the applicant sees it. */
function ProviderDocumentStatus({ document }: { document: ServiceProviderAttachment }) {
  const { t } = useTranslation('provider');
  const Icon = document.isVisibleToApplicant ? UserRound : EyeOff;
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-600">
      <span className="inline-flex items-center gap-1.5">
        <Icon aria-hidden size={16} className="shrink-0" />
        <span>{t(document.isVisibleToApplicant ? 'shown' : 'hidden')}</span>
      </span>
      <span>
        <bdi>{document.addedBy}</bdi>
        {' · '}
        <Moment at={document.addedAt} as="date" />
      </span>
    </p>
  );
}

interface ProviderDocumentRowProps {
  document: ServiceProviderAttachment;
  reload: () => Promise<unknown>;
  onChange: () => void;
}

/** One document for staff, with a button to change it. */
function ProviderDocumentRow({ document, reload, onChange }: ProviderDocumentRowProps) {
  const { t } = useTranslation('provider');
  return (
    <li className="flex items-start gap-1 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0 grow">
        <ul>
          <RequestDocument attachment={document} reload={reload} />
        </ul>
        <ProviderDocumentStatus document={document} />
      </div>
      {document.mayChange ? (
        <span data-no-print>
          <IconButton label={t('change', { title: document.title })} onPress={onChange}>
            <Pencil aria-hidden size={18} />
          </IconButton>
        </span>
      ) : null}
    </li>
  );
}

/** The documents that staff and the service provider have added to a request. */
export function ProviderDocuments({
  record: { requestId, serviceId },
  isStaff = false,
}: ProviderDocumentsProps) {
  const { t } = useTranslation('provider');
  const list = useCall(getAllServiceProviderRequestAttachmentsByRequestId, {
    query: { RequestId: requestId },
    skipErrorHandling: true,
  });
  const [open, setOpen] = useState<ServiceProviderAttachment | 'new'>();
  const documents = list.data ?? [];
  const reload = () => list.refetch();
  if (!isStaff && documents.length === 0) return null;
  return (
    <>
      <Card
        title={t(isStaff ? 'title' : 'titleForApplicant')}
        action={
          isStaff && list.data ? (
            <span data-no-print>
              <Button
                variant="secondary"
                size="sm"
                icon={<Plus aria-hidden size={18} />}
                onPress={() => setOpen('new')}
              >
                {t('add')}
              </Button>
            </span>
          ) : undefined
        }
      >
        {list.isError ? (
          <Alert
            tone="warning"
            action={
              <Button
                size="sm"
                variant="secondary"
                isPending={list.isFetching}
                onPress={() => void reload()}
              >
                {t('again')}
              </Button>
            }
          >
            {t('failed')}
          </Alert>
        ) : null}
        {isStaff && list.data?.length === 0 ? <p className="text-ink-600">{t('none')}</p> : null}
        {isStaff ? null : <p className="mb-4 text-ink-600">{t('textForApplicant')}</p>}
        <ul className="divide-y divide-ink-100">
          {documents.map((document) =>
            isStaff ? (
              <ProviderDocumentRow
                key={document.attachmentId}
                document={document}
                reload={reload}
                onChange={() => setOpen(document)}
              />
            ) : (
              <RequestDocument key={document.attachmentId} attachment={document} reload={reload} />
            ),
          )}
        </ul>
      </Card>
      {open ? (
        <ProviderDocumentDialog
          requestId={requestId}
          serviceId={serviceId}
          document={open === 'new' ? undefined : open}
          documents={documents}
          onClose={() => setOpen(undefined)}
        />
      ) : null}
    </>
  );
}
