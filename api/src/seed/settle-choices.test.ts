import { expect, it } from 'vitest';
import { formOfService, readSeedFiles } from './seed-files.ts';
import { settleChoices } from './settle-choices.ts';

const files = await readSeedFiles();
const formOf = (name: string) =>
  formOfService(
    files.services.find(({ service }) => service.replacedName === name)!.service,
    files.forms,
  );
const namesOf = ({
  form,
}: {
  form: (typeof files.services)[0] | ReturnType<typeof formOf>['form'];
}) => ('steps' in form ? form.steps.flatMap((step) => step.fields.map(({ name }) => name)) : []);

it('asks nothing that the name of the service answers, and asks what follows from it', () => {
  const renewal = formOf('renew-establishment-card');
  expect(namesOf(renewal)).not.toContain('requestKind');
  const number = renewal.form.steps
    .flatMap((step) => step.fields)
    .find(({ name }) => name === 'currentCardNumber');
  expect(number).toMatchObject({ required: true });
  expect(number).not.toHaveProperty('showWhen');
  const isRequired = ({ attachments }: typeof renewal, document: string) =>
    attachments.find(({ name }) => name === document)?.required;
  expect(isRequired(renewal, 'currentCard')).toBe(true);
  expect(isRequired(renewal, 'powerOfAttorney')).toBe(false);
  const first = formOf('issue-establishment-card');
  expect(namesOf(first)).not.toContain('currentCardNumber');
  expect(namesOf(first)).not.toContain('dueFines');
  expect(first.attachments.map(({ name }) => name)).not.toContain('currentCard');
  expect(first.fees.map(({ name }) => name)).not.toEqual(renewal.fees.map(({ name }) => name));
});

it('offers only what fits where several choices do', () => {
  const visa = formOf('visit-visa-for-relative-or-friend');
  const kind = visa.form.steps
    .flatMap((step) => step.fields)
    .find(({ name }) => name === 'visaType');
  expect(kind?.oneOf?.map((each) => each.const)).toEqual(['visit-single', 'visit-multiple']);
  expect(namesOf(visa)).not.toContain('bankBalance');
  expect(namesOf(visa)).toContain('hostIncome');
  // Both kinds have a host, so nothing depends on the choice any more.
  const host = visa.form.steps
    .flatMap((step) => step.fields)
    .find(({ name }) => name === 'hostRelation');
  expect(host).not.toHaveProperty('showWhen');
  expect(namesOf(formOf('single-entry-tourist-visa'))).not.toContain('hostIncome');
});

it('leaves no condition that names a field which is not asked', () => {
  for (const { service } of files.services.filter((each) => each.service.choices)) {
    const file = formOfService(service, files.forms);
    const asked = namesOf(file);
    const named = [...JSON.stringify(file.form).matchAll(/"field":"(\w+)"/g)].map(
      ([, name]) => name,
    );
    const inGroups = file.form.steps.flatMap((step) =>
      step.fields.flatMap(({ fields = [] }) => fields.map(({ name }) => name)),
    );
    expect(named.filter((name) => ![...asked, ...inGroups].includes(name ?? ''))).toEqual([]);
  }
});

it('refuses a field and a choice that the form does not have', () => {
  const card = files.forms.get('establishment-card')!;
  expect(() => settleChoices(card, { requestKind: ['gift'] })).toThrow(
    'the form establishment-card offers no gift in requestKind',
  );
  expect(() => settleChoices(card, { nothing: ['renew'] })).toThrow('offers no renew in nothing');
});
