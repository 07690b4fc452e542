import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { ApiError } from '#lib/api/api-error.ts';
import { messageOf } from '#lib/api/handle-error.ts';
import { send } from '#lib/api/send.ts';
import { useHomeAddress } from '#lib/auth/home-address.ts';
import { focusOn } from '#lib/browser/focus-on.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { Navigate } from '#lib/router/link.tsx';
import { useSearchParams } from '#lib/router/router-provider.tsx';
import { Button } from '#ui/actions/button.tsx';
import { PageHeader } from '#ui/data/page-header.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { FileButton } from '#ui/files/file-button.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import { certificateCodePrefix } from '@diwan/contract/content/issued-certificates';
import {
  checkSealedFile,
  maximumSealedFileBytes,
  type SealState,
} from '@diwan/contract/requests/payments';

/** The code in what somebody typed or pasted: the code itself, or the whole address. */
const codeIn = (text: string): string => (/[?&]code=([^&\s]+)/.exec(text)?.[1] ?? text).trim();

type DocumentKind = 'invoice' | 'certificate';

/** The code in the address of a check page; empty without one. */
export function useCheckedCode(): string {
  const [search] = useSearchParams();
  return codeIn(search.get('code') ?? '').slice(0, 100);
}

/** The kind of document that a code belongs to. */
export const kindOfCode = (code: string): DocumentKind =>
  code.startsWith(certificateCodePrefix) ? 'certificate' : 'invoice';

interface CheckPageTexts {
  title: string;
  intro: string;
  code: string;
  codeHint: string;
  submit: string;
  codeMissing: string;
}

/**
 * The page to which the QR code of a document leads: what the code confirms (`children`), another
 * code, and the check of the file. A code of the other kind of document opens the page of that kind.
 */
export function DocumentCheck({
  kind,
  texts,
  check: { data, error, isFetching, refetch },
  children,
}: {
  kind: DocumentKind;
  texts: CheckPageTexts;
  check: {
    data: unknown;
    error: ApiError | null;
    isFetching: boolean;
    refetch: () => Promise<unknown>;
  };
  children: ReactNode;
}) {
  const { t } = useTranslation('shell');
  const home = useHomeAddress();
  const [, setSearch] = useSearchParams();
  const code = useCheckedCode();
  usePageTitle(texts.title);
  if (code !== '' && kindOfCode(code) !== kind)
    return <Navigate replace to={`/${kindOfCode(code)}?code=${encodeURIComponent(code)}`} />;
  return (
    <div className="page pb-16">
      <PageHeader
        title={texts.title}
        lead={texts.intro}
        crumbs={[{ label: t('shell:navigation.home'), to: home }, { label: texts.title }]}
      />
      <div className="flex max-w-form flex-col gap-6">
        {error ? (
          <Alert tone="danger" isLive>
            {messageOf(error)}
          </Alert>
        ) : null}
        {code !== '' && !data && isFetching ? <SkeletonRows count={3} /> : null}
        {code === '' ? null : children}
        <CodeForm
          key={code}
          texts={texts}
          initialCode={code}
          isBusy={isFetching}
          onSubmit={(entered) =>
            entered === code ? void refetch() : setSearch({ code: entered }, { replace: true })
          }
        />
        <FileCheck />
      </div>
    </div>
  );
}

interface CodeFormProps {
  texts: CheckPageTexts;
  initialCode: string;
  isBusy: boolean;
  onSubmit: (code: string) => void;
}

function CodeForm({ texts, initialCode, isBusy, onSubmit }: CodeFormProps) {
  const [text, setText] = useState(initialCode);
  const [hasTried, setHasTried] = useState(false);
  const code = codeIn(text);
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        setHasTried(true);
        if (code === '') focusOn('Code');
        else if (!isBusy) onSubmit(code);
      }}
    >
      <TextField
        name="Code"
        label={texts.code}
        description={texts.codeHint}
        dir="ltr"
        maxLength={300}
        autoComplete="off"
        value={text}
        onChange={setText}
        error={hasTried && code === '' ? texts.codeMissing : undefined}
      />
      <div>
        <Button type="submit" isPending={isBusy}>
          {texts.submit}
        </Button>
      </div>
    </form>
  );
}

async function toBase64(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  // A call with hundreds of thousands of arguments fails.
  for (let start = 0; start < bytes.length; start += 8192)
    text += String.fromCharCode(...bytes.subarray(start, start + 8192));
  return btoa(text);
}

const toneOf = { genuine: 'success', changed: 'danger', unknown: 'warning' } as const;

/** Checks the electronic seal of a file. */
function FileCheck() {
  const { t } = useTranslation('invoices');
  const [file, setFile] = useState<File>();
  const isTooLarge = file !== undefined && file.size > maximumSealedFileBytes;
  const { mutate, data, error, isPending } = useMutation<{ state: SealState }, ApiError, File>({
    mutationFn: async (chosen) =>
      chosen.size === 0
        ? { state: 'unknown' }
        : send(checkSealedFile, {
            body: { content: await toBase64(chosen) },
            skipErrorHandling: true,
          }),
  });
  const result = isTooLarge || isPending ? undefined : data;
  return (
    <section className="flex flex-col gap-4 border-t border-ink-100 pt-6">
      <h2 className="text-xl">{t('check.file.title')}</h2>
      <p className="text-ink-700">{t('check.file.text')}</p>
      <div>
        <FileButton
          label={t('check.file.button')}
          pendingLabel={t('check.file.pending')}
          isPending={isPending}
          accept={['application/pdf']}
          onChoose={(chosen) => {
            setFile(chosen);
            if (chosen.size <= maximumSealedFileBytes) mutate(chosen);
          }}
        />
      </div>
      {file ? <bdi className="text-sm break-all text-ink-600">{file.name}</bdi> : null}
      {isTooLarge ? (
        <Alert tone="danger" isLive>
          {t('check.file.tooLarge')}
        </Alert>
      ) : null}
      {error && !isTooLarge ? (
        <Alert tone="danger" isLive>
          {messageOf(error)}
        </Alert>
      ) : null}
      {result ? (
        <Alert tone={toneOf[result.state]} isLive>
          {t(`check.file.states.${result.state}`)}
        </Alert>
      ) : null}
    </section>
  );
}
