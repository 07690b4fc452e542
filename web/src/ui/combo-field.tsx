import { ChevronDown } from 'lucide-react';
import type { Ref } from 'react';
import { Button, ComboBox, Input, ListBox, Popover } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { containsText } from '../lib/match-text.ts';
import { controlStyle, FieldFrame, useFieldIds } from './field-frame.tsx';
import { ListOption, popoverStyle } from './list-option.tsx';
import type { SelectFieldProps } from './select-field.tsx';

/** A choice out of a long list, found by typing. */
export function ComboField({ value, onChange, onBlur, name, choices, placeholder, width = 'full', ref, isDisabled, focusIds, ...field }: Omit<SelectFieldProps, 'ref'> & { ref?: Ref<HTMLInputElement> }) {
  const { t } = useTranslation('shell');
  const ids = useFieldIds(field);
  return (
    <FieldFrame {...field} ids={ids} labelAs="span">
      <ComboBox
        value={value === '' ? null : value} onChange={(key) => onChange(key === null ? '' : String(key))} onBlur={onBlur} defaultItems={choices.map((choice) => ({ id: choice.value, ...choice }))}
        defaultFilter={containsText} menuTrigger="focus" allowsEmptyCollection isDisabled={isDisabled} isInvalid={Boolean(field.error)} validationBehavior="aria" aria-labelledby={ids.label} aria-describedby={ids.describedBy}
        className={width === 'medium' ? 'max-w-80' : undefined}
      >
        <div className="relative">
          <Input ref={ref} placeholder={placeholder ?? t('kit.typeToFind')} data-focus-id={[name, ...(focusIds ?? [])].filter(Boolean).join(' ') || undefined} className={`${controlStyle} pe-12`} />
          <Button aria-label={t('kit.showChoices')} className="absolute inset-y-0 end-0 flex w-12 items-center justify-center text-ink-500">
            <ChevronDown aria-hidden size={20} />
          </Button>
        </div>
        <Popover className={popoverStyle}>
          <ListBox<{ id: string } & { value: string; label: string }> className="max-h-80 overflow-auto outline-none" renderEmptyState={() => <p className="px-3 py-2 text-ink-500">{t('kit.notFound')}</p>}>
            {(choice) => <ListOption id={choice.value} textValue={choice.label} />}
          </ListBox>
        </Popover>
      </ComboBox>
    </FieldFrame>
  );
}
