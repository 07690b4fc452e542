import { useEffect, useEffectEvent, useState } from 'react';
import { queryClient } from '#lib/api/query-client.ts';
import { useAction } from '#lib/api/use-call.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Alert, ErrorAlert } from '#ui/feedback/alert.tsx';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { RadioGroup } from '#ui/forms/radio-group.tsx';
import {
  previewPartnerServices,
  savePartnerServices,
  type OpenRequestChoice,
  type PartnerServicesPreview,
} from '@diwan/contract/catalogue/partner-services';
import { getAllServicesForUpdatingPartner } from '@diwan/contract/catalogue/services';
import type { PartnerRecord } from '@diwan/contract/people/partner-registration';
import type { ReplyOf } from '@diwan/contract/wire/call';

/** A service of the catalogue as the page of a provider lists it. */
export type ServiceRow = ReplyOf<typeof getAllServicesForUpdatingPartner>[number];

/** Services that a provider gets, or that are taken back from it. */
export interface Handover {
  services: readonly ServiceRow[];
  isAssigned: boolean;
}

type HandoverProps = Handover & { record: PartnerRecord };

/** What the change does to each service, the most open requests first. */
function PreviewList({ preview }: { preview: PartnerServicesPreview }) {
  const { t } = useTranslation('partners');
  const { count } = useFormat();
  const left = preview.servicesCount - preview.services.length;
  return (
    <div
      // A long list scrolls by the keyboard too.
      tabIndex={0}
      role="group"
      aria-label={t('assign.services')}
      className="max-h-64 overflow-y-auto rounded-md border border-ink-100 px-4"
    >
      <ul className="divide-y divide-ink-100">
        {preview.services.map((service) => (
          <li key={service.serviceId} className="flex flex-wrap justify-between gap-x-4 py-2">
            <span className="min-w-0">
              <bdi className="block wrap-anywhere">{service.name}</bdi>
              <span className="text-sm text-ink-500">
                {service.from
                  ? t('assign.from', { name: `\u2068${service.from.name}\u2069` })
                  : t('assign.noProvider')}
              </span>
            </span>
            <span className="text-sm text-ink-600">
              {t('assign.openOf', { number: count(service.openRequestsCount) })}
            </span>
          </li>
        ))}
      </ul>
      {left > 0 ? (
        <p className="border-t border-ink-100 py-2 text-sm text-ink-600">
          {t('assign.more', { number: count(left) })}
        </p>
      ) : null}
    </div>
  );
}

/** What a change would do, and what makes it. */
function useHandover({ record, services, isAssigned }: HandoverProps, onDone: () => void) {
  const { t } = useTranslation('partners');
  const { count } = useFormat();
  const { partnerId } = record;
  const [preview, setPreview] = useState<PartnerServicesPreview>();
  const read = useAction(previewPartnerServices, {
    skipErrorHandling: true,
    onSuccess: setPreview,
  });
  const ask = () =>
    read.mutate({
      body: { partnerId, isAssigned, serviceIds: services.map(({ id }) => id) },
    });
  const askOnce = useEffectEvent(ask);
  useEffect(() => askOnce(), []);
  const save = useAction(savePartnerServices, {
    skipErrorHandling: true,
    onSuccess: async ({ servicesCount, movedRequestsCount }) => {
      showToast(
        t('assign.done', { services: count(servicesCount), requests: count(movedRequestsCount) }),
        'success',
      );
      onDone();
      await queryClient.invalidateQueries();
    },
    onError: async (error) => {
      if (error.name === 'RecordHasChanged')
        await queryClient.invalidateQueries({ queryKey: [getAllServicesForUpdatingPartner.name] });
    },
  });
  return {
    preview,
    read,
    ask,
    save,
    send: (openRequests: OpenRequestChoice) =>
      save.mutate({
        body: {
          partnerId,
          isAssigned,
          openRequests,
          services: services.map((service) => ({
            serviceId: service.id,
            partnerId: service.partnerId,
          })),
        },
      }),
  };
}

/** What the change does, and what happens to the open requests of the services. */
function HandoverPreview({
  preview,
  choice,
  onChoose,
  moveHint,
}: {
  preview: PartnerServicesPreview;
  choice: OpenRequestChoice;
  onChoose: (choice: OpenRequestChoice) => void;
  moveHint: string;
}) {
  const { t } = useTranslation('partners');
  const { count } = useFormat();
  const { openRequestsCount, movableCount } = preview;
  return (
    <>
      <PreviewList preview={preview} />
      <p>
        {t('assign.openRequests', {
          open: count(openRequestsCount),
          movable: count(movableCount),
        })}
      </p>
      {movableCount > 0 ? (
        <RadioGroup
          label={t('assign.choice')}
          value={choice}
          onChange={(value) => onChoose(value === 'move' ? 'move' : 'stay')}
          choices={[
            { value: 'stay', label: t('assign.stay'), hint: t('assign.stayHint') },
            { value: 'move', label: t('assign.move'), hint: moveHint },
          ]}
        />
      ) : null}
    </>
  );
}

/** Shows what a change would do, asks what happens to open requests, and makes it. */
export function HandoverDialog({
  onClose,
  onDone,
  ...handover
}: HandoverProps & { onClose: () => void; onDone: () => void }) {
  const { t } = useTranslation('partners');
  const { record, isAssigned } = handover;
  const [choice, setChoice] = useState<OpenRequestChoice>('stay');
  const { preview, read, ask, save, send } = useHandover(handover, onDone);
  const name = `\u2068${record.name}\u2069`;
  return (
    <ConfirmDialog
      kind="wide"
      title={t(isAssigned ? 'assign.assignTitle' : 'assign.takeBackTitle', { name })}
      confirmLabel={t(isAssigned ? 'assign.assignSend' : 'assign.takeBackSend')}
      cancelLabel={t('decide.cancel')}
      isPending={save.isPending}
      isDisabled={!preview}
      onConfirm={() => send(choice)}
      onClose={onClose}
    >
      <div className="flex flex-col gap-5">
        {save.error?.name === 'RecordHasChanged' ? (
          <Alert tone="warning" isLive>
            {t('assign.conflict')}
          </Alert>
        ) : (
          <ErrorAlert error={save.error} />
        )}
        {preview ? (
          <HandoverPreview
            preview={preview}
            choice={choice}
            onChoose={setChoice}
            moveHint={isAssigned ? t('assign.moveHint', { name }) : t('assign.freeHint')}
          />
        ) : read.error ? (
          <ErrorState error={read.error} onRetry={ask} isRetrying={read.isPending} />
        ) : (
          <SkeletonRows count={3} />
        )}
      </div>
    </ConfirmDialog>
  );
}
