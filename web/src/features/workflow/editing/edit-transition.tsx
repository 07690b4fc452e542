import { Trash2 } from 'lucide-react';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { LocalizedFields, noText } from '#ui/editing/localized-fields.tsx';
import { Checkbox, CheckboxGroup } from '#ui/forms/checkbox.tsx';
import { SelectField } from '#ui/forms/select-field.tsx';
import { actionInputs, getAction, requestActions } from '@diwan/contract/requests/actions';
import { maximumText, typedIn, useStatusChoices, type EditProps } from './edit-props.ts';
import {
  changeTransition,
  removeTransition,
  usualRoles,
  type DraftTransition,
} from './edit-workflow.ts';

const allRoles = [
  'Client',
  'CompanyUser',
  'Employee',
  'Admin',
  'ServiceProvider',
  'payment',
] as const;

/** Who may take the action. */
function PeopleFields({
  transition: { who, holderOnly = false, anotherApprover = false },
  set,
}: {
  transition: DraftTransition;
  set: (change: Partial<DraftTransition>) => void;
}) {
  const { t } = useTranslation('workflow');
  return (
    <>
      <CheckboxGroup
        label={t('table.who')}
        value={who}
        choices={allRoles.map((role) => ({ value: role, label: t(`roles.${role}`) }))}
        onChange={(roles) => set({ who: allRoles.filter((role) => roles.includes(role)) })}
      />
      <Checkbox
        label={t('edit.holderOnly')}
        value={holderOnly}
        onChange={(isSet) => set({ holderOnly: isSet || undefined })}
      />
      <Checkbox
        label={t('edit.anotherApprover')}
        hint={t('edit.anotherApproverHint')}
        value={anotherApprover}
        onChange={(isSet) => set({ anotherApprover: isSet || undefined })}
      />
    </>
  );
}

/** One action: from where to where, by whom, what it asks for, and who is notified. */
export function TransitionFields({
  editor,
  index,
  transition,
  onSelect,
}: EditProps & { index: number; transition: DraftTransition }) {
  const { t } = useTranslation('workflow');
  const { draft } = editor;
  const statuses = useStatusChoices(editor);
  const set = (change: Partial<DraftTransition>, key?: string) =>
    editor.change(changeTransition(draft, index, change), key && `action ${index} ${key}`);
  const { action, from, to, notify = false, toPay } = transition;
  const { message = noText, requires = [] } = transition;
  const { requirable = [] } = getAction(action);
  const inputs = actionInputs.filter(
    (input) => requirable.includes(input) || requires.includes(input),
  );
  const mayCharge = requirable.includes('fee');
  const setRequired = (chosen: readonly string[]) => {
    const next = inputs.filter((input) => chosen.includes(input));
    set({ requires: next.length > 0 ? next : undefined });
  };
  return (
    <>
      <SelectField
        label={t('table.action')}
        value={action}
        description={t(`edit.asks.${action}`)}
        choices={requestActions.map((each) => ({ value: each, label: t(`actions.${each}`) }))}
        onChange={(chosen) => {
          const next = requestActions.find((each) => each === chosen) ?? action;
          set({ action: next, who: usualRoles(next), toPay: undefined, requires: undefined });
        }}
      />
      <SelectField
        label={t('edit.from')}
        value={from === null ? 'none' : String(from)}
        choices={[{ value: 'none', label: t('table.notSent') }, ...statuses]}
        onChange={(chosen) => set({ from: chosen === 'none' ? null : Number(chosen) })}
      />
      <SelectField
        label={t('table.to')}
        value={String(to)}
        choices={statuses}
        onChange={(chosen) => set({ to: Number(chosen) })}
      />
      <PeopleFields transition={transition} set={set} />
      <Checkbox
        label={t('edit.notify')}
        value={notify}
        onChange={(isSet) =>
          set({ notify: isSet || undefined, ...(isSet ? {} : { message: undefined }) })
        }
      />
      {notify ? (
        <LocalizedFields
          isOptional
          legend={t('edit.message')}
          description={t('edit.messageHint')}
          name="actionMessage"
          maxLength={maximumText}
          rows={2}
          value={message}
          onChange={(text) =>
            set(
              { message: Object.values(text).some(Boolean) ? text : undefined },
              `message ${typedIn(message, text)}`,
            )
          }
        />
      ) : null}
      {mayCharge || toPay !== undefined ? (
        <SelectField
          label={t('edit.toPay')}
          value={toPay === undefined ? 'none' : String(toPay)}
          choices={[{ value: 'none', label: t('edit.noFees') }, ...statuses]}
          onChange={(chosen) => set({ toPay: chosen === 'none' ? undefined : Number(chosen) })}
        />
      ) : null}
      {inputs.length > 0 ? (
        <CheckboxGroup
          isOptional
          label={t('edit.requires')}
          description={t('edit.requiresHint')}
          value={requires}
          choices={inputs.map((input) => ({
            value: input,
            label: t(`inputs.${input}`),
            ...(input === 'fee' ? { hint: t('edit.feeHint') } : {}),
          }))}
          onChange={setRequired}
        />
      ) : null}
      <div>
        <Button
          variant="quiet"
          icon={<Trash2 aria-hidden size={18} />}
          onPress={() => {
            editor.change(removeTransition(draft, index));
            onSelect(undefined);
          }}
        >
          {t('edit.removeAction')}
        </Button>
      </div>
    </>
  );
}
