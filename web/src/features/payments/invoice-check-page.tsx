import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiError } from '#lib/api/api-error.ts';
import { messageOf } from '#lib/api/handle-error.ts';
import { send } from '#lib/api/send.ts';
import { useCall } from '#lib/api/use-call.ts';
import { useHomeAddress } from '#lib/auth/home-address.ts';
import { focusOn } from '#lib/browser/focus-on.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { useSearchParams } from '#lib/router/router-provider.tsx';
import { Button } from '#ui/actions/button.tsx';
import { Card } from '#ui/data/card.tsx';
import { KeyValueList } from '#ui/data/key-value-list.tsx';
import { PageHeader } from '#ui/data/page-header.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { FileButton } from '#ui/files/file-button.tsx';
import { TextField } from '#ui/forms/text-field.tsx';
import { Money } from '#ui/values/money.tsx';
import { Reference } from '#ui/values/reference.tsx';
import {
  checkInvoice,
  checkSealedFile,
  maximumSealedFileBytes,
  type InvoiceCheck,
  type SealState,
} from '@diwan/contract/requests/payments';

/** The code in what somebody typed or pasted: the code itself, or the whole address. */
const codeIn = (text: string): string => (/[?&]code=([^&\s]+)/.exec(text)?.[1] ?? text).trim();

/**
 * The page to which the QR code of an invoice leads. It shows what the code confirms, to be compared
 * with the document.
 */
export function InvoiceCheckPage() {
  const { t } = useTranslation(['invoices', 'shell']);
  const home = useHomeAddress();
  const [search, setSearch] = useSearchParams();
  const code = codeIn(search.get('code') ?? '').slice(0, 100);
  const title = t('check.title');
  usePageTitle(title);
  const { data, error, isFetching, refetch } = useCall(checkInvoice, {
    query: { Code: code },
    enabled: code !== '',
    skipErrorHandling: true,
  });
  return (
    <div className="page pb-16">
      <PageHeader
        title={title}
        lead={t('check.intro')}
        crumbs={[{ label: t('shell:navigation.home'), to: home }, { label: title }]}
      />
      <div className="flex max-w-form flex-col gap-6">
        {error ? (
          <Alert tone="danger" isLive>
            {messageOf(error)}
          </Alert>
        ) : null}
        {code !== '' && !data && isFetching ? <SkeletonRows count={3} /> : null}
        {data && code !== '' ? <CheckResult check={data} /> : null}
        <CodeForm
          key={code}
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

function CheckResult({ check }: { check: InvoiceCheck }) {
  const { t } = useTranslation('invoices');
  const { date } = useFormat();
  const { kind, number, total, issuedOn, state } = check;
  if (!check.isGenuine || !kind || !issuedOn)
    return (
      <Alert tone="danger" title={t('check.unknown')} isLive>
        {t('check.unknownText')}
      </Alert>
    );
  return (
    <>
      <Alert tone="success" title={t('check.genuine')} isLive>
        {t('check.genuineText')}
      </Alert>
      <Card>
        <KeyValueList
          items={[
            { label: t('check.kind'), value: t(`check.kinds.${kind}`) },
            { label: t('check.number'), value: <Reference>{number ?? ''}</Reference> },
            ...(total === undefined
              ? []
              : [{ label: t('check.total'), value: <Money fils={total} /> }]),
            { label: t('check.issued'), value: <bdi>{date(`${issuedOn}T00:00:00+04:00`)}</bdi> },
            ...(state ? [{ label: t('check.state'), value: t(`check.states.${state}`) }] : []),
          ]}
        />
      </Card>
    </>
  );
}

interface CodeFormProps {
  initialCode: string;
  isBusy: boolean;
  onSubmit: (code: string) => void;
}

function CodeForm({ initialCode, isBusy, onSubmit }: CodeFormProps) {
  const { t } = useTranslation('invoices');
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
        label={t('check.code')}
        description={t('check.codeHint')}
        dir="ltr"
        maxLength={300}
        autoComplete="off"
        value={text}
        onChange={setText}
        error={hasTried && code === '' ? t('check.codeMissing') : undefined}
      />
      <div>
        <Button type="submit" isPending={isBusy}>
          {t('check.submit')}
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
