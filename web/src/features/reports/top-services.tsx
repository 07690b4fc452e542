import type { RequestFigures } from '@diwan/contract/requests/reports';
import { useTranslation } from '../../lib/i18n/translate.ts';
import { useFormat } from '../../lib/i18n/format.ts';
import { Card } from '../../ui/data/card.tsx';

/** The most requested services, with the agency because many services share a name. */
export function TopServices({ services }: { services: RequestFigures['services'] }) {
  const { t } = useTranslation('reports');
  const { count } = useFormat();
  return (
    <Card title={t('services.title')}>
      {services.length === 0 ? (
        <p className="text-ink-600">{t('services.none')}</p>
      ) : (
        <table className="w-full border-collapse text-sm">
          <caption className="sr-only">{t('services.title')}</caption>
          <thead className="text-ink-600">
            <tr>
              <th scope="col" className="pb-2 text-start font-semibold">
                {t('services.service')}
              </th>
              <th scope="col" className="ps-4 pb-2 text-end font-semibold">
                {t('figures.created')}
              </th>
              <th scope="col" className="ps-4 pb-2 text-end font-semibold">
                {t('figures.completed')}
              </th>
            </tr>
          </thead>
          <tbody>
            {services.map((service) => (
              <tr key={service.serviceId} className="border-t border-ink-100">
                <th scope="row" className="py-2.5 text-start font-normal">
                  <span className="block font-medium">{service.name}</span>
                  <span className="block text-ink-500">{service.governmentAgency.name}</span>
                </th>
                <td className="py-2.5 ps-4 text-end tabular-nums">{count(service.created)}</td>
                <td className="py-2.5 ps-4 text-end tabular-nums">{count(service.completed)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
}
