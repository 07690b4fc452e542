import { useState } from 'react';
import { messageOf } from '#lib/api/handle-error.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { CopyButton } from '#ui/actions/copy-button.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { TextAreaField } from '#ui/forms/text-area-field.tsx';
import type { DesignEditor } from '../design-editor.data.ts';

function problemOfJson(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
}

/**
 * The whole service as JSON, for experts. It shows each change of the builder; what is typed here
 * takes effect when it is applied, because the server reads it first.
 */
export function JsonView({ editor }: { editor: DesignEditor }) {
  const { t } = useTranslation('designer');
  const [typed, setTyped] = useState<string>();
  const shown = JSON.stringify(editor.document, null, 2);
  const text = typed ?? shown;
  const problem = problemOfJson(text);
  const refused = typed === undefined ? undefined : editor.problem;
  const apply = async () => {
    if (await editor.applyJson(text)) setTyped(undefined);
  };
  return (
    <div className="flex flex-col gap-4">
      {refused ? (
        <Alert tone="danger" isLive title={messageOf(refused)}>
          <ul>
            {Object.keys(refused.fieldErrors).map((field) => (
              <li key={field}>
                <bdi dir="ltr">{field.replace(/^document\./, '')}</bdi>
              </li>
            ))}
          </ul>
        </Alert>
      ) : null}
      <TextAreaField
        label={t('json.label')}
        description={t('json.hint')}
        dir="ltr"
        lang="en-US"
        rows={28}
        value={text}
        onChange={setTyped}
        error={
          problem === undefined ? undefined : t('json.wrong', { problem: `\u2066${problem}\u2069` })
        }
      />
      <div className="flex flex-wrap gap-3">
        <Button
          isDisabled={typed === undefined || typed === shown || problem !== undefined}
          isPending={editor.pending === 'json'}
          onPress={() => void apply()}
        >
          {t('json.apply')}
        </Button>
        {typed === undefined ? null : (
          <Button variant="quiet" onPress={() => setTyped(undefined)}>
            {t('json.reset')}
          </Button>
        )}
        <CopyButton text={text} label={t('json.copy')} copiedLabel={t('json.copied')} />
      </div>
    </div>
  );
}
