import { Check } from 'lucide-react';
import { classNames } from '#lib/browser/class-names.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';

interface Step {
  name: string;
  title: string;
  isDone: boolean;
  /** Opens the step; absent where the step cannot be opened. */
  onSelect?: () => void;
}

/** The current step: a progress bar on a phone, a list at the inline start on a desktop. */
export function Stepper({
  steps,
  current,
  label,
}: {
  steps: readonly Step[];
  current: string;
  label: string;
}) {
  const { t } = useTranslation('shell');
  const { count } = useFormat();
  const index = Math.max(
    0,
    steps.findIndex((step) => step.name === current),
  );
  const step = steps[index];
  return (
    <nav aria-label={label}>
      <div className="md:hidden">
        <p className="text-sm text-ink-600">
          <span>{t('kit.stepOf', { number: count(index + 1), total: count(steps.length) })}</span>{' '}
          <span className="font-semibold text-ink-900">{step?.title}</span>
        </p>
        <div aria-hidden className="mt-2 flex gap-1">
          {steps.map((each, position) => (
            <span
              key={each.name}
              className={classNames(
                'h-1.5 grow rounded-full',
                position <= index ? 'bg-primary' : 'bg-ink-100',
              )}
            />
          ))}
        </div>
      </div>
      <ol className="hidden md:block">
        {steps.map((each, position) => (
          <li
            key={each.name}
            aria-current={each.name === current ? 'step' : undefined}
            className="relative flex gap-3 pb-5 last:pb-0"
          >
            {position < steps.length - 1 ? (
              <span
                aria-hidden
                className={classNames(
                  'absolute start-[15px] top-[calc((max(2rem,1lh)+2rem)/2+4px)] bottom-1 w-0.5',
                  each.isDone ? 'bg-gold-400' : 'bg-ink-100',
                )}
              />
            ) : null}
            <StepMark step={each} isCurrent={each.name === current} number={count(position + 1)} />
            <StepTitle step={each} isCurrent={each.name === current} />
          </li>
        ))}
      </ol>
    </nav>
  );
}

function StepMark({ step, isCurrent, number }: { step: Step; isCurrent: boolean; number: string }) {
  return (
    <span aria-hidden className="flex h-[1lh] min-h-8 items-center">
      <span
        className={classNames(
          'flex size-8 shrink-0 items-center justify-center rounded-full border-2 text-sm font-semibold leading-none',
          isCurrent
            ? 'border-primary bg-primary text-white'
            : step.isDone
              ? 'border-gold-400 bg-gold-50 text-gold-700'
              : 'border-ink-200 bg-white text-ink-500',
        )}
      >
        {step.isDone && !isCurrent ? <Check size={16} /> : number}
      </span>
    </span>
  );
}

function StepTitle({ step, isCurrent }: { step: Step; isCurrent: boolean }) {
  const { t } = useTranslation('shell');
  const style = classNames(
    'flex min-h-8 items-center text-start',
    isCurrent ? 'font-semibold text-ink-900' : 'text-ink-600',
  );
  const done = step.isDone ? <span className="sr-only"> {t('kit.done')}</span> : null;
  if (!step.onSelect || isCurrent)
    return (
      <span className={style}>
        <span>{step.title}</span>
        {done}
      </span>
    );
  return (
    <button
      type="button"
      onClick={step.onSelect}
      className={`${style} hover:text-gold-800 hover:underline hover:underline-offset-4`}
    >
      <span>{step.title}</span>
      {done}
    </button>
  );
}
