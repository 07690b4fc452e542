import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/actions/button.tsx';

/** The way on and the way back, at the end of every stage; `saved` says where what was typed is. */
export function StageActions({
  children,
  onBack,
  saved,
}: {
  children: ReactNode;
  onBack: (() => void) | undefined;
  saved: ReactNode;
}) {
  const { t } = useTranslation('forms');
  return (
    <div className="mt-10 flex flex-col gap-3 border-t border-ink-100 pt-6 md:flex-row md:items-center">
      {children}
      {onBack ? (
        <Button variant="quiet" onPress={onBack}>
          {t('back')}
        </Button>
      ) : null}
      {saved}
    </div>
  );
}
