import { Eye, EyeOff } from 'lucide-react';
import { useState, type Ref } from 'react';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { IconButton } from '../actions/icon-button.tsx';
import {
  controlStyle,
  FieldFrame,
  focusIdOf,
  useFieldIds,
  type FieldProps,
} from './field-frame.tsx';

interface PasswordFieldProps extends FieldProps {
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
  name?: string;
  autoComplete: 'current-password' | 'new-password';
  ref?: Ref<HTMLInputElement>;
}

/** Supports paste and password managers; the password can be shown. */
export function PasswordField({
  value,
  onChange,
  onBlur,
  name,
  autoComplete,
  ref,
  isDisabled,
  focusIds,
  ...field
}: PasswordFieldProps) {
  const { t } = useTranslation('shell');
  const [isShown, setIsShown] = useState(false);
  // The input is left to right, so its logical start is the side of the button in Arabic and Urdu.
  const { direction } = useLanguage();
  const ids = useFieldIds(field);
  return (
    <FieldFrame {...field} ids={ids}>
      <div className="relative">
        <input
          id={ids.control}
          ref={ref}
          name={name}
          type={isShown ? 'text' : 'password'}
          dir="ltr"
          value={value}
          disabled={isDisabled}
          autoComplete={autoComplete}
          spellCheck={false}
          autoCapitalize="off"
          onChange={(event) => onChange(event.target.value)}
          onBlur={onBlur}
          aria-required
          aria-invalid={field.error ? true : undefined}
          aria-describedby={ids.describedBy}
          data-focus-id={focusIdOf(name, focusIds)}
          className={`${controlStyle} ${direction === 'rtl' ? 'ps-14' : 'pe-14'}`}
        />
        <span className="absolute inset-y-0 end-0.5 flex items-center">
          <IconButton
            label={t(isShown ? 'kit.hidePassword' : 'kit.showPassword')}
            onPress={() => setIsShown(!isShown)}
          >
            {isShown ? <EyeOff aria-hidden size={20} /> : <Eye aria-hidden size={20} />}
          </IconButton>
        </span>
      </div>
    </FieldFrame>
  );
}
