import {
  Banknote,
  Building2,
  FileText,
  Handshake,
  History,
  LayoutList,
  PanelsTopLeft,
  ReceiptText,
  Search,
  UserRound,
  type LucideIcon,
} from 'lucide-react';
import { useEffect, useState } from 'react';
import {
  Dialog,
  Header,
  Heading,
  Input,
  ListBox,
  ListBoxItem,
  ListBoxSection,
  Modal,
  ModalOverlay,
  SearchField,
} from 'react-aria-components';
import { Autocomplete } from 'react-aria-components/Autocomplete';
import { messageOf } from '#lib/api/handle-error.ts';
import { mayCall, type Session } from '#lib/api/session.ts';
import { useCall } from '#lib/api/use-call.ts';
import { classNames } from '#lib/browser/class-names.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { containsText } from '#lib/i18n/normalize.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { useNavigate } from '#lib/router/router-provider.tsx';
import { useCloseWatcher } from '#ui/feedback/close-watcher.ts';
import { getServiceDesign } from '@diwan/contract/catalogue/service-designs';
import { findAnything, minimumFindText } from '@diwan/contract/requests/request-lists';
import { navigationFor } from '../navigation/visibility.ts';
import {
  itemsOf,
  loadRecent,
  paletteKinds,
  storeRecent,
  type PaletteItem,
  type PaletteKind,
} from './palette-items.ts';

const icons: Record<PaletteKind, LucideIcon> = {
  requests: FileText,
  documents: ReceiptText,
  payments: Banknote,
  pages: PanelsTopLeft,
  people: UserRound,
  services: LayoutList,
  companies: Building2,
  partners: Handshake,
};

const debounceMs = 150;

/** The text some time after its last change. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), debounceMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** The pages that the user sees in the navigation. */
function usePages(session: Session): PaletteItem[] {
  const { t } = useTranslation('shell');
  const { work, management } = navigationFor(session);
  return [...work, ...management].map(({ name, to }) => ({
    kind: 'pages',
    name: t(`navigation.${name}`),
    to,
  }));
}

function useItems(session: Session, typed: string) {
  const { t } = useTranslation('palette');
  const format = useFormat();
  const pages = usePages(session);
  const text = typed.trim();
  const settled = useSettled(text);
  const isLongEnough = text.length >= minimumFindText;
  const found = useCall(findAnything, {
    query: { Text: settled },
    enabled: isLongEnough && settled.length >= minimumFindText,
    skipErrorHandling: true,
    keepPrevious: true,
  });
  const isSearching = isLongEnough && (settled !== text || found.isFetching);
  const results =
    isLongEnough && found.data
      ? itemsOf(found.data, mayCall(session, getServiceDesign), {
          document: (kind) => t(`documents.${kind}`),
          payment: ({ status, amount, currency }) =>
            [t(`payments.${status}`), format.amount(amount, currency)].join(' · '),
        })
      : [];
  const nameOfPage = (item: PaletteItem) =>
    item.kind === 'pages' ? pages.find(({ to }) => to === item.to) : item;
  return {
    isLongEnough,
    isSearching,
    error: isSearching ? null : found.error,
    isPartial: !isSearching && isLongEnough && (found.data?.unfinished.length ?? 0) > 0,
    items:
      text === '' ? pages : [...results, ...pages.filter(({ name }) => containsText(name, text))],
    recent:
      text === '' ? loadRecent(session.displayName).flatMap((item) => nameOfPage(item) ?? []) : [],
  };
}

function Row({ item, id, isRecent }: { item: PaletteItem; id: string; isRecent?: boolean }) {
  const Icon = isRecent ? History : icons[item.kind];
  return (
    <ListBoxItem
      id={id}
      textValue={[item.name, item.detail].filter(Boolean).join(', ')}
      className={classNames(
        'flex min-h-12 cursor-pointer items-center gap-3 rounded-md px-3 py-2 outline-none',
        'data-focused:bg-gold-50',
      )}
    >
      <Icon aria-hidden size={20} className="shrink-0 text-ink-500" />
      <span className="min-w-0 grow leading-(--leading-control)">
        <bdi className="block w-fit max-w-full truncate font-medium text-ink-900">{item.name}</bdi>
        {item.detail ? (
          <span className="block truncate text-sm text-ink-600">{item.detail}</span>
        ) : null}
      </span>
    </ListBoxItem>
  );
}

const recentPrefix = 'recent ';

function Found({
  session,
  typed,
  onChoose,
}: PaletteProps & { typed: string; onChoose: (item: PaletteItem) => void }) {
  const { t } = useTranslation('palette');
  const { items, recent, isLongEnough, isSearching, isPartial, error } = useItems(session, typed);
  const choose = (key: string) =>
    [...recent, ...items]
      .filter(({ to }) => to === key.replace(recentPrefix, ''))
      .slice(0, 1)
      .forEach(onChoose);
  const groups = paletteKinds
    .map((kind) => ({ kind, items: items.filter((item) => item.kind === kind) }))
    .filter((group) => group.items.length > 0);
  const isEmpty = items.length === 0 && isLongEnough && !isSearching && !error;
  const status = isSearching
    ? t('searching')
    : error
      ? messageOf(error)
      : isEmpty
        ? t('nothing')
        : isPartial
          ? t('partial')
          : !isLongEnough && typed.trim() !== ''
            ? t('more')
            : '';
  return (
    <>
      <p
        role="status"
        className={`min-h-7 px-4 pt-2 text-sm ${error ? 'text-red-700' : 'text-ink-600'}`}
      >
        <span>{status}</span>
        {isLongEnough && !isSearching && items.length > 0 ? (
          <span className="sr-only">{t('count', { count: items.length })}</span>
        ) : null}
      </p>
      <ListBox
        aria-label={t('results')}
        onAction={(key) => choose(String(key))}
        className="min-h-0 grow overflow-y-auto px-2 pb-3 outline-none"
      >
        {recent.length > 0 ? (
          <ListBoxSection id="recent">
            <GroupName text={t('recent')} />
            {recent.map((item) => (
              <Row key={item.to} id={`${recentPrefix}${item.to}`} item={item} isRecent />
            ))}
          </ListBoxSection>
        ) : null}
        {groups.map((group) => (
          <ListBoxSection key={group.kind} id={group.kind}>
            <GroupName text={t(`kinds.${group.kind}`)} />
            {group.items.map((item) => (
              <Row key={item.to} id={item.to} item={item} />
            ))}
          </ListBoxSection>
        ))}
      </ListBox>
    </>
  );
}

const GroupName = ({ text }: { text: string }) => (
  <Header className="px-3 pt-3 pb-1 text-sm font-semibold text-ink-600">{text}</Header>
);

interface PaletteProps {
  session: Session;
}

/** Finds any request, document, payment, page, person, service, company or provider, and opens it. */
export function CommandPalette({
  session,
  isOpen,
  onClose,
}: PaletteProps & { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation('palette');
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const close = () => {
    setTyped('');
    onClose();
  };
  useCloseWatcher(isOpen, close);
  const open = (item: PaletteItem) => {
    const word = typed;
    storeRecent(session.displayName, item);
    close();
    void navigate(item.to, { state: { typed: word } });
  };
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(isStillOpen) => {
        if (!isStillOpen) close();
      }}
      isDismissable
      className="fixed inset-0 z-50 flex bg-shade/55 data-entering:animate-enter"
    >
      <Modal
        className={classNames(
          'mx-auto mt-[max(16px,8dvh)] mb-4 flex h-140 max-h-[calc(100dvh-32px)]',
          'w-[calc(100vw-32px)] max-w-160 flex-col overflow-hidden rounded-lg bg-white shadow-soft',
          'data-entering:animate-rise',
        )}
      >
        <Dialog className="flex min-h-0 grow flex-col outline-none">
          <Heading slot="title" className="sr-only">
            {t('title')}
          </Heading>
          <Autocomplete inputValue={typed} onInputChange={setTyped}>
            <SearchField
              aria-label={t('title')}
              // The palette is opened to type in it.
              autoFocus
              className="flex items-center gap-3 border-b border-ink-100 px-4"
            >
              <Search aria-hidden size={20} className="shrink-0 text-ink-500" />
              <Input
                // React Aria sets aria-controls.
                // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props
                role="combobox"
                aria-expanded
                maxLength={100}
                placeholder={t('placeholder')}
                className={classNames(
                  'min-h-14 w-full bg-transparent text-base outline-none',
                  '[&::-webkit-search-cancel-button]:hidden',
                )}
              />
              <kbd
                aria-hidden
                className="rounded-sm border border-ink-200 px-1.5 text-sm text-ink-500 max-md:hidden"
              >
                Esc
              </kbd>
            </SearchField>
            <Found session={session} typed={typed} onChoose={open} />
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
