import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { joinCompany } from '@diwan/contract/people/company-users';
import { checkContacts } from '@diwan/contract/forms/contact-details';
import { passwordChangeFaults, type PasswordFault } from '@diwan/contract/people/password';
import type { ValidationIssue } from '@diwan/contract/wire/errors';
import { messageOf } from '../../lib/api/handle-error.ts';
import { storeToken } from '../../lib/api/session.ts';
import { useAction } from '../../lib/api/use-call.ts';
import { Button } from '../../ui/actions/button.tsx';
import { ErrorSummary } from '../../ui/forms/error-summary.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { PasswordField } from '../../ui/forms/password-field.tsx';
import { TextField } from '../../ui/forms/text-field.tsx';

const empty = {
  fullName: '',
  phoneNumber: '',
  username: '',
  newPassword: '',
  confirmNewPassword: '',
};
type Values = typeof empty;
type Name = keyof Values;

function judge(values: Values): {
  issues: Pick<ValidationIssue, 'field' | 'code' | 'params'>[];
  passwordFaults: PasswordFault[];
} {
  const faults = passwordChangeFaults({ ...values, oldPassword: '-' }, [
    values.username,
    ...values.fullName.split(/\s+/),
  ]);
  const username = values.username.trim().toLowerCase();
  return {
    passwordFaults: faults.newPassword,
    issues: [
      ...checkContacts({ fullName: 'name', phoneNumber: 'mobile' }, values).issues,
      ...(/^[a-z0-9][a-z0-9._-]{2,39}$/.test(username)
        ? []
        : [
            {
              field: 'username',
              code: username === '' ? ('required' as const) : ('pattern' as const),
            },
          ]),
      ...(['newPassword', 'confirmNewPassword'] as const).flatMap((field) =>
        faults[field].slice(0, 1).map((code) => ({ field, code })),
      ),
    ],
  };
}

/**
 * A new account for somebody who was invited; the link has proved the e-mail address. `children`
 * shows which rules a password meets.
 */
export function JoinForm({
  token,
  children,
  onJoined,
}: {
  token: string;
  children: (password: string, faults: readonly PasswordFault[]) => ReactNode;
  onJoined: () => void;
}) {
  const { t } = useTranslation(['companies', 'errors']);
  const [values, setValues] = useState(empty);
  const [attempt, setAttempt] = useState(0);
  const join = useAction(joinCompany, {
    skipErrorHandling: true,
    onSuccess: (reply) => {
      storeToken(reply.token);
      onJoined();
    },
  });
  const { issues, passwordFaults } = judge(values);
  const refused = join.error;
  const errorOf = (name: Name): string | undefined => {
    const issue = attempt > 0 ? issues.find(({ field }) => field === name) : undefined;
    if (issue)
      return t(
        issue.field === 'username' && issue.code === 'pattern'
          ? 'join.usernameForm'
          : `validation.${issue.code}`,
        issue.field === 'username' && issue.code === 'pattern'
          ? {}
          : { ns: 'errors', ...issue.params },
      );
    if (name === 'username' && refused?.name === 'UsernameTaken') return messageOf(refused);
    return refused?.fieldErrors[name]?.[0];
  };
  const field = (name: Name) => ({
    name,
    label: t(`join.${name}`),
    value: values[name],
    error: errorOf(name),
    onChange: (value: string) => {
      setValues({ ...values, [name]: value });
      if (refused) join.reset();
    },
  });
  const names = Object.keys(empty) as Name[];
  const shown = names.flatMap((name) => {
    const message = errorOf(name);
    return message ? [{ focusId: name, message: `${t(`join.${name}`)}: ${message}` }] : [];
  });
  const isElsewhere =
    refused && refused.name !== 'UsernameTaken' && Object.keys(refused.fieldErrors).length === 0;
  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        setAttempt(attempt + 1);
        if (issues.length === 0 && !join.isPending) join.mutate({ body: { token, ...values } });
      }}
    >
      {attempt > 0 && shown.length > 0 ? <ErrorSummary key={attempt} errors={shown} /> : null}
      {isElsewhere ? (
        <Notice tone="danger" isLive>
          {messageOf(refused)}
        </Notice>
      ) : null}
      <TextField {...field('fullName')} autoComplete="name" dir="auto" maxLength={200} />
      <TextField
        {...field('phoneNumber')}
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        dir="ltr"
        maxLength={40}
        description={t('join.phoneHint')}
      />
      <TextField
        {...field('username')}
        autoComplete="username"
        dir="ltr"
        maxLength={40}
        description={t('join.usernameForm')}
      />
      <PasswordField
        {...field('newPassword')}
        autoComplete="new-password"
        description={children(values.newPassword, passwordFaults)}
      />
      <PasswordField {...field('confirmNewPassword')} autoComplete="new-password" />
      <div>
        <Button type="submit" isPending={join.isPending}>
          {t('join.create')}
        </Button>
      </div>
    </form>
  );
}
