import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import {
  deleteService,
  getServices,
  serviceSearch,
  type ServiceSummary,
} from '@diwan/contract/catalogue/services';
import { showToast } from '../../lib/browser/toasts.ts';
import { useAction } from '../../lib/api/use-call.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Dialog } from '../../ui/feedback/dialog.tsx';

/** Says what will be lost, then takes the service out of the catalogue. */
export function DeleteServiceDialog({
  service,
  onClose,
}: {
  service: ServiceSummary;
  onClose: () => void;
}) {
  const { t } = useTranslation('dashboards');
  const client = useQueryClient();
  const remove = useAction(deleteService, {
    onSuccess: async () => {
      showToast(t('services.deleted'), 'success');
      onClose();
      await Promise.all(
        [getServices.name, serviceSearch.name].map((name) =>
          client.invalidateQueries({ queryKey: [name] }),
        ),
      );
    },
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      isBusy={remove.isPending}
      title={t('services.deleteTitle')}
      actions={
        <>
          <Button
            variant="danger"
            isPending={remove.isPending}
            onPress={() => remove.mutate({ params: { serviceId: service.id } })}
          >
            {t('services.deleteSend')}
          </Button>
          <Button variant="quiet" isDisabled={remove.isPending} onPress={onClose}>
            {t('services.keep')}
          </Button>
        </>
      }
    >
      <p className="font-semibold">
        <bdi>{service.name}</bdi>
      </p>
      <p className="text-ink-600">
        <bdi>{service.governmentAgency.name}</bdi>
      </p>
      <ul className="mt-4 list-disc ps-5">
        {(['lost', 'drafts', 'kept', 'final'] as const).map((name) => (
          <li key={name}>{t(`services.${name}`)}</li>
        ))}
      </ul>
    </Dialog>
  );
}
