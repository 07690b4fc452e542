import { useState } from 'react';
import {
  beginActing,
  findPerson,
  sendActingCode,
  type FoundPerson,
} from '@diwan/contract/people/acting';
import { handleError, messageOf } from '../../../lib/api/handle-error.ts';
import type { SendError } from '../../../lib/api/send-error.ts';
import { useAction } from '../../../lib/api/use-call.ts';
import { codeOf } from '../sign-in/code-field.tsx';
import type { FieldMessages } from '../sign-in/field-messages.ts';

interface Values {
  name: string;
  channel: 'sms' | 'email';
  code: string;
}

const nothing: Values = { name: '', channel: 'sms', code: '' };
const fieldOf: Readonly<Record<string, string>> = {
  PersonNotFound: 'name',
  VerificationCodeWrong: 'code',
};

/**
 * Who it is, by which way the code goes, and the code: one answer after the other. What was typed
 * stays whatever the server says.
 */
export function useCounter(messages: FieldMessages, onBegun: (token: string) => Promise<unknown>) {
  const [values, setValues] = useState(nothing);
  const [person, setPerson] = useState<FoundPerson>();
  const [sentAt, setSentAt] = useState<number>();
  const find = useAction(findPerson, { skipErrorHandling: true });
  const ask = useAction(sendActingCode, { skipErrorHandling: true });
  const begin = useAction(beginActing, { skipErrorHandling: true });
  const refuse = (error: SendError) => {
    const field = fieldOf[error.name];
    // Somebody who is gone meanwhile is asked for again.
    if (error.name === 'PersonNotFound') setPerson(undefined);
    if (field) messages.show([], { [field]: [messageOf(error)] });
    else if (Object.keys(error.fieldErrors).length > 0) messages.show([], error.fieldErrors);
    else if (error.name === 'TooManyRequests' && person) {
      // The code that came a moment ago still counts.
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
      messages.forget(...Object.keys(changed));
    },
    startAgain: () => {
      setValues(nothing);
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
      if (codeOf(values.code).length !== 6)
        return messages.show([
          {
            field: 'code',
            code: values.code === '' ? 'required' : 'tooShort',
            params: { minimum: 6 },
          },
        ]);
      begin.mutate(
        { body: values },
        { onSuccess: ({ token }) => void onBegun(token), onError: refuse },
      );
    },
  };
}
