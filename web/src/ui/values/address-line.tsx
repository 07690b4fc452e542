import { useTranslation } from '#lib/i18n/translate.ts';
import type { CompanyDetails } from '@diwan/contract/forms/parties';

/**
 * An address in one line. Each part is isolated, because streets are written in another script than the
 * page; a city that has the name of its emirate is not said twice.
 */
export function AddressLine({
  street,
  city,
  emirate,
}: Pick<CompanyDetails, 'street' | 'city'> & {
  emirate: Exclude<CompanyDetails['emirate'], ''>;
}) {
  const { t } = useTranslation('forms');
  const last = t(`emirates.${emirate}`);
  const parts = [street, ...(city === last ? [] : [city]), last];
  return <span>{parts.map((part) => `\u2068${part}\u2069`).join(' · ')}</span>;
}
