import { useState } from 'react';
import type { ApiError } from '#lib/api/api-error.ts';
import { handleError, messageOf } from '#lib/api/handle-error.ts';
import { storeToken } from '#lib/api/session.ts';
import { useAction } from '#lib/api/use-call.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { createUser, sendVerificationCode } from '@diwan/contract/people/accounts';
import {
  checkNewAccount,
  findContactAddress,
  type AccountDetails,
} from '@diwan/contract/people/new-account';
import type { Channel } from '@diwan/contract/wire/channels';
import { normalizeCode } from '../fields/code-field.tsx';
import { useFieldMessages, type FieldMessages } from '../fields/field-messages.ts';

export const registerSteps = ['who', 'contact', 'signIn', 'code'] as const;
export type RegisterStep = (typeof registerSteps)[number];

interface RegisterValues {
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

/** The step of each field, by its name in the request. */
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

/** Refusals that concern one field. */
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
  /** The destination and time of the last code; undefined before the first. */
  sent: { address: string; at: number } | undefined;
  isPending: boolean;
  isResending: boolean;
  /** Opens an earlier step. */
  open: (step: RegisterStep) => void;
  change: (values: Partial<RegisterValues>, ...fields: string[]) => void;
  goOn: () => void;
  resend: () => void;
}

const emptyValues: RegisterValues = {
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

/** The state of the registration. The input is preserved in all steps and after errors. */
export function useRegistration(
  kind: RegisterValues['kind'],
  onRegistered: () => void,
): RegisterState {
  const [values, setValues] = useState<RegisterValues>({ ...emptyValues, kind });
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
      code: t('code.label'),
    },
    { 'company.nameAr required': t('register.oneName') },
  );
  const code = useAction(sendVerificationCode, { skipErrorHandling: true });
  const create = useAction(createUser, { skipErrorHandling: true });
  const address =
    findContactAddress(
      values.channel,
      values.channel === 'email' ? values.email : values.phoneNumber,
    ) ?? '';

  const showRefusal = (error: ApiError) => {
    const field = fieldOf[error.name];
    const messagesByField = field ? { [field]: [messageOf(error)] } : error.fieldErrors;
    const wrong = registerSteps.find((each) =>
      Object.keys(messagesByField).some((name) => stepOf[name] === each),
    );
    if (!wrong) return handleError(Object.assign(error, { skipErrorHandling: false }));
    setStep(wrong);
    messages.show([], messagesByField);
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
    if (normalizeCode(values.code).length < 6)
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
      messages.clear(...(fields.length > 0 ? fields : Object.keys(changed)));
    },
    goOn: () => {
      if (code.isPending || create.isPending) return;
      if (step === 'code') return register();
      const issues = checkNewAccount(detailsOf(values)).issues.filter(
        ({ field }) => stepOf[field] === step,
      );
      if (issues.length > 0) return messages.show(issues);
      messages.show([]);
      // A code that was sent to the same address is not sent again after a correction.
      if (step === 'signIn' && sent?.address !== address) sendCode();
      else setStep(registerSteps[registerSteps.indexOf(step) + 1] ?? 'code');
    },
    resend: sendCode,
  };
}
