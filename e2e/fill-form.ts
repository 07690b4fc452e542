import { expect, type Locator, type Page } from '@playwright/test';
import type { Service } from '@diwan/contract/catalogue/services';
import {
  isFieldRequired,
  isFieldShown,
  isStepShown,
  listRequiredDocuments,
} from '@diwan/contract/forms/check-answers';
import type { Answers, AttachmentRule, FormField } from '@diwan/contract/forms/forms';
import { specialKindsOf } from '@diwan/contract/forms/special-data';
import type { Language } from '@diwan/contract/wire/languages';
import { makeAnswer, smallPdf, smallPng } from '../api/src/testing/requests/demo-request.ts';
import { textsOf } from './steps.ts';

/** The service of an address, as the API returns it. */
export async function readService(
  page: Page,
  replacedName: string,
  language: Language,
): Promise<Service> {
  const { serviceId } = (await (
    await page.request.get(`/api/Service/GetServiceIdByServiceName?serviceName=${replacedName}`)
  ).json()) as { serviceId: number };
  return (await (
    await page.request.get(`/api/Service/GetService?serviceId=${serviceId}&ln=${language}`)
  ).json()) as Service;
}

/** Whether the form filled a field from the profile or from an earlier request. */
const isPrefilled = (control: Locator) =>
  control.evaluate(
    (element) =>
      (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) &&
      !['radio', 'checkbox', 'file'].includes(element.type) &&
      element.value !== '',
  );

/**
 * Types answers to every shown field of a step, as a user does. `keepsPrefilled`: only to those that
 * the form left empty.
 */
export async function fillStep(
  page: Page,
  service: Service,
  stepIndex: number,
  {
    answers,
    language,
    keepsPrefilled = false,
  }: { answers: Answers; language: Language; keepsPrefilled?: boolean },
): Promise<void> {
  for (const field of service.form.steps[stepIndex]?.fields ?? []) {
    if (!isFieldShown(service.form, field, answers)) continue;
    const rule = service.attachments.find((each) => each.name === field.attachment);
    await consentTo(page, service, field, language);
    if (rule && (rule.required || isFieldRequired(service.form, field, answers)))
      await uploadDocument(page, rule);
    // What is due is found without an answer.
    if (field.kind === 'file' || field.payAll === true) continue;
    const answer = makeAnswer(field);
    answers[field.name] = answer;
    const control = page.locator(`[data-focus-id~="answers.${field.name}"]`).first();
    if (keepsPrefilled && (await control.count()) > 0 && (await isPrefilled(control))) continue;
    await fillField(page, field, { path: field.name, answer, language });
  }
}

/** Consents to special data where a question waits for it. */
async function consentTo(
  page: Page,
  { attachments }: Service,
  { name, attachment, ...field }: FormField,
  language: Language,
): Promise<void> {
  const rule = attachments.find((each) => each.name === attachment);
  if (specialKindsOf({ name, ...field }).length === 0 && rule?.special === undefined) return;
  const control = page.locator(`[data-focus-id~="answers.${name}"], [data-focus-id~="${name}"]`);
  await expect(control.first()).toBeAttached();
  const box = page.locator('[name=consentsToSpecialData]');
  if ((await box.count()) === 0) return;
  await page.getByText(textsOf(language)('forms:special.consent'), { exact: true }).click();
  await expect(box).toHaveCount(0);
}

/** One answer at its path: `applicantName`, `partners.0.partnerName`. */
async function fillField(
  page: Page,
  field: FormField,
  { path, answer, language }: { path: string; answer: unknown; language: Language },
): Promise<void> {
  const t = textsOf(language);
  const at = (name: string) => page.locator(`[data-focus-id~="answers.${name}"]`);
  switch (field.kind) {
    case 'group':
      for (const [index, item] of (answer as Record<string, unknown>[]).entries()) {
        await addItem(page, path, index);
        for (const inner of (field.fields ?? []).filter(({ name }) => name in item))
          await fillField(page, inner, {
            path: `${path}.${index}.${inner.name}`,
            answer: item[inner.name],
            language,
          });
      }
      return;
    case 'address': {
      const { emirate, ...rest } = answer as Record<string, string>;
      await chooseFromList(page, at(`${path}.emirate`), t(`forms:emirates.${String(emirate)}`));
      for (const [part, text] of Object.entries(rest)) await at(`${path}.${part}`).fill(text);
      return;
    }
    case 'yesNo':
      return chooseAmong(at(path), t(answer === true ? 'forms:yes' : 'forms:no'));
    case 'emirate':
      return chooseAmong(at(path), t(`forms:emirates.${String(answer)}`));
    case 'nationality':
      return fillNationality(page, at(path), String(answer), language);
    case 'choice':
    case 'choices':
      return chooseOption(page, field, at(path), { answer, language });
    default:
      await at(path).fill(field.kind === 'money' ? String(Number(answer) / 100) : String(answer));
  }
}

/** A group begins with as many items as it needs, an optional one with none. */
async function addItem(page: Page, group: string, index: number): Promise<void> {
  const item = page.locator(`[data-focus-id~="${group}.${index}.item"]`);
  if ((await item.count()) === 0) await page.locator(`[data-focus-id~="answers.${group}"]`).click();
  await expect(item).toBeVisible();
}

/** Among the radio buttons and checkboxes of a control: the same question may be there twice. */
const chooseAmong = (control: Locator, name: string): Promise<void> =>
  control
    .first()
    .locator('xpath=ancestor-or-self::fieldset[1]')
    .getByText(name, { exact: true })
    .last()
    .click();

function fillNationality(page: Page, control: Locator, code: string, language: Language) {
  const name = new Intl.DisplayNames([language], { type: 'region' }).of(code) ?? '';
  // An open list closes when the page moves, for example when an error above it disappears.
  return expect(async () => {
    await control.fill('');
    await control.fill(name);
    await page.getByRole('option').first().click({ timeout: 2000 });
  }).toPass();
}

/** Chooses an option in a list or, where there are few, among radio buttons and checkboxes. */
async function chooseOption(
  page: Page,
  field: FormField,
  control: Locator,
  { answer, language }: { answer: unknown; language: Language },
): Promise<void> {
  const value: unknown = Array.isArray(answer) ? answer[0] : answer;
  const title = field.oneOf?.find((each) => each.const === value)?.title[language] ?? '';
  const isList = (await control.first().evaluate((element) => element.tagName)) === 'BUTTON';
  return isList ? chooseFromList(page, control, title) : chooseAmong(control, title);
}

async function chooseFromList(
  page: Page,
  control: ReturnType<Page['locator']>,
  name: string,
): Promise<void> {
  await control.click();
  await page.getByRole('option', { name, exact: true }).click();
}

async function uploadDocument(page: Page, rule: AttachmentRule): Promise<string> {
  const isPdf = rule.mediaTypes.includes('application/pdf');
  const choosing = page.waitForEvent('filechooser');
  await page.locator(`[data-focus-id~="attachments.${rule.name}"]`).click();
  const name = `${rule.name}.${isPdf ? 'pdf' : 'png'}`;
  await (
    await choosing
  ).setFiles({
    name,
    mimeType: isPdf ? 'application/pdf' : 'image/png',
    buffer: isPdf ? smallPdf : smallPng,
  });
  await expect(page.getByText(name)).toBeVisible();
  return name;
}

/** The documents without a place in a step. */
function rulesApart({ form, attachments }: Service): AttachmentRule[] {
  const places = form.steps.flatMap((step) => step.fields.map((field) => field.attachment));
  return attachments.filter(({ name }) => !places.includes(name));
}

/** Uploads every required document of the documents step and waits until it has arrived. */
export async function uploadDocuments(page: Page, service: Service): Promise<void> {
  const given: string[] = [];
  const box = page.locator('[name=consentsToSpecialData]');
  // They wait for the consent to special data.
  if ((await box.count()) > 0) await box.click({ force: true });
  await expect(box).toHaveCount(0);
  for (const rule of rulesApart(service).filter((each) => each.required))
    given.push(await uploadDocument(page, rule));
  await expect(page.getByRole('progressbar')).toHaveCount(0);
  // Files that arrive at the same moment do not overwrite each other.
  for (const name of given) await expect(page.getByText(name)).toBeVisible();
}

/** Fills in the whole form of a service up to its review page. */
export async function fillForm(
  page: Page,
  service: Service,
  language: Language,
  {
    onStep = async () => undefined,
    keepsPrefilled = false,
  }: { onStep?: () => Promise<void>; keepsPrefilled?: boolean } = {},
): Promise<void> {
  const t = textsOf(language);
  const answers: Answers = {};
  const continueForm = () =>
    page.getByRole('button', { name: t('forms:continue'), exact: true }).click();
  const heading = page.getByRole('heading', { level: 1 });
  const titles = service.form.steps.map((each) => each.title[language] ?? '');
  let first = -1;
  // The form does not ask for steps that the account answers.
  await expect
    .poll(async () => {
      const shown = await heading.textContent();
      first = titles.findIndex((title) => shown === title);
      return first;
    })
    .toBeGreaterThanOrEqual(0);
  for (let step = first; step < service.form.steps.length; step += 1) {
    if (!isStepShown(service.form, service.form.steps[step]!, answers)) continue;
    await expect(heading).toContainText(service.form.steps[step]?.title[language] ?? '');
    await fillStep(page, service, step, { answers, language, keepsPrefilled });
    await onStep();
    await continueForm();
  }
  if (listRequiredDocuments(service.form, rulesApart(service), answers).length > 0) {
    await expect(page.getByRole('heading', { level: 1 })).toContainText(t('forms:documents.title'));
    await uploadDocuments(page, service);
    await onStep();
    await continueForm();
  }
  await expect(page.getByRole('heading', { level: 1 })).toContainText(t('forms:review.title'));
}
