import { useId, useState } from 'react';
import { messageOf } from '#lib/api/handle-error.ts';
import { useAction } from '#lib/api/use-call.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { maximumLogoBytes, uploadLogo } from '@diwan/contract/catalogue/logos';
import { Button } from '../actions/button.tsx';
import { FileButton } from './file-button.tsx';

async function readBase64(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** A logo, and a button to replace it by an SVG or PNG file. */
export function LogoField({
  label,
  value,
  onChange,
  onRemove,
}: {
  label?: string;
  /** Empty where there is none yet. */
  value: string;
  onChange: (logo: string) => void;
  /** Offered where there is a logo. */
  onRemove?: (() => void) | undefined;
}) {
  const { t } = useTranslation('catalogue');
  const id = useId();
  const [problem, setProblem] = useState<string>();
  const upload = useAction(uploadLogo, {
    skipErrorHandling: true,
    onSuccess: ({ logo }) => onChange(logo),
    onError: (error) => setProblem(messageOf(error)),
  });
  const choose = async (file: File) => {
    setProblem(undefined);
    if (file.size > maximumLogoBytes || file.size < 3)
      return setProblem(t('logo.tooLarge', { maximum: maximumLogoBytes / 1000 }));
    upload.mutate({ body: { content: await readBase64(file) } });
  };
  return (
    <div role="group" aria-labelledby={`${id}-label`} aria-describedby={`${id}-hint`}>
      <span id={`${id}-label`} className="font-semibold text-ink-900">
        {label ?? t('logo.label')}
      </span>
      <p id={`${id}-hint`} className="text-sm text-ink-500">
        {t('logo.hint', { maximum: maximumLogoBytes / 1000 })}
      </p>
      <div className="mt-2 flex items-center gap-4">
        {value ? (
          <img
            src={value}
            alt={t('logo.current')}
            width={64}
            height={64}
            className="size-16 shrink-0 rounded-lg border border-ink-100 object-contain p-1"
          />
        ) : null}
        <FileButton
          label={t('logo.choose')}
          pendingLabel={t('logo.pending')}
          isPending={upload.isPending}
          accept={['image/svg+xml', 'image/png']}
          onChoose={(file) => void choose(file)}
        />
        {onRemove && value ? (
          <Button variant="quiet" size="sm" onPress={onRemove}>
            {t('logo.remove')}
          </Button>
        ) : null}
      </div>
      {problem ? (
        <p role="alert" className="mt-2 text-sm font-medium text-red-700">
          {problem}
        </p>
      ) : null}
    </div>
  );
}
