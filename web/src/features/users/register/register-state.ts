import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createUser, sendVerificationCode, type Channel } from '@diwan/contract/people/accounts';
import {
  checkNewAccount,
  readAddress,
  type AccountDetails,
} from '@diwan/contract/people/new-account';
import { handleError, messageOf } from '../../../lib/api/handle-error.ts';
import type { SendError } from '../../../lib/api/send-error.ts';
import { storeToken } from '../../../lib/api/session.ts';
import { useAction } from '../../../lib/api/use-call.ts';
import { codeOf } from '../sign-in/code-field.tsx';
import { useFieldMessages, type FieldMessages } from '../sign-in/field-messages.ts';

export const registerSteps = ['who', 'contact', 'signIn', 'code'] as const;
export type RegisterStep = (typeof registerSteps)[number];

export interface RegisterValues {
  kind: 'individual' | 'company';
  fullName: string;
  emiratesId: string;
  nameAr: string;
  nameEn: string;
  nameUr: string;
  licenceNumber: string;
  email: string;
  phoneNumber: string;
  channel: Channel;
  username: string;
  password: string;
  confirmPassword: string;
  code: string;
}

/** Which step asks for a field, by the name that the server knows it by. */
const stepOf: Record<string, RegisterStep> = {
  fullName: 'who',
  emiratesId: 'who',
  'company.nameAr': 'who',
  'company.nameEn': 'who',
  'company.nameUr': 'who',
  'company.licenceNumber': 'who',
  email: 'contact',
  phoneNumber: 'contact',
  username: 'signIn',
  password: 'signIn',
  confirmPassword: 'signIn',
  code: 'code',
};

/** Refusals that speak of one field. */
const fieldOf: Partial<Record<string, string>> = {
  UsernameTaken: 'username',
  CompanyLicenceInUse: 'company.licenceNumber',
  VerificationCodeWrong: 'code',
};

function detailsOf({
  kind,
  nameAr,
  nameEn,
  nameUr,
  licenceNumber,
  emiratesId,
  fullName,
  email,
  phoneNumber,
  username,
  password,
  confirmPassword,
}: RegisterValues): AccountDetails {
  const own =
    kind === 'company'
      ? { company: { nameAr, nameEn, nameUr, licenceNumber } }
      : emiratesId.trim() === ''
        ? {}
        : { emiratesId };
  return { username, password, confirmPassword, fullName, email, phoneNumber, ...own };
}

export interface RegisterState {
  step: RegisterStep;
  values: RegisterValues;
  messages: FieldMessages;
  /** Where the code went, and when; undefined before one was sent. */
  sent: { address: string; at: number } | undefined;
  isPending: boolean;
  isResending: boolean;
  /** How far somebody has come, so that steps behind can be opened. */
  open: (step: RegisterStep) => void;
  change: (values: Partial<RegisterValues>, ...fields: string[]) => void;
  goOn: () => void;
  resend: () => void;
}

const nothing: RegisterValues = {
  kind: 'individual',
  fullName: '',
  emiratesId: '',
  nameAr: '',
  nameEn: '',
  nameUr: '',
  licenceNumber: '',
  email: '',
  phoneNumber: '',
  channel: 'email',
  username: '',
  password: '',
  confirmPassword: '',
  code: '',
};

/** Everything that is typed stays, whichever step is open and whatever the server says. */
export function useRegistration(
  kind: RegisterValues['kind'],
  onRegistered: () => void,
): RegisterState {
  const [values, setValues] = useState<RegisterValues>({ ...nothing, kind });
  const [step, setStep] = useState<RegisterStep>('who');
  const [sent, setSent] = useState<RegisterState['sent']>();
  const { t } = useTranslation('accounts');
  const messages = useFieldMessages(
    {
      fullName: t('register.fullName'),
      emiratesId: t('register.emiratesId'),
      'company.nameEn': t('register.nameEn'),
      'company.nameUr': t('register.nameUr'),
      'company.licenceNumber': t('register.licenceNumber'),
      email: t('register.email'),
      phoneNumber: t('register.phoneNumber'),
      username: t('register.username'),
      password: t('register.password'),
      confirmPassword: t('register.confirmPassword'),
    },
    { 'company.nameAr required': t('register.oneName') },
  );
  const code = useAction(sendVerificationCode, { skipErrorHandling: true });
  const create = useAction(createUser, { skipErrorHandling: true });
  const address =
    readAddress(values.channel, values.channel === 'email' ? values.email : values.phoneNumber) ??
    '';

  const showRefusal = (error: SendError) => {
    const field = fieldOf[error.name];
    const said = field ? { [field]: [messageOf(error)] } : error.fieldErrors;
    const wrong = registerSteps.find((each) =>
      Object.keys(said).some((name) => stepOf[name] === each),
    );
    if (!wrong) return handleError(Object.assign(error, { skipErrorHandling: false }));
    setStep(wrong);
    messages.show([], said);
  };
  const sendCode = () => {
    code.mutate(
      { body: { channel: values.channel, address, purpose: 'register' } },
      {
        onSuccess: () => {
          setSent({ address, at: Date.now() });
          setStep('code');
          messages.show([]);
        },
        onError: showRefusal,
      },
    );
  };
  const register = () => {
    if (codeOf(values.code).length < 6)
      return messages.show([
        {
          field: 'code',
          code: values.code === '' ? 'required' : 'tooShort',
          params: { minimum: 6 },
        },
      ]);
    create.mutate(
      {
        body: {
          ...detailsOf(values),
          verification: { channel: values.channel, code: values.code },
        },
      },
      {
        onSuccess: ({ token }) => {
          storeToken(token);
          onRegistered();
        },
        onError: showRefusal,
      },
    );
  };
  return {
    step,
    values,
    messages,
    sent,
    isPending: (code.isPending && step !== 'code') || create.isPending,
    isResending: code.isPending && step === 'code',
    open: (to) => {
      messages.show([]);
      setStep(to);
    },
    change: (changed, ...fields) => {
      setValues((before) => ({ ...before, ...changed }));
      messages.forget(...(fields.length > 0 ? fields : Object.keys(changed)));
    },
    goOn: () => {
      if (code.isPending || create.isPending) return;
      if (step === 'code') return register();
      const issues = checkNewAccount(detailsOf(values)).issues.filter(
        ({ field }) => stepOf[field] === step,
      );
      if (issues.length > 0) return messages.show(issues);
      messages.show([]);
      // A code that is on its way is not sent again because the username was mended.
      if (step === 'signIn' && sent?.address !== address) sendCode();
      else setStep(registerSteps[registerSteps.indexOf(step) + 1] ?? 'code');
    },
    resend: sendCode,
  };
}
