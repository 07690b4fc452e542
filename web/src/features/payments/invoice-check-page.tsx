import { useCall } from '#lib/api/use-call.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Card } from '#ui/data/card.tsx';
import { KeyValueList } from '#ui/data/key-value-list.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { Money } from '#ui/values/money.tsx';
import { Reference } from '#ui/values/reference.tsx';
import { checkInvoice, type InvoiceCheck } from '@diwan/contract/requests/payments';
import { DocumentCheck, kindOfCode, useCheckedCode } from './document-check.tsx';

/**
 * The page to which the QR code of an invoice leads. It shows what the code confirms, to be compared
 * with the document.
 */
export function InvoiceCheckPage() {
  const { t } = useTranslation('invoices');
  const code = useCheckedCode();
  const check = useCall(checkInvoice, {
    query: { Code: code },
    enabled: code !== '' && kindOfCode(code) === 'invoice',
    skipErrorHandling: true,
  });
  return (
    <DocumentCheck
      kind="invoice"
      texts={{
        title: t('check.title'),
        intro: t('check.intro'),
        code: t('check.code'),
        codeHint: t('check.codeHint'),
        submit: t('check.submit'),
        codeMissing: t('check.codeMissing'),
      }}
      check={check}
    >
      {check.data ? <CheckResult check={check.data} /> : null}
    </DocumentCheck>
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
