import { ArrowRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { LinkButton } from '../../../ui/link-button.tsx';
import { ShortcutHint } from './shortcut-hint.tsx';

interface NextRequestButtonProps {
  list: string;
  isAtEnd: boolean;
  isLooking: boolean;
  /** There is nothing else to do here. */
  isMain: boolean;
  /** There is much else to do, so that its name is for wide windows. */
  isTight: boolean;
  onNext: () => void;
}

/** The way to the request below in the list that one came from; at its end, back to it. */
export function NextRequestButton({ list, isAtEnd, isLooking, isMain, isTight, onNext }: NextRequestButtonProps) {
  const { t } = useTranslation('staff');
  const arrow = <ArrowRight aria-hidden size={18} className="mirror" />;
  return (
    <span className="flex flex-wrap items-center gap-x-4 gap-y-2 md:ms-auto">
      <span role="status" className={isAtEnd ? 'text-sm font-semibold' : 'sr-only'}>{isAtEnd ? t('next.end') : ''}</span>
      {isAtEnd ? (
        <LinkButton to={list} variant={isMain ? 'primary' : 'secondary'}>{t('next.back')}<ShortcutHint of="b" /></LinkButton>
      ) : (
        <>
          {isMain ? null : <span className="md:hidden"><IconButton label={t('next.next')} isDisabled={isLooking} onPress={onNext}>{arrow}</IconButton></span>}
          <span className={isMain ? undefined : isTight ? 'max-md:hidden max-2xl:-me-5' : 'max-md:hidden'}>
            <Button variant={isMain ? 'primary' : 'quiet'} aria-keyshortcuts="n" icon={arrow} isPending={isLooking} onPress={onNext}><span className={isTight ? 'max-2xl:sr-only' : undefined}>{t('next.next')}</span><ShortcutHint of="n" /></Button>
          </span>
        </>
      )}
    </span>
  );
}
