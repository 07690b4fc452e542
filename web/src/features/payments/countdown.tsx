import { Pause, Play } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/actions/button.tsx';

interface CountdownProps {
  seconds: number;
  /** Held from outside, such as while something else is being done. */
  isHeld?: boolean;
  onEnd: () => void;
}

/** Counts down in sight of the person, who can hold it. */
export function Countdown({ seconds, isHeld = false, onEnd }: CountdownProps) {
  const { t } = useTranslation('payments');
  const [left, setLeft] = useState(seconds);
  const [isPaused, setIsPaused] = useState(false);
  const isRunning = !isPaused && !isHeld && left > 0;
  useEffect(() => {
    if (!isRunning) return;
    const timer = window.setTimeout(() => {
      setLeft(left - 1);
      if (left === 1) onEnd();
    }, 1000);
    return () => window.clearTimeout(timer);
  }, [isRunning, left, onEnd]);
  return (
    <div className="flex flex-col gap-3">
      <p role="timer" aria-live="off" className="text-ink-600 tabular-nums">
        {isPaused || isHeld ? t('countdown.held') : t('countdown.goesOn', { count: left })}
      </p>
      <div aria-hidden className="h-1.5 overflow-clip rounded-full bg-ink-100">
        <div
          className="h-full rounded-full bg-primary transition-[width] duration-1000 ease-linear"
          style={{ width: `${(left / seconds) * 100}%` }}
        />
      </div>
      <div className="-ms-3">
        <Button
          variant="quiet"
          size="sm"
          icon={
            isPaused ? (
              <Play aria-hidden size={18} className="mirror" />
            ) : (
              <Pause aria-hidden size={18} />
            )
          }
          onPress={() => setIsPaused(!isPaused)}
        >
          {isPaused ? t('countdown.resume') : t('countdown.hold')}
        </Button>
      </div>
    </div>
  );
}
