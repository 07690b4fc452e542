import { ChevronDown } from 'lucide-react';
import { useState, type Ref } from 'react';
import { Button, ListBox, Popover, Select, SelectValue } from 'react-aria-components';
import { classNames } from '#lib/browser/class-names.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { useCloseWatcher } from '../feedback/close-watcher.ts';
import {
  controlStyle,
  FieldFrame,
  focusIdOf,
  useFieldIds,
  type FieldProps,
} from './field-frame.tsx';
import { ListOption, popoverStyle } from './list-option.tsx';

export interface Choice {
  value: string;
  label: string;
}

export interface SelectFieldProps extends FieldProps {
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
  name?: string;
  choices: readonly Choice[];
  placeholder?: string;
  isLabelHidden?: boolean;
  width?: 'full' | 'medium';
  ref?: Ref<HTMLButtonElement>;
}

/**
 * For up to about 15 choices; use `ComboField` for longer lists. The empty string means no choice.
 */
export function SelectField({
  value,
  onChange,
  onBlur,
  name,
  choices,
  placeholder,
  width = 'full',
  ref,
  isDisabled,
  focusIds,
  ...field
}: SelectFieldProps) {
  const { t } = useTranslation('shell');
  const ids = useFieldIds(field);
  const [isOpen, setIsOpen] = useState(false);
  useCloseWatcher(isOpen, () => setIsOpen(false));
  return (
    <FieldFrame isChoice {...field} ids={ids} labelAs="span">
      <Select
        value={value === '' ? null : value}
        onChange={(key) => onChange(key === null ? '' : String(key))}
        onBlur={onBlur}
        isOpen={isOpen}
        onOpenChange={setIsOpen}
        name={name}
        isDisabled={isDisabled}
        isInvalid={Boolean(field.error)}
        validationBehavior="aria"
        aria-labelledby={ids.label}
        aria-describedby={ids.describedBy}
        placeholder={placeholder ?? t('kit.choose')}
        className={width === 'medium' ? 'min-[480px]:max-w-80' : undefined}
      >
        <Button
          ref={ref}
          data-focus-id={focusIdOf(name, focusIds)}
          className={classNames(
            controlStyle,
            'flex items-center justify-between gap-2 text-start',
            field.error ? 'border-2 border-red-700' : '',
          )}
        >
          <SelectValue className="min-w-0 truncate data-placeholder:text-ink-500">
            {/* The text of React Aria would not have its own element. */}
            {({ isPlaceholder, selectedText, defaultChildren }) => (
              <span>{isPlaceholder ? defaultChildren : selectedText}</span>
            )}
          </SelectValue>
          <ChevronDown aria-hidden size={20} className="shrink-0 text-ink-500" />
        </Button>
        <Popover className={popoverStyle}>
          <ListBox
            items={choices.map((choice) => ({ id: choice.value, ...choice }))}
            className="max-h-80 overflow-auto outline-none"
          >
            {(choice) => <ListOption id={choice.value} textValue={choice.label} />}
          </ListBox>
        </Popover>
      </Select>
    </FieldFrame>
  );
}
