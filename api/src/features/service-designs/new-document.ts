import { createTranslator } from '#platform/core/locale-texts.ts';
import { usualObjectionDays, usualWithdrawalRule } from '@diwan/contract/catalogue/fees';
import type { serviceTemplates } from '@diwan/contract/catalogue/service-designs';
import type { DraftDocument } from '@diwan/contract/catalogue/service-document';
import type { AttachmentRule, FormField } from '@diwan/contract/forms/forms';
import { languages, type LocalizedText } from '@diwan/contract/wire/languages';

const t = createTranslator('designs');

type Template = (typeof serviceTemplates)[number];

function textOf(key: string): LocalizedText {
  return Object.fromEntries(
    languages.map((language) => [language, t(`templates.${key}`, language)]),
  ) as LocalizedText;
}

const noText = (): LocalizedText => ({ 'ar-EG': '', 'en-US': '', 'ur-PK': '' });

const fieldOf = (
  name: string,
  kind: FormField['kind'],
  more: Partial<FormField> = {},
): FormField => ({ name, kind, title: textOf(`fields.${name}`), required: true, ...more });

const applicantStep = () => ({
  name: 'applicant',
  title: textOf('steps.applicant'),
  fields: [
    fieldOf('applicantName', 'text', { prefill: 'applicantName', maxLength: 120 }),
    fieldOf('applicantMobile', 'mobile', { prefill: 'mobile' }),
    fieldOf('applicantEmail', 'email', { prefill: 'email', required: false }),
  ],
});

const documentOf = (name: string): AttachmentRule => ({
  name,
  title: textOf(`documents.${name}`),
  required: true,
  mediaTypes: ['application/pdf', 'image/jpeg', 'image/png'],
  maximumBytes: 5_242_880,
  maximumCount: 1,
});

function blankDocument(): DraftDocument {
  return {
    replacedName: '',
    name: noText(),
    description: noText(),
    agencyId: null,
    categoryId: null,
    accountTypeIds: [],
    form: { steps: [applicantStep()] },
    attachments: [],
    eligibility: [],
    fees: [],
    terms: textOf('terms'),
    steps: ['send', 'review', 'result'].map((line) => textOf(`lines.${line}`)),
    result: noText(),
    issuesDocument: false,
    withdrawal: usualWithdrawalRule,
    objectionDays: usualObjectionDays,
    workingDays: 3,
    workflowId: null,
    availableFrom: null,
    availableUntil: null,
  };
}

function certificateDocument(): DraftDocument {
  return {
    ...blankDocument(),
    form: {
      steps: [
        applicantStep(),
        {
          name: 'certificate',
          title: textOf('steps.certificate'),
          fields: [
            fieldOf('purpose', 'longText', { maxLength: 500 }),
            fieldOf('copies', 'number', { minimum: 1, maximum: 20 }),
            fieldOf('isDelivered', 'yesNo'),
            fieldOf('deliveryAddress', 'address', {
              prefill: 'address',
              showWhen: { field: 'isDelivered', equals: true },
            }),
          ],
        },
      ],
    },
    attachments: [documentOf('identityCard')],
    fees: [
      { name: 'copy', title: textOf('fees.copy'), amount: 5000, vatRate: 0, per: 'copies' },
      {
        name: 'delivery',
        title: textOf('fees.delivery'),
        amount: 2000,
        vatRate: 500,
        when: { field: 'isDelivered', equals: true },
      },
    ],
    result: textOf('results.certificate'),
    issuesDocument: true,
  };
}

function permitDocument(): DraftDocument {
  return {
    ...blankDocument(),
    form: {
      steps: [
        applicantStep(),
        {
          name: 'activity',
          title: textOf('steps.activity'),
          fields: [
            fieldOf('activityDescription', 'longText', { maxLength: 1000 }),
            fieldOf('activityPlace', 'address'),
            fieldOf('startsOn', 'date', { formatMinimum: 'today' }),
            fieldOf('participants', 'group', {
              itemTitle: textOf('fields.participant'),
              required: false,
              maxItems: 20,
              fields: [
                fieldOf('participantName', 'text', { maxLength: 120 }),
                fieldOf('participantNationality', 'nationality'),
              ] as NonNullable<FormField['fields']>,
            }),
          ],
        },
      ],
    },
    attachments: [documentOf('identityCard'), documentOf('sitePlan')],
    fees: [{ name: 'permit', title: textOf('fees.permit'), amount: 50_000, vatRate: 0 }],
    result: textOf('results.permit'),
    issuesDocument: true,
    workingDays: 10,
  };
}

function renewalDocument(): DraftDocument {
  return {
    ...blankDocument(),
    form: {
      steps: [
        applicantStep(),
        {
          name: 'renewal',
          title: textOf('steps.renewal'),
          fields: [
            fieldOf('documentNumber', 'text', { maxLength: 40 }),
            fieldOf('expiresOn', 'date'),
            fieldOf('isChanged', 'yesNo'),
            fieldOf('changes', 'longText', {
              maxLength: 1000,
              showWhen: { field: 'isChanged', equals: true },
            }),
          ],
        },
      ],
    },
    attachments: [documentOf('identityCard'), documentOf('formerDocument')],
    fees: [{ name: 'renewal', title: textOf('fees.renewal'), amount: 20_000, vatRate: 0 }],
    result: textOf('results.renewal'),
    issuesDocument: true,
  };
}

function objectionDocument(): DraftDocument {
  return {
    ...blankDocument(),
    form: {
      steps: [
        applicantStep(),
        {
          name: 'objection',
          title: textOf('steps.objection'),
          fields: [
            fieldOf('decisionNumber', 'text', { maxLength: 40 }),
            fieldOf('decidedOn', 'date', { formatMaximum: 'today' }),
            fieldOf('grounds', 'longText', { maxLength: 4000 }),
          ],
        },
      ],
    },
    attachments: [{ ...documentOf('evidence'), required: false, maximumCount: 5 }],
    result: textOf('results.objection'),
    workingDays: 15,
  };
}

const templates: Record<Template, () => DraftDocument> = {
  blank: blankDocument,
  certificate: certificateDocument,
  permit: permitDocument,
  renewal: renewalDocument,
  objection: objectionDocument,
};

/** The document of a new service from a template, with texts of ours that an admin replaces. */
export const makeFromTemplate = (template: Template): DraftDocument => templates[template]();

/** A copy of a service for a new one: it has no name in addresses yet. */
export function makeCopy(document: DraftDocument): DraftDocument {
  const name = Object.fromEntries(
    languages.map((language) => [
      language,
      t('copyOf', language, { name: document.name[language] }),
    ]),
  ) as LocalizedText;
  return { ...document, name, replacedName: '', availableFrom: null, availableUntil: null };
}
