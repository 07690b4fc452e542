import type { MouseEvent } from 'react';
import { currentSession, storeSelectedService } from '#lib/api/session.ts';
import { goTo } from '#lib/browser/navigation.ts';
import { loadItem } from '#lib/browser/storage.ts';

const individuals = 1;

/** The address of a service's first screen. Source: specification §2. */
export function serviceAddress(replacedName: string): string {
  return `/requests/Create/${encodeURIComponent(replacedName)}`;
}

/**
 * Whether a visitor signs in before choosing a service: everybody who is not of the account type
 * individuals, also who has chosen none. Without a filter the type chosen last in this session
 * applies. Source: specification §3, §4.
 */
export function mustSignInToChoose(accountTypeId: number | undefined): boolean {
  const type = accountTypeId ?? Number(loadItem('session', 'accountType'));
  return currentSession() === null && type !== individuals;
}

/**
 * The properties of a link that chooses a service. The address is that of the service, so that it
 * can be copied and opened in another tab.
 */
export function serviceLink(
  service: { id: number; replacedName: string },
  accountTypeId?: number,
): { to: string; onClick: (event: MouseEvent) => void } {
  return {
    to: serviceAddress(service.replacedName),
    onClick: (event) => {
      const opensElsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
      if (opensElsewhere || !mustSignInToChoose(accountTypeId)) return;
      event.preventDefault();
      storeSelectedService(service.id);
      void goTo('/account/login');
    },
  };
}
