import { useState, type ReactNode } from 'react';
import { joinCompany } from '@diwan/contract/people/companies';
import { checkContacts } from '@diwan/contract/forms/contact-details';
import { findPasswordChangeErrors, type PasswordError } from '@diwan/contract/people/password';
import type { ValidationIssue } from '@diwan/contract/wire/errors';
import { useTranslation } from '../../lib/i18n/translate.ts';
import { messageOf } from '../../lib/api/handle-error.ts';
import { storeToken } from '../../lib/api/session.ts';
import { useAction } from '../../lib/api/use-call.ts';
import { Button } from '../../ui/actions/button.tsx';
import { ErrorSummary } from '../../ui/forms/error-summary.tsx';
import { ErrorAlert } from '../../ui/feedback/alert.tsx';
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

function validate(values: Values): {
  issues: Pick<ValidationIssue, 'field' | 'code' | 'params'>[];
  passwordProblems: PasswordError[];
} {
  const problems = findPasswordChangeErrors({ ...values, oldPassword: '-' }, [
    values.username,
    ...values.fullName.split(/\s+/),
  ]);
  const username = values.username.trim().toLowerCase();
  return {
    passwordProblems: problems.newPassword,
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
        problems[field].slice(0, 1).map((code) => ({ field, code })),
      ),
    ],
  };
}

/**
 * Creates an account for an invited person; the link has verified the e-mail address. `children`
 * shows which rules the password meets.
 */
export function JoinForm({
  token,
  children,
  onJoined,
}: {
  token: string;
  children: (password: string, problems: readonly PasswordError[]) => ReactNode;
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
  const { issues, passwordProblems } = validate(values);
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
      <ErrorAlert error={isElsewhere ? refused : null} />
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
        description={children(values.newPassword, passwordProblems)}
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
