import { WifiOff } from 'lucide-react';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { showToast } from '../lib/browser/toasts.ts';

function subscribe(onChange: () => void): () => void {
  window.addEventListener('online', onChange);
  window.addEventListener('offline', onChange);
  return () => {
    window.removeEventListener('online', onChange);
    window.removeEventListener('offline', onChange);
  };
}

export function OfflineNotice() {
  const { t } = useTranslation('shell');
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  const wasOnline = useRef(isOnline);
  useEffect(() => {
    if (isOnline && !wasOnline.current) showToast(t('backOnline'), 'success');
    wasOnline.current = isOnline;
  }, [isOnline, t]);
  return (
    <div role="status">
      {isOnline ? null : (
        <div className="bg-amber-100 text-amber-800">
          <p className="page flex items-center gap-3 py-2 font-medium">
            <WifiOff aria-hidden size={20} className="shrink-0" />
            {t('offline')}
          </p>
        </div>
      )}
    </div>
  );
}
