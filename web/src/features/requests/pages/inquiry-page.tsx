import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { messageOf } from '../../../lib/api/handle-error.ts';
import { usePageTitle } from '../../../lib/page/page-title.ts';
import { SendError } from '../../../lib/api/send-error.ts';
import { useSession } from '../../../lib/api/session.ts';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { LinkButton } from '../../../ui/actions/link-button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { PageHeader } from '../../../ui/data/page-header.tsx';
import { SkeletonRows } from '../../../ui/feedback/skeleton.tsx';
import { InquiryCodeForm } from '../inquiry/inquiry-code-form.tsx';
import { InquiryForm } from '../inquiry/inquiry-form.tsx';
import { InquiryResult } from '../inquiry/inquiry-result.tsx';
import {
  inquiryTake,
  mayBeMobile,
  useInquiryByMobile,
  useInquiryByNumber,
} from '../inquiry/inquiry.data.ts';

export function InquiryPage() {
  const { t } = useTranslation('requests');
  usePageTitle(t('inquiry.title'));
  const isSignedIn = useSession() !== null;
  const [search, setSearch] = useSearchParams();
  const requestNumber = (search.get('request-number') ?? '').trim().slice(0, 60);
  const [mobile, setMobile] = useState('');
  const [needsCode, setNeedsCode] = useState(false);
  const byNumber = useInquiryByNumber(mobile === '' ? requestNumber : '');
  const byMobile = useInquiryByMobile();

  const ask = (keyword: string) => {
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
    byMobile.mutate(
      { query: { SearchKeyword: keyword, Take: inquiryTake } },
      {
        onError: (error) => {
          if (error.name === 'VerificationCodeRequired') setNeedsCode(true);
        },
      },
    );
  };
  const askWithCode = (code: string) =>
    byMobile.mutate({
      query: { SearchKeyword: mobile, VerificationCode: code, Take: inquiryTake },
    });
  const startAgain = () => {
    setNeedsCode(false);
    setMobile('');
    byMobile.reset();
  };

  const asked = mobile === '' ? byNumber : byMobile;
  const isBusy = mobile === '' ? byNumber.isFetching : byMobile.isPending;
  const isAboutCode =
    asked.error instanceof SendError &&
    (asked.error.name === 'VerificationCodeRequired' ||
      (needsCode && asked.error.name === 'VerificationCodeWrong'));
  const reply = asked.data;
  const isWaitingForCode = needsCode && !reply;

  return (
    <div className="page pb-16">
      <PageHeader title={t('inquiry.title')} lead={t('inquiry.lead')} />
      <div className="max-w-form">
        {isWaitingForCode ? (
          <InquiryCodeForm
            mobile={mobile}
            isBusy={isBusy}
            error={
              byMobile.error?.name === 'VerificationCodeWrong'
                ? messageOf(byMobile.error)
                : undefined
            }
            onSubmit={askWithCode}
            onCancel={startAgain}
          />
        ) : (
          <InquiryForm
            key={requestNumber}
            start={mobile || requestNumber}
            isBusy={isBusy}
            onSubmit={ask}
          />
        )}
        <div className="pt-8" aria-live="polite">
          {asked.error && !isAboutCode ? (
            <Notice tone="danger" isLive title={t('inquiry.failed')}>
              {messageOf(asked.error)}
            </Notice>
          ) : null}
          {isBusy && !isWaitingForCode && !reply ? <SkeletonRows count={1} /> : null}
          {reply && !asked.error && reply.items.length === 0 ? (
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
          ) : null}
          {reply && !asked.error && reply.items.length > 0 ? (
            <InquiryResult reply={reply} isSignedIn={isSignedIn} />
          ) : null}
        </div>
      </div>
    </div>
  );
}
