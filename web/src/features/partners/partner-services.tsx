import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { OwnPartner } from '@diwan/contract/people/partners';
import { containsText } from '../../lib/i18n/match-text.ts';
import { DataTable, type Column } from '../../ui/data/data-table.tsx';
import { Pager } from '../../ui/data/pager.tsx';
import { TextField } from '../../ui/forms/text-field.tsx';

const pageSize = 10;
type Service = OwnPartner['services'][number];

function useColumns(): Column<Service>[] {
  const { t } = useTranslation('partners');
  return [
    {
      key: 'name',
      header: t('services.name'),
      isPrimary: true,
      cell: (service) => (
        <Link to={`/requests/Create/${service.replacedName}`} className="row-link">
          {service.name}
        </Link>
      ),
    },
    {
      key: 'agency',
      header: t('services.agency'),
      cell: (service) => service.governmentAgency.name,
    },
  ];
}

/**
 * The agencies that a partner works for, and the services that it provides, found while one types.
 */
export function PartnerServices({ partner }: { partner: OwnPartner }) {
  const { t } = useTranslation('partners');
  const [text, setText] = useState('');
  const [page, setPage] = useState(1);
  const found = partner.services.filter((service) =>
    containsText(`${service.name} ${service.governmentAgency.name}`, text),
  );
  const columns = useColumns();
  return (
    <>
      <section>
        <h2 className="pb-3 text-lg">{t('agencies.title')}</h2>
        <ul className="grid gap-3 md:grid-cols-2 lg:grid-cols-3">
          {partner.agencies.map((agency) => (
            <li
              key={agency.id}
              data-surface
              className="flex items-center gap-3 rounded-lg border border-ink-100 bg-white p-4"
            >
              <img
                src={agency.logo}
                alt=""
                width={40}
                height={40}
                loading="lazy"
                className="size-10 shrink-0"
              />
              <span className="min-w-0">
                <span className="block font-medium">{agency.name}</span>
                <span className="block text-sm text-ink-600">
                  {t('agencies.count', { count: agency.servicesCount })}
                </span>
              </span>
            </li>
          ))}
        </ul>
      </section>
      <section>
        <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3 pb-4">
          <h2 className="text-lg">{t('services.title')}</h2>
          <div className="w-full md:w-80">
            <TextField
              label={t('services.search')}
              isLabelHidden
              isOptional
              placeholder={t('services.search')}
              value={text}
              maxLength={200}
              onChange={(next) => {
                setText(next);
                setPage(1);
              }}
            />
          </div>
        </div>
        <p role="status" className="sr-only">
          {t('agencies.count', { count: found.length })}
        </p>
        {found.length > 0 ? (
          <DataTable
            caption={t('services.title')}
            columns={columns}
            rows={found.slice((page - 1) * pageSize, page * pageSize)}
            rowKey={(service) => service.id}
          />
        ) : (
          <p className="text-ink-600">{t('services.none')}</p>
        )}
        <div className="pt-6">
          <Pager
            pageNumber={page}
            pageSize={pageSize}
            totalCount={found.length}
            onSelect={setPage}
          />
        </div>
      </section>
    </>
  );
}
