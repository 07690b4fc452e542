import { ChevronDown } from 'lucide-react';
import { use, useState, type ReactNode, type Ref } from 'react';
import {
  Button,
  Collection,
  ComboBox,
  ComboBoxStateContext,
  Input,
  ListBox,
  ListBoxLoadMoreItem,
  OverlayTriggerStateContext,
  Popover,
} from 'react-aria-components';
import { classNames } from '#lib/browser/class-names.ts';
import { containsText } from '#lib/i18n/normalize.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { useCloseWatcher } from '../feedback/close-watcher.ts';
import { controlStyle, FieldFrame, useFieldIds } from './field-frame.tsx';
import { ListOption, popoverStyle } from './list-option.tsx';
import type { SelectFieldProps } from './select-field.tsx';

// Rendering two hundred nationalities together blocked a slow phone for seconds; more rows load on
// scroll.
const rowsPerStep = 30;

interface ComboFieldProps extends Omit<SelectFieldProps, 'ref'> {
  ref?: Ref<HTMLInputElement>;
  /** Receives what is typed; `choices` are what it finds, and are not filtered again. */
  onSearch?: (text: string) => void;
}

/** Closes the list as Escape does: what is typed and not chosen goes. */
function ComboCloseWatcher(): null {
  // React Aria renders the field a second time to find its options, without a state.
  const state = use(ComboBoxStateContext);
  useCloseWatcher(state?.isOpen ?? false, () => state?.revert());
  return null;
}

/**
 * The list of the field. React Aria closes it when anything around the field scrolls, which the focus
 * and an error above do too, and what is typed goes with it. This list moves with its field.
 */
function ComboList({ children }: { children: ReactNode }) {
  const state = use(ComboBoxStateContext);
  const [scrolls, setScrolls] = useState(0);
  // Another offset makes React Aria place the list anew.
  const popover = (
    <Popover crossOffset={(scrolls % 2) / 100} className={popoverStyle}>
      {children}
    </Popover>
  );
  if (!state) return popover;
  const close = () => {
    if (window.event?.type === 'scroll') setScrolls(scrolls + 1);
    else state.close();
  };
  return (
    <OverlayTriggerStateContext value={{ ...state, close }}>{popover}</OverlayTriggerStateContext>
  );
}

/** A choice from a long list, filtered by typing. */
export function ComboField({
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
  onSearch,
  ...field
}: ComboFieldProps) {
  const { t } = useTranslation('shell');
  const ids = useFieldIds(field);
  const [input, setInput] = useState('');
  const [rowCount, setRowCount] = useState(rowsPerStep);
  const chosen = choices.find((choice) => choice.value === value);
  // The box holds the label of the selected choice before the user types.
  const isFiltering = !onSearch && input.trim() !== '' && input !== chosen?.label;
  const rest = chosen ? [chosen, ...choices.filter((choice) => choice !== chosen)] : choices;
  const matching = isFiltering ? choices.filter(({ label }) => containsText(label, input)) : rest;
  const shown = matching.slice(0, rowCount).map((choice) => ({ id: choice.value, ...choice }));
  return (
    <FieldFrame isChoice {...field} ids={ids} labelAs="span">
      <ComboBox
        value={value === '' ? null : value}
        onChange={(key) => onChange(key === null ? '' : String(key))}
        onBlur={onBlur}
        defaultInputValue={chosen?.label ?? ''}
        onInputChange={(text) => {
          setInput(text);
          onSearch?.(text);
          setRowCount(rowsPerStep);
        }}
        defaultFilter={() => true}
        menuTrigger="focus"
        allowsEmptyCollection
        isDisabled={isDisabled}
        isInvalid={Boolean(field.error)}
        validationBehavior="aria"
        aria-labelledby={ids.label}
        aria-describedby={ids.describedBy}
        className={width === 'medium' ? 'min-[480px]:max-w-80' : undefined}
      >
        <ComboCloseWatcher />
        <div className="relative">
          <Input
            ref={ref}
            onFocus={(event) => {
              // React Aria sends its own events while the list changes: the typed text stays.
              if (event.nativeEvent.isTrusted) event.target.select();
            }}
            placeholder={placeholder ?? t('kit.typeToFind')}
            data-focus-id={[name, ...(focusIds ?? [])].filter(Boolean).join(' ') || undefined}
            className={`${controlStyle} pe-12 md:in-data-toolbar:pe-9`}
          />
          <Button
            aria-label={t('kit.showChoices')}
            className={classNames(
              'absolute inset-y-0 end-0 flex w-12 items-center justify-center text-ink-500',
              'md:in-data-toolbar:w-9',
            )}
          >
            <ChevronDown aria-hidden size={20} />
          </Button>
        </div>
        <ComboList>
          <ListBox
            className="max-h-80 overflow-auto outline-none"
            renderEmptyState={() => <p className="px-3 py-2 text-ink-500">{t('kit.notFound')}</p>}
          >
            <Collection items={shown}>
              {(choice) => <ListOption id={choice.value} textValue={choice.label} />}
            </Collection>
            {shown.length < matching.length ? (
              <ListBoxLoadMoreItem
                onLoadMore={() => setRowCount((before) => before + rowsPerStep)}
              />
            ) : null}
          </ListBox>
        </ComboList>
      </ComboBox>
    </FieldFrame>
  );
}
