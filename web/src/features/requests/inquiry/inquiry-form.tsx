import { Search } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { focusOn } from '../../../lib/browser/focus-on.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { TextField } from '../../../ui/forms/text-field.tsx';

export function InquiryForm({
  start,
  isBusy,
  onSubmit,
}: {
  start: string;
  isBusy: boolean;
  onSubmit: (keyword: string) => void;
}) {
  const { t } = useTranslation('requests');
  const [keyword, setKeyword] = useState(start);
  const [hasTried, setHasTried] = useState(false);
  const isEmpty = keyword.trim() === '';
  const submit = () => {
    setHasTried(true);
    if (isEmpty) focusOn('SearchKeyword');
    else if (!isBusy) onSubmit(keyword.trim());
  };
  return (
    <form
      role="search"
      aria-label={t('inquiry.title')}
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <TextField
        name="SearchKeyword"
        label={t('inquiry.field')}
        description={t('inquiry.hint')}
        dir="ltr"
        width="medium"
        maxLength={60}
        autoComplete="off"
        value={keyword}
        onChange={setKeyword}
        error={hasTried && isEmpty ? t('inquiry.empty') : undefined}
      />
      <div>
        <Button type="submit" size="lg" icon={<Search aria-hidden size={20} />} isPending={isBusy}>
          {t('inquiry.submit')}
        </Button>
      </div>
    </form>
  );
}
