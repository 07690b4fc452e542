import { Search, X } from 'lucide-react';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '../actions/button.tsx';
import { IconButton } from '../actions/icon-button.tsx';
import { TextField } from '../forms/text-field.tsx';

/**
 * The keyword of a list, with a button that clears it and one that submits its form. `onClear` is
 * called after the text is empty.
 */
export function KeywordField({
  label,
  placeholder,
  value,
  onChange,
  onClear,
}: {
  label: string;
  placeholder: string;
  value: string;
  onChange: (text: string) => void;
  onClear: () => void;
}) {
  const { t } = useTranslation('shell');
  return (
    <>
      <div className="relative min-w-0 grow [&_input]:pe-12">
        <TextField
          label={label}
          isLabelHidden
          isOptional
          placeholder={placeholder}
          value={value}
          onChange={onChange}
          maxLength={200}
          dir={value === '' ? undefined : 'auto'}
        />
        {value === '' ? null : (
          <span className="absolute end-1 bottom-0.5 bg-white">
            <IconButton
              label={t('kit.clear')}
              onPress={() => {
                onChange('');
                onClear();
              }}
            >
              <X aria-hidden size={18} />
            </IconButton>
          </span>
        )}
      </div>
      <Button
        type="submit"
        variant="secondary"
        isIconOnPhone
        icon={<Search aria-hidden size={20} />}
      >
        {t('kit.search')}
      </Button>
    </>
  );
}
