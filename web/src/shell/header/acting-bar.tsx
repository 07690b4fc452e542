import { HandHelping } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { nameOf, type Session } from '#lib/api/session.ts';
import { useAction } from '#lib/api/use-call.ts';
import { resumeOwnSession } from '#lib/auth/sign-out.ts';
import { goTo } from '#lib/browser/navigation.ts';
import { serverNow } from '#lib/browser/server-time.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { endActing } from '@diwan/contract/people/acting';

/** Names the applicant for whom an employee acts, until when, and ends it. */
export function ActingBar({ session }: { session: Session }) {
  const { t } = useTranslation('acting');
  const { time } = useFormat();
  const { actUntil = 0 } = session;
  const name = nameOf(session, useLanguage().direction);
  const leave = async (reason: 'ended' | 'over') => {
    if (!resumeOwnSession()) return;
    await goTo('/requests/counter');
    showToast(t(reason, { name: `\u2068${name}\u2069` }), 'success');
  };
  const end = useAction(endActing, { skipErrorHandling: true });
  const over = useRef(() => void leave('over'));
  useEffect(() => {
    const timer = window.setTimeout(
      () => over.current(),
      Math.max(0, actUntil * 1000 - serverNow()),
    );
    return () => window.clearTimeout(timer);
  }, [actUntil]);
  return (
    <section
      aria-label={t('bar.label')}
      data-no-print
      className="sticky top-0 z-30 border-b border-amber-300 bg-amber-100 text-amber-900"
    >
      <div className="page flex flex-wrap items-center gap-x-4 gap-y-2 py-2">
        <HandHelping aria-hidden size={22} className="shrink-0 max-md:hidden" />
        <p className="min-w-0 grow basis-48 font-medium">
          {t('bar.text', {
            name: `\u2068${name}\u2069`,
            time: time(new Date(actUntil * 1000).toISOString()),
          })}
        </p>
        {/* Acting ends in this browser whatever the server answers. */}
        <Button
          variant="secondary"
          size="sm"
          isPending={end.isPending}
          pendingLabel={t('bar.ending')}
          onPress={() => end.mutate({ body: {} }, { onSettled: () => void leave('ended') })}
        >
          {t('bar.end')}
        </Button>
      </div>
    </section>
  );
}
