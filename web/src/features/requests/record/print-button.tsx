import { Printer } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/actions/button.tsx';

export function PrintButton() {
  const { t } = useTranslation('requests');
  return (
    <span data-no-print>
      <Button
        variant="quiet"
        size="sm"
        icon={<Printer aria-hidden size={18} />}
        onPress={() => window.print()}
      >
        {t('record.print')}
      </Button>
    </span>
  );
}
