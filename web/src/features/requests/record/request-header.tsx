import { Copy, Link as LinkIcon } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { showToast } from '#lib/browser/toasts.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Link } from '#lib/router/link.tsx';
import { IconButton } from '#ui/actions/icon-button.tsx';
import { Breadcrumbs } from '#ui/data/breadcrumbs.tsx';
import { Moment } from '#ui/values/moment.tsx';
import { Reference } from '#ui/values/reference.tsx';
import { StatusTag } from '#ui/values/status-tag.tsx';
import type { RequestRecord } from '@diwan/contract/requests/requests';
import { useActorName } from './actor-name.tsx';

interface RequestHeaderProps {
  record: RequestRecord;
  /** The address of the list from which the user came. */
  list: string;
  listName: string;
  action?: ReactNode;
  /** Shown beside the dates. */
  note?: ReactNode;
}

export function RequestHeader({ record, list, listName, action, note }: RequestHeaderProps) {
  const { t } = useTranslation('requests');
  return (
    <div className="flex flex-col gap-3 pt-4 pb-6 md:pt-6">
      <Breadcrumbs crumbs={[{ label: listName, to: list }, { label: record.serviceName }]} />
      <div className="flex items-start gap-4">
        <img
          src={record.governmentAgency.logo}
          alt=""
          width={56}
          height={56}
          className="size-12 shrink-0 md:size-14"
        />
        <div className="min-w-0 grow">
          <h1 className="text-xl md:text-2xl">{record.serviceName}</h1>
          <p className="text-ink-600">{record.governmentAgency.name}</p>
        </div>
        {action}
      </div>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <StatusTag tone={record.statusTone} size="lg">
          {record.statusName}
        </StatusTag>
        <div className="flex flex-wrap items-center">
          <span className="me-2 text-sm text-ink-500">{t('fields.number')}</span>
          <RequestNumber record={record} />
        </div>
        {note}
        <RequestOrigin record={record} />
      </div>
    </div>
  );
}

/** The number, with buttons that copy it and the link to the request. */
export function RequestNumber({
  record: { requestNumber, requestLink },
}: Pick<RequestHeaderProps, 'record'>) {
  const { t } = useTranslation('requests');
  const copy = (text: string, confirmation: string) =>
    navigator.clipboard.writeText(text).then(
      () => showToast(confirmation, 'success'),
      () => undefined,
    );
  return (
    <>
      <strong className="font-semibold">
        <Reference>{requestNumber}</Reference>
      </strong>
      <span data-no-print className="inline-flex">
        <IconButton
          label={t('number.copy')}
          onPress={() => void copy(requestNumber, t('number.copied'))}
        >
          <Copy aria-hidden size={18} />
        </IconButton>
        <IconButton
          label={t('number.copyLink')}
          onPress={() => void copy(requestLink, t('number.linkCopied'))}
        >
          <LinkIcon aria-hidden size={18} />
        </IconButton>
      </span>
    </>
  );
}

/** When the request was sent, by whom for somebody else, and under which legal texts. */
export function RequestOrigin({
  record: { createdAt, sentBy, sentUnder, specialConsents = [] },
}: Pick<RequestHeaderProps, 'record'>) {
  const { t } = useTranslation('requests');
  const actorName = useActorName();
  const { date } = useFormat();
  return (
    <>
      <p className="text-sm text-ink-500">
        {t('fields.sentOn')}{' '}
        <span className="text-ink-800">
          <Moment at={createdAt} as="date" />
        </span>
      </p>
      {sentBy ? (
        <p className="text-sm text-ink-500">
          {t('actors.sentBy')}{' '}
          <span className="text-ink-800">
            {actorName({
              kind: sentBy.actedFor.by === 'counter' ? 'employee' : 'applicant',
              name: sentBy.name,
              actedFor: sentBy.actedFor,
            })}
          </span>
        </p>
      ) : null}
      {sentUnder.length > 0 ? (
        <p className="text-sm text-ink-500">
          {t('sentUnder.label')}{' '}
          {sentUnder.map(({ page, id, publishedAt }, index) => (
            <Fragment key={id}>
              <span>{index > 0 ? ' · ' : null}</span>
              <Link to={`/legal/${id}`} className="link">
                {t(`sentUnder.${page === 'terms' ? 'terms' : 'privacy'}`, {
                  day: date(publishedAt),
                })}
              </Link>
            </Fragment>
          ))}
        </p>
      ) : null}
      {specialConsents.length > 0 ? (
        <p className="text-sm text-ink-500">
          {t('sentUnder.consents')}{' '}
          {specialConsents.map(({ kind, at, versionId }, index) => (
            <Fragment key={kind}>
              <span>{index > 0 ? ' · ' : null}</span>
              <Link to={versionId ? `/legal/${versionId}` : '/privacy-policy'} className="link">
                {t('sentUnder.consent', { kind: t(`sentUnder.kinds.${kind}`), day: date(at) })}
              </Link>
            </Fragment>
          ))}{' '}
          <Link to="/privacy-policy#special" className="link">
            {t('sentUnder.withdrawConsent')}
          </Link>
        </p>
      ) : null}
    </>
  );
}
