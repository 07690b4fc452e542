import { ChevronRight } from 'lucide-react';
import { Link } from 'react-router';
import type { GovernmentAgency } from '@diwan/contract/catalogue/agencies';
import { Bone, Skeleton } from '../../ui/feedback/skeleton.tsx';

export interface PopularService {
  id: number;
  name: string;
  replacedName: string;
  governmentAgency: GovernmentAgency;
}

/** What people need most, straight to the service. */
export function PopularServices({ services }: { services: readonly PopularService[] | undefined }) {
  if (!services)
    return (
      <Skeleton>
        <div className="grid gap-3 md:grid-cols-2">
          {Array.from({ length: 6 }, (_, index) => (
            <Bone key={index} className="h-18" />
          ))}
        </div>
      </Skeleton>
    );
  return (
    <ul className="grid grid-cols-1 md:grid-cols-2 md:gap-x-8">
      {services.slice(0, 8).map((service) => (
        <li
          key={service.id}
          className="group relative flex items-center gap-4 border-b border-ink-100 py-3 transition-colors duration-150 hover:bg-gold-50 md:px-3"
        >
          <img
            src={service.governmentAgency.logo}
            alt=""
            width={44}
            height={44}
            loading="lazy"
            className="size-11 shrink-0"
          />
          <div className="min-w-0 grow">
            <Link
              to={`/requests/Create/${encodeURIComponent(service.replacedName)}`}
              className="row-link font-semibold text-ink-900 group-hover:text-gold-800"
            >
              {service.name}
            </Link>
            <p className="text-sm text-ink-500">{service.governmentAgency.name}</p>
          </div>
          <ChevronRight
            aria-hidden
            size={20}
            className="mirror shrink-0 text-ink-400 group-hover:text-gold-700"
          />
        </li>
      ))}
    </ul>
  );
}
