import { useState } from 'react';
import { messageOf } from '#lib/api/handle-error.ts';
import { useSession } from '#lib/api/session.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { useSearchParams } from '#lib/router/router-provider.tsx';
import { LinkButton, TextLink } from '#ui/actions/links.tsx';
import { Card } from '#ui/data/card.tsx';
import { KeyValueList } from '#ui/data/key-value-list.tsx';
import { PageHeader } from '#ui/data/page-header.tsx';
import { ErrorAlert } from '#ui/feedback/alert.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { Moment } from '#ui/values/moment.tsx';
import { Reference } from '#ui/values/reference.tsx';
import { StatusTag } from '#ui/values/status-tag.tsx';
import { detailsLink } from '../data/details-link.ts';
import { InquiryCodeForm, InquiryForm } from '../inquiry/inquiry-forms.tsx';
import {
  mayBeMobile,
  useInquiryByMobile,
  useInquiryByNumber,
  type InquiryReply,
} from '../inquiry/inquiry.data.ts';
import { ApplicantDueDate } from '../record/due-date.tsx';

/** The inquiry by request number, or by mobile number with a verification code. */
function useInquiry() {
  const [search, setSearch] = useSearchParams();
  const requestNumber = (search.get('request-number') ?? '').trim().slice(0, 60);
  const [mobile, setMobile] = useState('');
  const [needsCode, setNeedsCode] = useState(false);
  const byNumber = useInquiryByNumber(mobile === '' ? requestNumber : '');
  const byMobile = useInquiryByMobile();

  const submit = (keyword: string) => {
    setNeedsCode(false);
    byMobile.reset();
    if (!mayBeMobile(keyword)) {
      setMobile('');
      if (keyword === requestNumber) void byNumber.refetch();
      else setSearch({ 'request-number': keyword });
      return;
    }
    setMobile(keyword);
    if (requestNumber) setSearch({}, { replace: true });
    byMobile.ask(keyword, undefined, {
      onError: (error) => {
        if (error.name === 'VerificationCodeRequired') setNeedsCode(true);
      },
    });
  };
  const submitCode = (code: string) => byMobile.ask(mobile, code);
  const restart = () => {
    setNeedsCode(false);
    setMobile('');
    byMobile.reset();
  };

  const { data: reply, error } = mobile === '' ? byNumber : byMobile;
  const isBusy = mobile === '' ? byNumber.isFetching : byMobile.isPending;
  const isWaitingForCode = needsCode && !reply;
  const codeErrors = needsCode
    ? ['VerificationCodeRequired', 'VerificationCodeWrong']
    : ['VerificationCodeRequired'];
  return {
    requestNumber,
    mobile,
    reply: error ? undefined : reply,
    /** An error of the inquiry itself, not of the verification code. */
    error: error && !codeErrors.includes(error.name) ? error : null,
    codeError: byMobile.error?.name === 'VerificationCodeWrong' ? byMobile.error : null,
    isBusy,
    isLoading: isBusy && !isWaitingForCode && !reply,
    isWaitingForCode,
    submit,
    submitCode,
    restart,
  };
}

export function InquiryPage() {
  const { t } = useTranslation('requests');
  usePageTitle(t('inquiry.title'));
  const inquiry = useInquiry();
  const { requestNumber, mobile, reply, error, codeError, isBusy } = inquiry;
  return (
    <div className="page pb-16">
      <PageHeader title={t('inquiry.title')} lead={t('inquiry.lead')} />
      <div className="max-w-form">
        {inquiry.isWaitingForCode ? (
          <InquiryCodeForm
            mobile={mobile}
            isBusy={isBusy}
            error={codeError ? messageOf(codeError) : undefined}
            onSubmit={inquiry.submitCode}
            onCancel={inquiry.restart}
          />
        ) : (
          <InquiryForm
            key={requestNumber}
            initialKeyword={mobile || requestNumber}
            isBusy={isBusy}
            onSubmit={inquiry.submit}
          />
        )}
        <div className="pt-8" aria-live="polite">
          <ErrorAlert error={error} title={t('inquiry.failed')} />
          {inquiry.isLoading ? <SkeletonRows count={1} /> : null}
          {reply ? <InquiryResult reply={reply} /> : null}
        </div>
      </div>
    </div>
  );
}

function InquiryResult({ reply: { items, totalCount } }: { reply: InquiryReply }) {
  const { t } = useTranslation('requests');
  const isSignedIn = useSession() !== null;
  if (items.length === 0)
    return (
      <EmptyState
        title={t('inquiry.notFoundTitle')}
        action={
          <LinkButton variant="secondary" to={isSignedIn ? '/requests' : '/account/login'}>
            {t(isSignedIn ? 'record.toList' : 'inquiry.signIn')}
          </LinkButton>
        }
      >
        {t('inquiry.notFoundText')}
      </EmptyState>
    );
  return (
    <section aria-labelledby="inquiry-result" className="flex animate-rise flex-col gap-4">
      <h2 id="inquiry-result" className="text-lg">
        {totalCount > 1 ? t('inquiry.found', { count: totalCount }) : t('inquiry.result')}
      </h2>
      {totalCount > items.length ? (
        <p className="text-ink-600">{t('inquiry.shown', { number: items.length })}</p>
      ) : null}
      {items.map((request) => (
        <Card key={request.requestNumber}>
          <StatusTag tone={request.statusTone} size="lg">
            {request.statusName}
          </StatusTag>
          {request.statusDescription ? (
            <p className="mt-3 max-w-form">{request.statusDescription}</p>
          ) : null}
          <ApplicantDueDate request={request} isShort />
          <div className="mt-4 border-t border-ink-100 pt-4">
            <KeyValueList
              items={[
                {
                  label: t('fields.number'),
                  value: (
                    <strong className="font-semibold">
                      <Reference>{request.requestNumber}</Reference>
                    </strong>
                  ),
                },
                { label: t('fields.service'), value: request.serviceName },
                { label: t('fields.agency'), value: request.governmentAgencyName },
                ...(request.applicantName
                  ? [
                      {
                        label: t('fields.applicant'),
                        value: <bdi>{request.applicantName}</bdi>,
                      },
                    ]
                  : []),
                { label: t('fields.sentOn'), value: <Moment at={request.createdAt} as="date" /> },
                { label: t('fields.changedOn'), value: <Moment at={request.updatedAt} /> },
              ]}
            />
          </div>
          {isSignedIn ? (
            <div className="mt-4">
              <LinkButton variant="secondary" {...detailsLink(request.requestNumber)}>
                {t('inquiry.details')}
              </LinkButton>
            </div>
          ) : null}
        </Card>
      ))}
      {isSignedIn ? null : (
        <p>
          <TextLink to="/account/login">{t('inquiry.signIn')}</TextLink>
        </p>
      )}
    </section>
  );
}
