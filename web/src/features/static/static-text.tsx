import { useTranslation } from 'react-i18next';
import { usePageTitle } from '../../lib/page-title.ts';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

/** A page of plain text: a title, a line that it is a demonstration, and short sections. */
export function StaticText({ name, sections }: { name: 'terms' | 'privacy' | 'accessibility'; sections: readonly string[] }) {
  const { t } = useTranslation('static');
  const { t: shell } = useTranslation('shell');
  usePageTitle(t(`${name}.title`));
  return (
    <div className="page pb-16">
      <PageHeader title={t(`${name}.title`)} crumbs={[{ label: shell('navigation.home'), to: '/home' }, { label: t(`${name}.title`) }]} />
      <div className="flex max-w-form flex-col gap-8">
        <Notice>{t('demonstration')}</Notice>
        {sections.map((section) => (
          <section key={section}>
            <h2 className="mb-2 text-lg">{t(`${name}.${section}.title`)}</h2>
            <p className="text-ink-700">{t(`${name}.${section}.text`)}</p>
          </section>
        ))}
      </div>
    </div>
  );
}
