import { useState, type ComponentProps } from 'react';
import { messageOf } from '#lib/api/handle-error.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { Checkbox } from '#ui/forms/checkbox.tsx';
import { ComboField } from '#ui/forms/combo-field.tsx';
import { Fold } from '#ui/forms/fold.tsx';
import {
  MessageFields,
  messageNameOf,
  messageNames,
  type Messages,
} from '#ui/forms/message-fields.tsx';
import { SelectField } from '#ui/forms/select-field.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import { maximumSnippetNameLength, type Snippet } from '@diwan/contract/people/snippets';
import { useSnippetActions, useSnippets } from './snippets.data.ts';

const maximumSelectChoices = 15;

const isBlank = (messages: Messages) => messageNames.every((name) => messages[name].trim() === '');
const isSame = (messages: Messages, snippet: Snippet) =>
  messageNames.every((name) => messages[name].trim() === snippet[name]);

/** A saved text instead of an unchanged one, and after a text that the user typed. */
function insertSnippet(
  messages: Messages,
  snippet: Snippet,
  { snippets, maxLength }: { snippets: readonly Snippet[]; maxLength: number },
): Messages {
  const isTyped = !isBlank(messages) && !snippets.some((each) => isSame(messages, each));
  const inserted = (name: (typeof messageNames)[number]) => {
    const parts = isTyped ? [messages[name].trim(), snippet[name]] : [snippet[name]];
    return parts
      .filter((part) => part !== '')
      .join('\n\n')
      .slice(0, maxLength);
  };
  return {
    messageAr: inserted('messageAr'),
    messageEn: inserted('messageEn'),
    messageUr: inserted('messageUr'),
  };
}

/** The saved text that the message contains in every language in which it is written. */
const findInserted = (messages: Messages, snippets: readonly Snippet[]) =>
  snippets.find((snippet) => messageNames.every((name) => messages[name].includes(snippet[name])));

type StaffMessageFieldsProps = ComponentProps<typeof MessageFields>;

/**
 * A message to the applicant. A saved text fills all languages in which it is written, and is named
 * as long as it stands there; a new text can be saved.
 */
export function StaffMessageFields(props: StaffMessageFieldsProps) {
  const { value, onChange, reader, prefix = '', maxLength = 2000 } = props;
  const { t } = useTranslation('snippets');
  const format = useFormat();
  const snippets = useSnippets().data ?? [];
  const inserted = isBlank(value) ? undefined : findInserted(value, snippets);
  const choose = (id: string) => {
    const snippet = snippets.find(({ snippetId }) => snippetId === id);
    if (snippet) onChange(insertSnippet(value, snippet, { snippets, maxLength }));
  };
  const Field = snippets.length > maximumSelectChoices ? ComboField : SelectField;
  const isReaderMissing = inserted && reader && inserted[messageNameOf[reader]] === '';
  return (
    <div className="flex flex-col gap-4">
      {snippets.length > 0 ? (
        <div className="flex flex-col gap-2">
          <Field
            name={`${prefix}snippet`}
            label={t('insert')}
            placeholder={t('choose')}
            isOptional
            value={inserted?.snippetId ?? ''}
            onChange={choose}
            choices={snippets.map(({ snippetId, name }) => ({ value: snippetId, label: name }))}
          />
          <p role="status" className="text-sm text-ink-600">
            <span>{inserted ? t('filled', { name: inserted.name }) : ''}</span>
            <span>
              {isReaderMissing ? ` ${t('lacks', { language: format.language(reader) })}` : ''}
            </span>
          </p>
        </div>
      ) : null}
      <MessageFields {...props} />
      {!isBlank(value) && !inserted ? <KeepSnippet value={value} prefix={prefix} /> : null}
      <a href="/requests/saved-texts" target="_blank" rel="noopener" className="link w-fit text-sm">
        {t('manage')}
      </a>
    </div>
  );
}

/** Saves a message as a text. It is part of the form of an action, so that Enter must not submit. */
function KeepSnippet({ value, prefix }: { value: Messages; prefix: string }) {
  const { t } = useTranslation('snippets');
  const { save } = useSnippetActions();
  const [name, setName] = useState('');
  const [isShared, setIsShared] = useState(false);
  const [isTried, setIsTried] = useState(false);
  const error = save.error ? messageOf(save.error) : undefined;
  const isMissing = isTried && name.trim() === '';
  const keep = () => {
    setIsTried(true);
    if (name.trim() === '' || save.isPending) return;
    save.mutate(
      { body: { name, ...value, isShared } },
      { onSuccess: () => showToast(t('saved'), 'success') },
    );
  };
  return (
    <Fold title={t('keep')}>
      <TextField
        name={`${prefix}snippetName`}
        label={t('name')}
        description={t('nameHint')}
        dir="auto"
        maxLength={maximumSnippetNameLength}
        value={name}
        onChange={(changed) => {
          setName(changed);
          save.reset();
        }}
        error={isMissing ? t('nameMissing') : error}
      />
      <Checkbox label={t('share')} value={isShared} onChange={setIsShared} />
      <div>
        <Button variant="secondary" size="sm" isPending={save.isPending} onPress={keep}>
          {t('save')}
        </Button>
      </div>
    </Fold>
  );
}
