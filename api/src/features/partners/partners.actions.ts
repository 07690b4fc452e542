import type { Language, LocalizedText } from '@diwan/contract/wire/languages';
import type { OwnPartner } from '@diwan/contract/people/partners';
import { localize } from '../../platform/core/localize.ts';
import type { Catalogue } from '../services/services.actions.ts';

/**
 * A partner with what it provides, popular services first, and the agencies that these are of, by
 * the number of services.
 */
export function describePartner(
  partner: { id: number; name: LocalizedText },
  catalogue: Catalogue,
  language: Language,
): OwnPartner {
  const services = catalogue
    .search(undefined, language)
    .filter(({ partnerId }) => partnerId === partner.id);
  const describe = ({ agency }: (typeof services)[number]) => ({
    id: agency.id,
    name: localize(agency.name, language),
    logo: agency.logo,
  });
  const agencies = new Map(
    services.map((service) => [service.agency.id, { ...describe(service), servicesCount: 0 }]),
  );
  for (const { agency } of services) {
    const counted = agencies.get(agency.id);
    if (counted) counted.servicesCount += 1;
  }
  return {
    id: partner.id,
    name: localize(partner.name, language),
    agencies: [...agencies.values()].sort(
      (one, other) => other.servicesCount - one.servicesCount || one.id - other.id,
    ),
    services: services.map((service) => ({
      id: service.id,
      name: localize(service.name, language),
      replacedName: service.replacedName,
      governmentAgency: describe(service),
    })),
  };
}
