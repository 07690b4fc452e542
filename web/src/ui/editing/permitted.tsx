import type { ReactNode } from 'react';
import { useMayCall } from '#lib/api/session.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import type { Call } from '@diwan/contract/wire/call';

interface PermittedProps {
  call: Pick<Call, 'who'>;
  children: ReactNode;
}

/** What is there for a call alone: a user who may not make it does not see it. */
export function May({ call, children }: PermittedProps) {
  return useMayCall(call) ? children : null;
}

/** The fields that a call saves: a user who may not make it reads them only, under a note that says so. */
export function SavedFields({ call, children }: PermittedProps) {
  const { t } = useTranslation('changes');
  const className = 'flex min-w-0 flex-col gap-6';
  if (useMayCall(call)) return <div className={className}>{children}</div>;
  return (
    <fieldset disabled className={className}>
      <legend className="pb-6 text-sm text-ink-600">{t('readOnly')}</legend>
      {children}
    </fieldset>
  );
}
