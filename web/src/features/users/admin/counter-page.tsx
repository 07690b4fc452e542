import { useTranslation } from 'react-i18next';
import { goTo } from '../../../lib/browser/navigation.ts';
import { usePageTitle } from '../../../lib/page/page-title.ts';
import { queryClient } from '../../../lib/api/query-client.ts';
import { actAs } from '../../../lib/api/session.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { ErrorSummary } from '../../../ui/forms/error-summary.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { PageHeader } from '../../../ui/data/page-header.tsx';
import { RadioGroup } from '../../../ui/forms/radio-group.tsx';
import { TextField } from '../../../ui/forms/text-field.tsx';
import { CodeField } from '../sign-in/code-field.tsx';
import { useCounter } from './counter-state.ts';
import { useFieldMessages } from '../sign-in/field-messages.ts';

/**
 * An employee finds the person in front of them and, with the person's own code, goes on in their
 * name.
 */
export function CounterPage() {
  const { t } = useTranslation(['acting', 'shell', 'accounts']);
  usePageTitle(t('counter.title'));
  const messages = useFieldMessages({
    name: t('counter.name'),
    channel: t('counter.way'),
    code: t('accounts:code.label'),
  });
  const counter = useCounter(messages, async (token) => {
    // What the employee saw is not the person's, and the other way round.
    queryClient.clear();
    actAs(token);
    await goTo('/services');
  });
  const { values, person, sentAt, set } = counter;
  return (
    <div className="page pb-16">
      <PageHeader
        title={t('counter.title')}
        lead={t('counter.lead')}
        crumbs={[
          { label: t('shell:navigation.newRequests'), to: '/requests/new' },
          { label: t('counter.title') },
        ]}
      />
      <form
        noValidate
        className="flex max-w-form flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          counter.submit();
        }}
      >
        <ErrorSummary key={messages.attempt} errors={messages.summary} />
        {person === undefined ? (
          <TextField
            name="name"
            focusIds={['PersonNotFound']}
            label={t('counter.name')}
            description={t('counter.nameHint')}
            autoComplete="off"
            dir="ltr"
            maxLength={300}
            value={values.name}
            onChange={(name) => set({ name })}
            error={messages.of('name')}
          />
        ) : (
          <div role="status">
            <Notice
              tone="info"
              title={t('counter.found', { name: `\u2068${person.fullName}\u2069` })}
            >
              {t('counter.askName')}
            </Notice>
          </div>
        )}
        {person !== undefined && sentAt === undefined ? (
          <RadioGroup
            name="channel"
            label={t('counter.way')}
            value={values.channel}
            onChange={(channel) => set({ channel: channel === 'email' ? 'email' : 'sms' })}
            error={messages.of('channel')}
            choices={person.ways.map(({ channel, hint }) => ({
              value: channel,
              label: t(`counter.ways.${channel}`),
              hint: <bdi dir="ltr">{hint}</bdi>,
            }))}
          />
        ) : null}
        {sentAt === undefined ? null : (
          <>
            <p>{t('counter.sent')}</p>
            <CodeField
              value={values.code}
              onChange={(code) => set({ code })}
              error={messages.of('code')}
              sentAt={sentAt}
              onResend={counter.send}
              isResending={counter.isSending}
            />
          </>
        )}
        <div className="flex flex-wrap gap-3">
          <Button type="submit" isPending={counter.isBusy} pendingLabel={t('counter.pending')}>
            {t(
              person === undefined
                ? 'counter.find'
                : sentAt === undefined
                  ? 'counter.send'
                  : 'counter.begin',
            )}
          </Button>
          {person === undefined ? null : (
            <Button variant="secondary" isDisabled={counter.isBusy} onPress={counter.startAgain}>
              {t('counter.other')}
            </Button>
          )}
        </div>
        <p className="text-sm text-ink-600">{t('counter.reach')}</p>
      </form>
    </div>
  );
}
