import { Plus } from 'lucide-react';
import { useCall } from '#lib/api/use-call.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { LocalizedFields, noText } from '#ui/editing/localized-fields.tsx';
import { Checkbox, CheckboxGroup } from '#ui/forms/checkbox.tsx';
import { DayField } from '#ui/forms/day-field.tsx';
import { FieldError } from '#ui/forms/field-frame.tsx';
import { NumberField } from '#ui/forms/number-field.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import { getAllAccountTypesByLogo } from '@diwan/contract/catalogue/account-types';
import { getManagedAgencies } from '@diwan/contract/catalogue/agencies';
import { getAllServiceCategory } from '@diwan/contract/catalogue/categories';
import { withdrawalRefunds, type WithdrawalRefund } from '@diwan/contract/catalogue/fees';
import type { DraftDocument } from '@diwan/contract/catalogue/service-document';
import { getWorkflows } from '@diwan/contract/requests/workflows';
import { nameFromTitle } from '../model/edit-parts.ts';
import { EntryButtons } from './entry-buttons.tsx';
import { usePart, type PanelProps } from './panel-props.ts';
import { PickField } from './value-fields.tsx';

const minuteMs = 60_000;

const addressOf = (title: string) =>
  nameFromTitle(title)
    .replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    .replace(/^-/, '');

/** Who has one agency has nothing to choose, unless the service is of another one or of none. */
const isAgencyAsked = (agencies: readonly { id: number }[], agencyId: number | null | undefined) =>
  agencies.length !== 1 || agencies[0]?.id !== agencyId;

/** What the service is called, who offers it and for whom. */
export function AboutPanel(props: PanelProps & { isPublished: boolean }) {
  const { t } = useTranslation('designer');
  const { part, set, errorOf, textErrorOf } = usePart<DraftDocument>(props);
  const agencies = useCall(getManagedAgencies, { staleTime: minuteMs });
  const categories = useCall(getAllServiceCategory, { staleTime: minuteMs });
  const types = useCall(getAllAccountTypesByLogo, { staleTime: minuteMs });
  return (
    <>
      <LocalizedFields
        legend={t('about.name')}
        name="name"
        value={part.name}
        onChange={(name) => set('name', name)}
        onBlur={() => {
          const address = addressOf(part.name['en-US']);
          if (part.replacedName === '' && !props.isPublished && address !== '')
            set('replacedName', address);
        }}
        error={textErrorOf('name')}
      />
      <LocalizedFields
        legend={t('about.description')}
        name="description"
        rows={4}
        maxLength={2000}
        value={part.description}
        onChange={(description) => set('description', description)}
        error={textErrorOf('description')}
      />
      <TextField
        label={t('about.address')}
        description={t(props.isPublished ? 'about.addressFixed' : 'about.addressHint')}
        dir="ltr"
        maxLength={120}
        value={part.replacedName}
        onChange={(replacedName) => set('replacedName', replacedName)}
        isDisabled={props.isPublished}
        error={errorOf('replacedName')}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        {agencies.data && isAgencyAsked(agencies.data, part.agencyId) ? (
          <PickField
            label={t('about.agency')}
            value={String(part.agencyId ?? '')}
            error={errorOf('agencyId')}
            onChange={(id) => set('agencyId', Number(id))}
            choices={agencies.data.map(({ id, name }) => ({ value: String(id), label: name }))}
          />
        ) : null}
        {categories.data ? (
          <PickField
            label={t('about.category')}
            value={String(part.categoryId ?? '')}
            error={errorOf('categoryId')}
            onChange={(id) => set('categoryId', Number(id))}
            choices={categories.data.map(({ id, name }) => ({ value: String(id), label: name }))}
          />
        ) : null}
      </div>
      {types.data ? (
        <CheckboxGroup
          label={t('about.accountTypes')}
          error={errorOf('accountTypeIds')}
          value={part.accountTypeIds.map(String)}
          choices={types.data.map(({ accountTypeId, accountTypeName }) => ({
            value: String(accountTypeId),
            label: accountTypeName,
          }))}
          onChange={(ids) => set('accountTypeIds', ids.map(Number))}
        />
      ) : null}
    </>
  );
}

/** How a request goes, line by line, and what the applicant agrees to. */
export function TermsPanel(props: PanelProps) {
  const { t } = useTranslation('designer');
  const { part, set, errorOf, textErrorOf } = usePart<DraftDocument>(props);
  const lines = part.steps;
  return (
    <>
      <LocalizedFields
        legend={t('terms.terms')}
        name="terms"
        rows={5}
        maxLength={5000}
        value={part.terms}
        onChange={(terms) => set('terms', terms)}
        error={textErrorOf('terms')}
      />
      <fieldset className="flex flex-col gap-3">
        <legend className="font-semibold text-ink-900">{t('terms.steps')}</legend>
        <p className="text-sm text-ink-500">{t('terms.stepsHint')}</p>
        <FieldError id="steps-error">
          {lines.length === 0 ? errorOf('steps') : undefined}
        </FieldError>
        <ol className="flex flex-col gap-4">
          {lines.map((line, index) => (
            <li key={index} className="flex flex-col gap-1 border-s-3 border-ink-200 ps-3">
              <LocalizedFields
                legend={t('terms.line', { number: index + 1 })}
                name={`steps.${index}`}
                maxLength={500}
                rows={2}
                value={line}
                onChange={(text) => set('steps', lines.with(index, text))}
                error={textErrorOf(`steps.${index}`)}
              />
              <div>
                <EntryButtons
                  entries={lines}
                  index={index}
                  labels={{
                    up: t('terms.up', { number: index + 1 }),
                    down: t('terms.down', { number: index + 1 }),
                    remove: t('terms.remove', { number: index + 1 }),
                  }}
                  onChange={(changed) => set('steps', changed)}
                />
              </div>
            </li>
          ))}
        </ol>
        <div>
          <Button
            variant="secondary"
            size="sm"
            icon={<Plus aria-hidden size={16} />}
            isDisabled={lines.length >= 30}
            onPress={() => set('steps', [...lines, noText])}
          >
            {t('terms.add')}
          </Button>
        </div>
      </fieldset>
    </>
  );
}

/** What comes out, how long it takes, by which workflow, and when requests can be sent. */
export function OutcomePanel(props: PanelProps) {
  const { t } = useTranslation('designer');
  const { part, set, errorOf, textErrorOf } = usePart<DraftDocument>(props);
  const workflows = useCall(getWorkflows, { staleTime: minuteMs });
  return (
    <>
      <LocalizedFields
        legend={t('outcome.result')}
        description={t('outcome.resultHint')}
        name="result"
        rows={3}
        maxLength={2000}
        value={part.result}
        onChange={(result) => set('result', result)}
        error={textErrorOf('result')}
      />
      <Checkbox
        label={t('outcome.issuesDocument')}
        value={part.issuesDocument}
        onChange={(issuesDocument) => set('issuesDocument', issuesDocument)}
      />
      <NumberField
        label={t('outcome.workingDays')}
        value={part.workingDays}
        error={errorOf('workingDays')}
        onChange={(days) => {
          if (days !== undefined && Number.isInteger(days)) set('workingDays', days);
        }}
      />
      {(['beforeWork', 'afterWork'] as const).map((when) => (
        <PickField
          key={when}
          label={t(`outcome.withdrawal.${when}`)}
          value={part.withdrawal[when]}
          onChange={(refund) =>
            set('withdrawal', { ...part.withdrawal, [when]: refund as WithdrawalRefund })
          }
          choices={withdrawalRefunds.map((refund) => ({
            value: refund,
            label: t(`outcome.withdrawal.${refund}`),
          }))}
        />
      ))}
      <NumberField
        label={t('outcome.objectionDays')}
        description={t('outcome.objectionDaysHint')}
        value={part.objectionDays}
        error={errorOf('objectionDays')}
        onChange={(days) => {
          if (days !== undefined && Number.isInteger(days)) set('objectionDays', days);
        }}
      />
      {workflows.data ? (
        <PickField
          label={t('outcome.workflow')}
          description={t('outcome.workflowHint')}
          error={errorOf('workflowId')}
          value={String(part.workflowId ?? 'general')}
          onChange={(id) => set('workflowId', id === 'general' ? null : Number(id))}
          choices={[
            { value: 'general', label: t('outcome.general') },
            ...new Map(
              [workflows.data.general, ...workflows.data.services, ...workflows.data.earlier].map(
                ({ workflowId, name, version }) => [
                  workflowId,
                  { value: String(workflowId), label: t('outcome.version', { name, version }) },
                ],
              ),
            ).values(),
          ]}
        />
      ) : null}
      <div className="grid gap-4 sm:grid-cols-2">
        <DayField
          label={t('outcome.availableFrom')}
          value={part.availableFrom ?? ''}
          error={errorOf('availableFrom')}
          onChange={(day) => setDay('availableFrom', day)}
        />
        <DayField
          label={t('outcome.availableUntil')}
          value={part.availableUntil ?? ''}
          error={errorOf('availableUntil')}
          onChange={(day) => setDay('availableUntil', day)}
        />
      </div>
      <p className="text-sm text-ink-500">{t('outcome.availableHint')}</p>
    </>
  );

  // An incomplete day stays in its box only: the document holds days.
  function setDay(property: 'availableFrom' | 'availableUntil', day: string) {
    if (day === '') set(property, null);
    else if (/^\d{4}-\d{2}-\d{2}$/.test(day)) set(property, day);
  }
}
