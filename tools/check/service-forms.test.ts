import { expect, it } from 'vitest';
import { readSeedFiles } from '../../api/src/seed/seed-files.ts';
import { findFormFaults, findSeedFaults, readingAgeOf, writeTable } from './service-forms.ts';

const files = await readSeedFiles();
const table = writeTable(files);
const file = files.forms.get('vehicle-registration-renewal')!;
const withSteps = (change: (fields: (typeof file.form.steps)[0]['fields']) => unknown[]) =>
  ({
    ...file,
    form: { steps: file.form.steps.map((step) => ({ ...step, fields: change(step.fields) })) },
  }) as typeof file;

it('finds a form without questions of its own, and a document that no step asks for', () => {
  expect(findFormFaults(file)).toEqual([]);
  const general = withSteps((fields) =>
    fields.filter(({ name, kind }) => name.startsWith('applicant') || kind === 'file'),
  );
  expect(findFormFaults({ ...general, fees: [] })).toContain(
    'asks 0 questions of its own that are no free text, 2 at least',
  );
  // Texts in which any words can stand are no questions of their own.
  const wordy = withSteps((fields) =>
    fields.map((field) =>
      field.kind === 'file' || field.kind === 'fines'
        ? field
        : { name: field.name, kind: 'text', title: field.title, required: true },
    ),
  );
  expect(findFormFaults({ ...wordy, fees: [] })).toContain(
    'asks 0 questions of its own that are no free text, 2 at least',
  );
  const loose = withSteps((fields) =>
    fields.filter(({ attachment }) => attachment !== 'inspectionReport'),
  );
  expect(findFormFaults(loose)).toEqual([
    'asks for inspectionReport nowhere: it is not required and no step has its place',
  ]);
});

it('finds a document whose place is never shown, and a place without a document', () => {
  const never = withSteps((fields) =>
    fields.map((field) =>
      field.attachment === 'inspectionReport'
        ? {
            ...field,
            showWhen: {
              all: [
                { field: 'vehicleOverThreeYears', equals: true },
                { field: 'vehicleOverThreeYears', equals: false },
              ],
            },
          }
        : field,
    ),
  );
  expect(findFormFaults(never)).toEqual([
    expect.stringMatching(/^field inspectionReportPlace .*never/),
  ]);
  const attachments = file.attachments.filter(({ name }) => name !== 'inspectionReport');
  expect(findFormFaults({ ...file, attachments })).toEqual([
    expect.stringContaining('is the place of the document inspectionReport'),
  ]);
});

it('finds a fee that nobody can owe, of a form and of a service', () => {
  const never = {
    all: [
      { field: 'vehicleOverThreeYears', equals: true },
      { field: 'vehicleOverThreeYears', equals: false },
    ],
  };
  const fees = [{ ...file.fees[0]!, when: never }];
  const faults = [expect.stringMatching(/^fee applicationFee: feeUnreachable/)];
  expect(findFormFaults({ ...file, fees })).toEqual(faults);
  const own = files.services.map((each) =>
    each.service.replacedName === 'renew-vehicle-ownership'
      ? { ...each, service: { ...each.service, fees } }
      : each,
  );
  const changed = { ...files, services: own };
  expect(findSeedFaults(changed, writeTable(changed))).toEqual([
    expect.stringContaining('service renew-vehicle-ownership fee applicationFee: feeUnreachable'),
  ]);
});

it('finds a text of a service that lacks a language or is hard to read', () => {
  const faultsWith = (own: object) => {
    const [first, ...others] = files.services;
    const service = { ...first!.service, ...own };
    const changed = { ...files, services: [{ ...first!, service }, ...others] };
    return findSeedFaults(changed, writeTable(changed));
  };
  const { name } = files.services[0]!.service;
  const untranslated = [expect.stringMatching(/^service .* is not in three languages/)];
  expect(faultsWith({ name: { ...name, 'ur-PK': name['en-US'] } })).toEqual(untranslated);
  expect(faultsWith({ terms: { ...file.terms, 'ar-EG': file.terms['ur-PK'] } })).toEqual(
    untranslated,
  );
  const hard = 'Notwithstanding administrative considerations applicants acknowledge. '.repeat(40);
  expect(faultsWith({ terms: { ...file.terms, 'en-US': hard } })).toEqual([
    expect.stringMatching(/^service .* has English for the age of/),
  ]);
});

it('finds English that is hard to read', () => {
  expect(readingAgeOf(['You pay the fee. We send the card to your home.'])).toBeLessThan(9);
  const official =
    'Notwithstanding the aforementioned stipulations, applicants acknowledge that documentation ' +
    'insufficiencies necessitate administrative reconsideration by the competent authority.';
  expect(readingAgeOf([official])).toBeGreaterThan(20);
  const hard = { ...file, terms: { ...file.terms, 'en-US': official.repeat(6) } };
  expect(findFormFaults(hard)).toEqual([expect.stringContaining('has English for the age of')]);
});

it('finds a question and a document of special data without their mark', () => {
  const card = files.forms.get('people-of-determination-card')!;
  const without = <Part extends object>(part: Part) => ({ ...part, special: undefined });
  const unmarked = {
    ...card,
    attachments: card.attachments.map(without),
    form: {
      steps: card.form.steps.map((step) => ({ ...step, fields: step.fields.map(without) })),
    },
  } as typeof card;
  expect(findFormFaults(unmarked)).toEqual([
    'asks for special data in disabilityKinds without `special`',
    'asks for special data in medicalReport without `special`',
  ]);
});

it('finds a fine and a fee for lateness that no register names, in forms and in services', () => {
  const title = (english: string) => ({ ...file.fees[0]!.title, 'en-US': english });
  const fineOf = (english: string) => ({ ...file.fees[0]!, name: 'late', title: title(english) });
  for (const english of ['Fine for each month late', 'Late renewal', 'Overstay, each day']) {
    const fees = [fineOf(english)];
    const faults = [expect.stringContaining('charges late without a register')];
    expect(findFormFaults({ ...file, fees })).toEqual(faults);
    expect(
      findFormFaults({ ...file, fees: [{ ...fees[0]!, amount: 0, finesOf: 'dueFines' }] }),
    ).toEqual([]);
  }
  const [first, ...others] = files.services;
  const service = { ...first!.service, fees: [fineOf('Late renewal')] };
  const changed = { ...files, services: [{ ...first!, service }, ...others] };
  expect(findSeedFaults(changed, writeTable(changed))).toEqual([
    expect.stringMatching(/^service .* charges late without a register/),
  ]);
});

it('finds a year asked for as an amount, a country as free text, and none beside choices', () => {
  const title = { 'ar-EG': 'عنوان السؤال', 'en-US': 'Question', 'ur-PK': 'سوال کا عنوان' };
  const year = {
    name: 'year',
    kind: 'number',
    title,
    required: true,
    minimum: 1950,
    maximum: 2030,
  };
  const oneOf = ['food', 'none'].map((value) => ({ const: value, title }));
  const kinds = { name: 'kinds', kind: 'choices', title, required: true, oneOf };
  const group = { name: 'group', kind: 'group', title, required: true, fields: [year] };
  for (const asked of [year, group])
    expect(findFormFaults(withSteps((fields) => [...fields, asked]))).toContainEqual(
      expect.stringContaining('asks for the year year as an amount'),
    );
  const asked = { ...title, 'en-US': 'Country of issue' };
  const country = { name: 'issuedIn', kind: 'text', title: asked, required: true };
  expect(findFormFaults(withSteps((fields) => [...fields, country]))).toContain(
    'asks for the country issuedIn as free text: use the kind nationality',
  );
  expect(findFormFaults(withSteps((fields) => [...fields, kinds]))).toContainEqual(
    expect.stringContaining('offers none in kinds'),
  );
});

it('finds a text that lacks a language, and a number that would be read from its end', () => {
  const faultsWith = (terms: Partial<typeof file.terms>) =>
    findFormFaults({ ...file, terms: { ...file.terms, ...terms } });
  const untranslated = [expect.stringContaining('is not in three languages')];
  expect(faultsWith({ 'ar-EG': file.terms['ur-PK'] })).toEqual(untranslated);
  expect(faultsWith({ 'ur-PK': file.terms['en-US'] })).toEqual(untranslated);
  expect(faultsWith({ 'en-US': `${file.terms['en-US']} نعم.` })).toEqual(untranslated);
  expect(faultsWith({ 'ar-EG': 'رقم المادة مثل 67-64-1' })).toEqual([
    expect.stringContaining('is read from its end'),
  ]);
  expect(faultsWith({ 'ar-EG': 'رقم المادة مثل \u206667-64-1\u2069' })).toEqual([]);
});

it('finds a form that no service uses and a table that is not current', () => {
  expect(findSeedFaults(files, table)).toEqual([]);
  const [first, ...others] = files.services;
  const changed = { ...first!, service: { ...first!.service, form: 'labour-complaint' } };
  const without = others.filter(({ service }) => service.form !== 'police-clearance-certificate');
  const faults = findSeedFaults({ ...files, services: [changed, ...without] }, table).join(' / ');
  expect(faults).toContain('police-clearance-certificate is used by no service');
  expect(faults).toContain('docs/service-forms-table.md is not current');
});

it('finds a text in Arabic or English that takes other letters, and a unit that is said twice', () => {
  const inquiry = files.forms.get('trade-name-inquiry')!;
  const change = (parts: object) =>
    ({
      ...inquiry,
      form: {
        steps: inquiry.form.steps.map((step) => ({
          ...step,
          fields: step.fields.map((field) =>
            field.name === 'nameArabic' ? { ...field, ...parts } : field,
          ),
        })),
      },
    }) as typeof inquiry;
  const fault = [expect.stringContaining('asks for nameArabic in Arabic and takes something else')];
  expect(findFormFaults(inquiry)).toEqual([]);
  // Anything; everything but English letters; also words in English.
  for (const pattern of ['^.+$', '^[^A-Za-z]+$', '^[\\p{L}]+$'])
    expect(findFormFaults(change({ pattern }))).toEqual(fault);
  const { title } = files.forms.get('golden-residence-investor')!.form.steps[0]!.fields[0]!;
  const inDirhams = { ...title, 'en-US': 'Value in dirhams' };
  expect(findFormFaults(change({ kind: 'money', title: inDirhams }))).toContain(
    'says in nameArabic that the amount is in dirhams, which the field shows',
  );
});

it('finds steps and agents that the form does not provide for', () => {
  const step = file.steps[0]!;
  const inquiry = files.forms.get('trade-name-inquiry')!;
  expect(findFormFaults({ ...inquiry, steps: [step] })).toEqual([
    expect.stringMatching(/^speaks of documents, and asks for none: You send/),
    expect.stringMatching(/^speaks of a payment, and has no fee: You send/),
  ]);
  const stopped = { ...step, 'ur-PK': `${step['ur-PK']}\u06D4` };
  expect(findFormFaults({ ...file, steps: [stopped] })).toEqual([
    expect.stringContaining('has a step that ends with a full stop'),
  ]);
  const employer = files.forms.get('employment-contract')!;
  const attachments = employer.attachments.filter(({ name }) => name !== 'powerOfAttorney');
  expect(findFormFaults({ ...employer, attachments })).toContain(
    'lets an agent apply, and asks for no power of attorney: use the part powerOfAttorneyPlace',
  );
});

it('finds fees that have one title', () => {
  const [fee] = file.fees;
  const fees = [...file.fees, { ...fee!, name: 'again' }];
  expect(findFormFaults({ ...file, fees })).toEqual([
    expect.stringContaining('has the fee again with the title of another'),
  ]);
});
