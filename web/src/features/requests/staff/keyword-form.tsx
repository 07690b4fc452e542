import { Search, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/actions/button.tsx';
import { IconButton } from '../../../ui/actions/icon-button.tsx';
import { TextField } from '../../../ui/forms/text-field.tsx';

/**
 * Searches when asked to, not at each letter. Give it the keyword as `key`, so that it follows the
 * address.
 */
export function KeywordForm({
  keyword,
  placeholder,
  onSubmit,
}: {
  keyword: string;
  placeholder: string;
  onSubmit: (keyword: string) => void;
}) {
  const { t } = useTranslation('requests');
  const [text, setText] = useState(keyword);
  return (
    <form
      role="search"
      aria-label={t('listing.search')}
      className="flex max-w-form items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(text.trim());
      }}
    >
      <div className="relative min-w-0 grow [&_input]:pe-12">
        <TextField
          label={t('listing.search')}
          isLabelHidden
          isOptional
          placeholder={placeholder}
          value={text}
          onChange={setText}
          maxLength={200}
        />
        {text === '' ? null : (
          <span className="absolute end-1 bottom-0.5 bg-white">
            <IconButton
              label={t('listing.clear')}
              onPress={() => {
                setText('');
                onSubmit('');
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
        {t('listing.find')}
      </Button>
    </form>
  );
}
