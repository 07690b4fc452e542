import { Cloud } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';

/** The way on and the way back, at the end of every stage. */
export function StageActions({ children, onBack, savedAt }: { children: ReactNode; onBack: (() => void) | undefined; savedAt: string }) {
  const { t } = useTranslation('forms');
  return (
    <div className="mt-10 flex flex-col gap-3 border-t border-ink-100 pt-6 md:flex-row md:items-center">
      {children}
      {onBack ? <Button variant="quiet" onPress={onBack}>{t('back')}</Button> : null}
      <SavedMark savedAt={savedAt} />
    </div>
  );
}

/** Tells when the draft was last kept; nothing when it could not be. */
function SavedMark({ savedAt }: { savedAt: string }) {
  const { t } = useTranslation('forms');
  const { relative } = useFormat();
  const [, setTick] = useState(0);
  useEffect(() => {
    const timer = window.setInterval(() => setTick((before) => before + 1), 20_000);
    return () => window.clearInterval(timer);
  }, []);
  if (savedAt === '') return null;
  return (
    <p className="flex items-center gap-2 text-sm text-ink-500 md:ms-auto">
      <Cloud aria-hidden size={18} className="shrink-0" />
      {t('saved', { when: relative(savedAt) })}
    </p>
  );
}
