import { Check, Circle } from 'lucide-react';
import { useTranslation } from 'react-i18next';

export function ViewedMark({ isViewed }: { isViewed: boolean }) {
  const { t } = useTranslation('requests');
  return (
    <span className={`flex items-center gap-1 text-sm font-medium ${isViewed ? 'text-green-700' : 'text-amber-800'}`}>
      {isViewed ? <Check aria-hidden size={16} /> : <Circle aria-hidden size={12} className="mx-0.5" />}
      {t(isViewed ? 'documents.viewed' : 'documents.notViewed')}
    </span>
  );
}
