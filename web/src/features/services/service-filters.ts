/** The filters of the listing as navigation state carries them; the spelling is the specification's (§2). */
export interface ServiceFilters {
  serviceSerach?: string;
  serviceCategoryId?: number;
  governmentAgencyId?: number;
  accountTypeId?: number;
  pageNumber?: number;
}

function wholeNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined;
}

/** Navigation state survives reload and may be older than the code, so it is read with care. */
export function readServiceFilters(state: unknown): ServiceFilters {
  if (typeof state !== 'object' || state === null) return {};
  const kept = state as Record<string, unknown>;
  const text = typeof kept.serviceSerach === 'string' && kept.serviceSerach.trim() !== '' ? kept.serviceSerach.trim() : undefined;
  return {
    serviceSerach: text,
    serviceCategoryId: wholeNumber(kept.serviceCategoryId),
    governmentAgencyId: wholeNumber(kept.governmentAgencyId),
    accountTypeId: wholeNumber(kept.accountTypeId),
    pageNumber: wholeNumber(kept.pageNumber),
  };
}
