import { ArrowLeft, ArrowRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/actions/button.tsx';
import { IconButton } from '../../../ui/actions/icon-button.tsx';
import { ShortcutHint } from './shortcut-hint.tsx';

interface NextRequestButtonProps {
  isAtEnd: boolean;
  isLooking: boolean;
  /** There is nothing else to do here. */
  isMain: boolean;
  /** There is much else to do, so that its name is for wide windows. */
  isTight: boolean;
  onNext: () => void;
  /** Undefined at the beginning of the list. */
  onPrevious: (() => unknown) | undefined;
  onBack: () => void;
}

/**
 * The ways to the requests below and above in the list that one came from; at its end, back to it.
 */
export function NextRequestButton({
  isAtEnd,
  isLooking,
  isMain,
  isTight,
  onNext,
  onPrevious,
  onBack,
}: NextRequestButtonProps) {
  const { t } = useTranslation('staff');
  const arrow = <ArrowRight aria-hidden size={18} className="mirror" />;
  return (
    <span className="flex flex-wrap items-center gap-x-4 gap-y-2 lg:ms-auto">
      <span role="status" className={isAtEnd ? 'text-sm font-semibold' : 'sr-only'}>
        {isAtEnd ? t('next.end') : ''}
      </span>
      {onPrevious ? (
        <span className="max-lg:hidden lg:-me-3">
          <IconButton label={t('next.previous')} aria-keyshortcuts="p" onPress={onPrevious}>
            <ArrowLeft aria-hidden size={18} className="mirror" />
          </IconButton>
        </span>
      ) : null}
      {isAtEnd ? (
        <Button variant={isMain ? 'primary' : 'secondary'} aria-keyshortcuts="b" onPress={onBack}>
          {t('next.back')}
          <ShortcutHint of="b" />
        </Button>
      ) : (
        <>
          {isMain ? null : (
            <span className="lg:hidden">
              <IconButton label={t('next.next')} isDisabled={isLooking} onPress={onNext}>
                {arrow}
              </IconButton>
            </span>
          )}
          <span
            className={
              isMain ? undefined : isTight ? 'max-lg:hidden max-2xl:-me-5' : 'max-lg:hidden'
            }
          >
            <Button
              variant={isMain ? 'primary' : 'quiet'}
              aria-keyshortcuts="n"
              icon={arrow}
              isPending={isLooking}
              onPress={onNext}
            >
              <span className={isTight ? 'max-2xl:sr-only' : undefined}>{t('next.next')}</span>
              <ShortcutHint of="n" isTight={isTight} />
            </Button>
          </span>
        </>
      )}
    </span>
  );
}
