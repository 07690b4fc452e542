import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import { useRef } from 'react';
import { useAction, useCall } from '#lib/api/use-call.ts';
import { useSearchFilters } from '#lib/browser/search-params.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { usePageTitle } from '#lib/page/head.ts';
import { Link } from '#lib/router/link.tsx';
import { Button } from '#ui/actions/button.tsx';
import { IconButton } from '#ui/actions/icon-button.tsx';
import { LinkButton } from '#ui/actions/links.tsx';
import { ChangeHistory } from '#ui/data/change-history.tsx';
import { AdminPageHeader } from '#ui/data/page-header.tsx';
import { EditorForm, useRecordEditor } from '#ui/editing/editor-form.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { SelectField } from '#ui/forms/select-field.tsx';
import {
  getLegalOrder,
  isLegalPage,
  legalPageNames,
  saveLegalOrder,
  type LegalOrder,
  type LegalPageName,
} from '@diwan/contract/content/legal-pages';
import { pages } from '@diwan/contract/portal/pages';
import { textLink } from './texts.data.ts';

interface Draft {
  shown: readonly string[];
}
const draftOf = (order: LegalOrder | undefined): Draft => ({
  shown: order?.shown.map(({ key }) => key) ?? [],
});

const without = (keys: readonly string[], index: number) => keys.toSpliced(index, 1);
const swapped = (keys: readonly string[], index: number, by: 1 | -1) => {
  const [own, other] = [keys[index], keys[index + by]];
  return own === undefined || other === undefined
    ? keys
    : keys.with(index, other).with(index + by, own);
};

const rowClass = 'flex flex-wrap items-center gap-x-2 gap-y-1 border-b border-ink-100 py-1.5';

function SectionRow({
  to,
  title,
  index,
  shown,
  onChange,
}: {
  to: string;
  title: string;
  index: number;
  shown: readonly string[];
  onChange: (shown: readonly string[]) => void;
}) {
  const { t } = useTranslation('texts');
  return (
    <li className={rowClass}>
      <Link to={to} className="link min-w-0 flex-1">
        {title}
      </Link>
      <IconButton
        label={t('legal.up', { title })}
        isDisabled={index === 0}
        onPress={() => onChange(swapped(shown, index, -1))}
      >
        <ArrowUp aria-hidden size={18} />
      </IconButton>
      <IconButton
        label={t('legal.down', { title })}
        isDisabled={index === shown.length - 1}
        onPress={() => onChange(swapped(shown, index, 1))}
      >
        <ArrowDown aria-hidden size={18} />
      </IconButton>
      <IconButton
        label={t('legal.remove', { title })}
        isDisabled={shown.length === 1}
        onPress={() => onChange(without(shown, index))}
      >
        <Trash2 aria-hidden size={18} />
      </IconButton>
    </li>
  );
}

function OrderForm({
  order,
  onReload,
}: {
  order: LegalOrder;
  onReload: () => Promise<LegalOrder | undefined>;
}) {
  const { t } = useTranslation('texts');
  const editor = useRecordEditor(`legal-order.${order.page}`, order, draftOf);
  const { base = order, draft } = editor;
  const sent = useRef(draft);
  const save = useAction(saveLegalOrder, {
    skipErrorHandling: true,
    onSuccess: (saved) => {
      showToast(t('legal.published'), 'success');
      editor.continueWith(saved, sent.current);
      void onReload();
    },
    onError: async (failure) =>
      editor.fail(failure, failure.name === 'RecordHasChanged' ? await onReload() : undefined),
  });
  const all = [...base.shown, ...base.removed];
  const titleOf = (key: string) => all.find((each) => each.key === key)?.title ?? key;
  const removed = all.filter(({ key }) => !draft.shown.includes(key));
  const isEdited = draft.shown.join() !== draftOf(base).shown.join();
  const change = (shown: readonly string[]) => editor.change({ shown });
  return (
    <EditorForm
      call={saveLegalOrder}
      editor={editor}
      draftOf={draftOf}
      conflictsOf={(mine, theirs) => [
        {
          label: t('legal.shown'),
          mine: mine.shown.map(titleOf).join('\n'),
          theirs: theirs.shown.map(titleOf).join('\n'),
        },
      ]}
      isPending={save.isPending}
      onSubmit={(over) => {
        sent.current = draft;
        save.mutate({
          body: { page: base.page, version: (over ?? base).version, shown: [...draft.shown] },
        });
      }}
    >
      <div className="flex max-w-form flex-col gap-6">
        <section>
          <h2 className="pb-2 text-lg">{t('legal.shown')}</h2>
          <ol>
            {draft.shown.map((key, index) => (
              <SectionRow
                key={key}
                to={textLink({ noun: 'legal', key: `${base.page}.${key}.text` })}
                title={titleOf(key)}
                index={index}
                shown={draft.shown}
                onChange={change}
              />
            ))}
          </ol>
          <p className="pt-2 text-sm text-ink-600">{t('legal.adding')}</p>
        </section>
        {removed.length > 0 ? (
          <section>
            <h2 className="pb-2 text-lg">{t('legal.removed')}</h2>
            <ul>
              {removed.map(({ key, title }) => (
                <li key={key} className={rowClass}>
                  <span className="min-w-0 flex-1">{title}</span>
                  <Button
                    variant="secondary"
                    size="sm"
                    icon={<Plus aria-hidden size={16} />}
                    onPress={() => change([...draft.shown, key])}
                  >
                    {t('legal.bringBack')}
                    <span className="sr-only">{`: ${title}`}</span>
                  </Button>
                </li>
              ))}
            </ul>
          </section>
        ) : null}
        <div className="flex flex-wrap items-center gap-3">
          <Button
            call={saveLegalOrder}
            type="submit"
            isDisabled={!isEdited}
            isPending={save.isPending}
          >
            {t('legal.publish')}
          </Button>
          {isEdited && !editor.discard ? (
            <Button variant="secondary" onPress={() => editor.restart(base)}>
              {t('discard')}
            </Button>
          ) : null}
          <p role="status" className="text-sm text-ink-600">
            {isEdited ? t('legal.unsaved') : ''}
          </p>
        </div>
      </div>
    </EditorForm>
  );
}

/** The sections of a legal page: their order, removed ones, and the way to their texts. */
export function LegalOrderPage() {
  const { t } = useTranslation(['texts', 'static']);
  const filters = useSearchFilters('change', 'of');
  const chosen = filters.values.of;
  const page: LegalPageName = isLegalPage(chosen) ? chosen : 'terms';
  usePageTitle(t('legal.title'));
  const { data, error, refetch, isRefetching } = useCall(getLegalOrder, {
    query: { Page: page },
    skipErrorHandling: true,
  });
  return (
    <div className="page flex flex-col gap-6 pb-16">
      <AdminPageHeader
        title={t('legal.title')}
        lead={t('legal.lead')}
        parent={{ label: t('title'), to: '/dashboard/texts' }}
        action={
          <LinkButton variant="secondary" to={pages[page].path}>
            {t('legal.open')}
          </LinkButton>
        }
      />
      <div className="max-w-form">
        <SelectField
          label={t('legal.page')}
          value={page}
          onChange={(name) => filters.change({ of: name })}
          choices={legalPageNames.map((name) => ({
            value: name,
            label: t(`static:${name}.title`),
          }))}
        />
      </div>
      {error && !data ? (
        <ErrorState error={error} title={t('failed')} onRetry={refetch} isRetrying={isRefetching} />
      ) : !data || data.page !== page ? (
        <SkeletonRows count={8} />
      ) : (
        <>
          <OrderForm key={page} order={data} onReload={async () => (await refetch()).data} />
          <ChangeHistory entity="text" entityId={`legal.${page}`} />
        </>
      )}
    </div>
  );
}
