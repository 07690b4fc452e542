import { Search, X } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { AddressFilters } from '../../lib/browser/use-address-filters.ts';
import { Button } from '../../ui/actions/button.tsx';
import { ComboField } from '../../ui/forms/combo-field.tsx';
import { IconButton } from '../../ui/actions/icon-button.tsx';
import { SelectField, type Choice } from '../../ui/forms/select-field.tsx';
import { TextField } from '../../ui/forms/text-field.tsx';

const any = '-';
/** Beyond this a list of choices wants typing. */
const mostToLookThrough = 15;

export interface ListFilter<Name extends string> {
  name: Name;
  label: string;
  /** What stands for all. */
  any: string;
  choices: readonly Choice[];
}

/**
 * Searches when asked to, not at each letter; a choice applies at once. Give it the keyword as
 * `key`, so that it follows the address.
 */
export function AdminListSearch<Name extends string>({
  placeholder,
  filters,
  filter,
  more,
}: {
  placeholder: string;
  filters: AddressFilters<Name>;
  filter?: ListFilter<Name>;
  more?: ReactNode;
}) {
  const { t } = useTranslation('dashboards');
  const [text, setText] = useState(filters.keyword);
  const search = (keyword: string) => filters.change({ keyword });
  const choose = (value: string) => {
    if (filter) filters.change({ [filter.name]: value === any ? '' : value });
  };
  const Choose = filter && filter.choices.length > mostToLookThrough ? ComboField : SelectField;
  return (
    <form
      role="search"
      aria-label={t('list.search')}
      className="flex flex-col gap-4 md:flex-row md:items-end"
      onSubmit={(event) => {
        event.preventDefault();
        search(text.trim());
      }}
    >
      <div className="flex min-w-0 items-end gap-2 md:max-w-form md:grow">
        <div className="relative min-w-0 grow [&_input]:pe-12">
          <TextField
            label={t('list.search')}
            isLabelHidden
            isOptional
            placeholder={placeholder}
            value={text}
            onChange={setText}
            maxLength={200}
            dir={text === '' ? undefined : 'auto'}
          />
          {text === '' ? null : (
            <span className="absolute end-1 bottom-0.5 bg-white">
              <IconButton
                label={t('list.clearText')}
                onPress={() => {
                  setText('');
                  search('');
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
          {t('list.find')}
        </Button>
      </div>
      {filter ? (
        <div className="md:w-60">
          <Choose
            label={filter.label}
            value={filters.values[filter.name] || any}
            onChange={choose}
            choices={[{ value: any, label: filter.any }, ...filter.choices]}
          />
        </div>
      ) : null}
      {more}
    </form>
  );
}
