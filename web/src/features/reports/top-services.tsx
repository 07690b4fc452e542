import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Link } from '#lib/router/link.tsx';
import { Card } from '#ui/data/card.tsx';
import { useIsOfOneAgency } from '#ui/search/agency-choices.ts';
import type { RequestFigures } from '@diwan/contract/requests/reports';
import { figureLink, useStaffList } from './figure-links.ts';

type TopService = RequestFigures['services'][number];

/**
 * The most requested services, with the agency because many services share a name. Each number opens
 * the list of its requests.
 */
export function TopServices({
  figures: { services, fromDay, toDay },
}: {
  figures: Pick<RequestFigures, 'services' | 'fromDay' | 'toDay'>;
}) {
  const { t } = useTranslation('reports');
  const { count } = useFormat();
  const list = useStaffList();
  const isOfOneAgency = useIsOfOneAgency();
  const numberOf = (figure: 'created' | 'completed', service: TopService) => {
    const text = count(service[figure]);
    if (service[figure] === 0) return <bdi className="text-ink-500">{text}</bdi>;
    const group = { by: 'service', id: String(service.serviceId) } as const;
    const to = figureLink(list, figure, { from: fromDay, to: toDay }, group);
    if (to === undefined) return <bdi>{text}</bdi>;
    return (
      <Link
        to={to}
        aria-label={`${service.name}, ${t(`figures.${figure}`)}: ${text}`}
        className="link"
      >
        <bdi>{text}</bdi>
      </Link>
    );
  };
  return (
    <Card title={t('services.title')} isPrintedWhole>
      {services.length === 0 ? (
        <p className="text-ink-600">{t('services.none')}</p>
      ) : (
        <div data-table>
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
                    {isOfOneAgency ? null : (
                      <span className="block text-ink-500">{service.governmentAgency.name}</span>
                    )}
                  </th>
                  <td className="py-2.5 ps-4 text-end tabular-nums">
                    {numberOf('created', service)}
                  </td>
                  <td className="py-2.5 ps-4 text-end tabular-nums">
                    {numberOf('completed', service)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  );
}
