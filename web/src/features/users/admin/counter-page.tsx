import { useState } from 'react';
import type { ApiError } from '#lib/api/api-error.ts';
import { handleError, messageOf } from '#lib/api/handle-error.ts';
import { queryClient } from '#lib/api/query-client.ts';
import { actAs } from '#lib/api/session.ts';
import { useAction } from '#lib/api/use-call.ts';
import { goTo } from '#lib/browser/navigation.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { Button } from '#ui/actions/button.tsx';
import { PageHeader } from '#ui/data/page-header.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { ErrorSummary } from '#ui/forms/error-summary.tsx';
import { RadioGroup } from '#ui/forms/radio-group.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import {
  beginActing,
  findPerson,
  sendActingCode,
  type FoundPerson,
} from '@diwan/contract/people/acting';
import { CodeField, normalizeCode } from '../fields/code-field.tsx';
import { useFieldMessages, type FieldMessages } from '../fields/field-messages.ts';

interface Values {
  name: string;
  channel: 'sms' | 'email';
  code: string;
}

const emptyValues: Values = { name: '', channel: 'sms', code: '' };
const fieldOf: Readonly<Record<string, string>> = {
  PersonNotFound: 'name',
  VerificationCodeWrong: 'code',
};

/**
 * Three steps: find the person, select the channel of the code, enter the code. The input is
 * preserved after errors.
 */
function useCounter(messages: FieldMessages, onStarted: (token: string) => Promise<unknown>) {
  const [values, setValues] = useState(emptyValues);
  const [person, setPerson] = useState<FoundPerson>();
  const [sentAt, setSentAt] = useState<number>();
  const find = useAction(findPerson, { skipErrorHandling: true });
  const ask = useAction(sendActingCode, { skipErrorHandling: true });
  const begin = useAction(beginActing, { skipErrorHandling: true });
  const refuse = (error: ApiError) => {
    const field = fieldOf[error.name];
    // A person who no longer exists must be searched for again.
    if (error.name === 'PersonNotFound') setPerson(undefined);
    if (field) messages.show([], { [field]: [messageOf(error)] });
    else if (Object.keys(error.fieldErrors).length > 0) messages.show([], error.fieldErrors);
    else if (error.name === 'TooManyRequests' && person) {
      // The code that was sent before is still valid.
      setSentAt(Date.now());
      handleError(Object.assign(error, { skipErrorHandling: false }));
    } else handleError(Object.assign(error, { skipErrorHandling: false }));
  };
  const { name, channel } = values;
  const send = () =>
    ask.mutate(
      { body: { name, channel } },
      {
        onSuccess: () => {
          setSentAt(Date.now());
          messages.show([]);
        },
        onError: refuse,
      },
    );
  const isBusy = find.isPending || begin.isPending || (ask.isPending && sentAt === undefined);
  return {
    values,
    person,
    sentAt,
    isBusy,
    isSending: ask.isPending,
    send,
    set: (changed: Partial<Values>) => {
      setValues((before) => ({ ...before, ...changed }));
      messages.clear(...Object.keys(changed));
    },
    reset: () => {
      setValues(emptyValues);
      setPerson(undefined);
      setSentAt(undefined);
      messages.show([]);
    },
    submit: () => {
      if (isBusy) return;
      if (person === undefined) {
        if (name.trim() === '') return messages.show([{ field: 'name', code: 'required' }]);
        return find.mutate(
          { body: { name } },
          {
            onSuccess: (found) => {
              setPerson(found);
              setValues((before) => ({ ...before, channel: found.ways[0]?.channel ?? 'sms' }));
              messages.show([]);
            },
            onError: refuse,
          },
        );
      }
      if (sentAt === undefined) return send();
      if (normalizeCode(values.code).length !== 6)
        return messages.show([
          {
            field: 'code',
            code: values.code === '' ? 'required' : 'tooShort',
            params: { minimum: 6 },
          },
        ]);
      begin.mutate(
        { body: values },
        { onSuccess: ({ token }) => void onStarted(token), onError: refuse },
      );
    },
  };
}

/**
 * At a service counter, an employee finds a person and acts for them with the person's own code.
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
    // Cached data of the employee must not be shown to the person, or the other way round.
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
            <Alert
              tone="info"
              title={t('counter.found', { name: `\u2068${person.fullName}\u2069` })}
            >
              {t('counter.askName')}
            </Alert>
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
            <Button variant="secondary" isDisabled={counter.isBusy} onPress={counter.reset}>
              {t('counter.other')}
            </Button>
          )}
        </div>
        <p className="text-sm text-ink-600">{t('counter.reach')}</p>
      </form>
    </div>
  );
}
