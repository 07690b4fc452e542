import { DocumentCheck, kindOfCode, useCheckedCode } from '#features/payments/document-check.tsx';
import { CertificateStateTag } from '#features/requests/record/request-certificate.tsx';
import { useCall } from '#lib/api/use-call.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Card } from '#ui/data/card.tsx';
import { KeyValueList } from '#ui/data/key-value-list.tsx';
import { Alert } from '#ui/feedback/alert.tsx';
import { Reference } from '#ui/values/reference.tsx';
import {
  checkCertificate,
  type CertificateCheck,
} from '@diwan/contract/content/issued-certificates';

/**
 * The page to which the QR code of a certificate leads. It shows enough of the certificate to compare
 * a paper with it.
 */
export function CertificateCheckPage() {
  const { t } = useTranslation('certificates');
  const code = useCheckedCode();
  const check = useCall(checkCertificate, {
    query: { Code: code },
    enabled: code !== '' && kindOfCode(code) === 'certificate',
    skipErrorHandling: true,
  });
  return (
    <DocumentCheck
      kind="certificate"
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

function CheckResult({ check }: { check: CertificateCheck }) {
  const { t } = useTranslation('certificates');
  const { date } = useFormat();
  const { isGenuine, number, state, issuedOn, language, validUntil, revokedOn } = check;
  if (!isGenuine || !number || !state || !issuedOn || !language)
    return (
      <Alert tone="danger" title={t('check.unknown')} isLive>
        {t('check.unknownText')}
      </Alert>
    );
  const dayOf = (day: string) => <bdi>{date(`${day}T00:00:00+04:00`)}</bdi>;
  // As it is printed.
  const printed = (text: string | undefined) => <bdi lang={language}>{text ?? ''}</bdi>;
  return (
    <>
      <Alert tone={state === 'valid' ? 'success' : 'danger'} title={t(`check.${state}`)} isLive>
        {state === 'valid' ? null : <p>{t('check.doNotUse')}</p>}
        <p>{t('check.compare')}</p>
      </Alert>
      <Card>
        <KeyValueList
          items={[
            { label: t('labels.state'), value: <CertificateStateTag state={state} /> },
            ...(revokedOn ? [{ label: t('labels.revokedOn'), value: dayOf(revokedOn) }] : []),
            { label: t('labels.number'), value: <Reference>{number}</Reference> },
            { label: t('check.titleLabel'), value: printed(check.title) },
            { label: t('check.service'), value: printed(check.service) },
            { label: t('check.agency'), value: printed(check.agency) },
            {
              label: t('check.holder'),
              value: (
                <span className="flex flex-col items-start gap-1">
                  {printed(check.holder)}
                  <span className="text-sm text-ink-600">{t('check.holderHint')}</span>
                </span>
              ),
            },
            ...(check.namedFor
              ? [{ label: t('document.namedFor'), value: printed(check.namedFor) }]
              : []),
            ...(check.sentBy
              ? [{ label: t('document.sentBy'), value: printed(check.sentBy) }]
              : []),
            { label: t('labels.issued'), value: dayOf(issuedOn) },
            {
              label: t('labels.validUntil'),
              value: validUntil ? dayOf(validUntil) : t('labels.noEnd'),
            },
            {
              label: t('document.digest'),
              value: (
                <span className="flex flex-col items-start gap-1">
                  <Reference>{check.digest ?? ''}</Reference>
                  <span className="text-sm text-ink-600">{t('check.digestHint')}</span>
                </span>
              ),
            },
          ]}
        />
      </Card>
    </>
  );
}
