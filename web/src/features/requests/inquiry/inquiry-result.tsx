import { useTranslation } from 'react-i18next';
import { Card } from '../../../ui/data/card.tsx';
import { KeyValueList } from '../../../ui/data/key-value-list.tsx';
import { LinkButton } from '../../../ui/actions/link-button.tsx';
import { Moment } from '../../../ui/values/moment.tsx';
import { Reference } from '../../../ui/values/reference.tsx';
import { StatusTag } from '../../../ui/values/status-tag.tsx';
import { TextLink } from '../../../ui/actions/text-link.tsx';
import { detailsLink } from '../data/details-link.ts';
import type { InquiryReply } from './inquiry.data.ts';

export function InquiryResult({ reply, isSignedIn }: { reply: InquiryReply; isSignedIn: boolean }) {
  const { t } = useTranslation('requests');
  const { items, totalCount } = reply;
  return (
    <section aria-labelledby="inquiry-result" className="flex animate-rise flex-col gap-4">
      <h2 id="inquiry-result" className="text-lg">
        {totalCount > 1 ? t('inquiry.found', { count: totalCount }) : t('inquiry.result')}
      </h2>
      {totalCount > items.length ? (
        <p className="text-ink-600">{t('inquiry.shown', { number: items.length })}</p>
      ) : null}
      {items.map((glance) => (
        <Card key={glance.requestNumber}>
          <StatusTag tone={glance.statusTone} size="lg">
            {glance.statusName}
          </StatusTag>
          <p className="mt-3 max-w-form">{glance.statusDescription}</p>
          <div className="mt-4 border-t border-ink-100 pt-4">
            <KeyValueList
              items={[
                {
                  label: t('fields.number'),
                  value: (
                    <strong className="font-semibold">
                      <Reference>{glance.requestNumber}</Reference>
                    </strong>
                  ),
                },
                { label: t('fields.service'), value: glance.serviceName },
                { label: t('fields.agency'), value: glance.governmentAgencyName },
                { label: t('fields.sentOn'), value: <Moment at={glance.createdAt} as="date" /> },
                { label: t('fields.changedOn'), value: <Moment at={glance.updatedAt} /> },
              ]}
            />
          </div>
          {isSignedIn ? (
            <div className="mt-4">
              <LinkButton variant="secondary" {...detailsLink(glance.requestNumber)}>
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
