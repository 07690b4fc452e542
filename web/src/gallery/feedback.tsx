import type { ReactNode } from 'react';
import { ApiError, connectionError } from '../lib/api/api-error.ts';
import { showToast, type ToastTone } from '../lib/browser/toasts.ts';
import { Button } from '../ui/actions/button.tsx';
import { KeyValueList } from '../ui/data/key-value-list.tsx';
import { Alert, ErrorAlert, type AlertTone } from '../ui/feedback/alert.tsx';
import { AnnouncementSlot } from '../ui/feedback/announcement-slot.tsx';
import { Announcements } from '../ui/feedback/announcements.tsx';
import { ConfirmDialog, type ConfirmDialogProps } from '../ui/feedback/confirm-dialog.tsx';
import { Dialog, type DialogProps } from '../ui/feedback/dialog.tsx';
import { EmptyState } from '../ui/feedback/empty-state.tsx';
import { ErrorState } from '../ui/feedback/error-state.tsx';
import { LiveState } from '../ui/feedback/live-state.tsx';
import { ProgressBar } from '../ui/feedback/progress-bar.tsx';
import {
  Skeleton,
  SkeletonBar,
  SkeletonRow,
  SkeletonRows,
  SkeletonText,
} from '../ui/feedback/skeleton.tsx';
import { Toasts } from '../ui/feedback/toasts.tsx';
import { CloseButton, ignore, Opener, type Examples, type Stories } from './story.tsx';

const dialog = (
  texts: Examples,
  title: string,
  content: ReactNode,
  props: Pick<DialogProps, 'kind' | 'isBusy'> = {},
) => (
  <Opener label={title}>
    {(close) => (
      <Dialog
        {...props}
        isOpen
        title={title}
        onClose={close}
        actions={
          <>
            <Button onPress={close}>{texts.continue}</Button>
            <Button variant="quiet" onPress={close}>
              {texts.cancel}
            </Button>
          </>
        }
      >
        {content}
      </Dialog>
    )}
  </Opener>
);

const confirmDialog = (texts: Examples, props: Partial<ConfirmDialogProps> = {}) => (
  <Opener label={texts.dialogTitle}>
    {(close) => (
      <ConfirmDialog
        isPending={false}
        otherAction={props.isPending ? <CloseButton onPress={close} /> : undefined}
        {...props}
        title={texts.dialogTitle}
        confirmLabel={texts.remove}
        cancelLabel={texts.cancel}
        onConfirm={close}
        onClose={close}
      >
        <p>{texts.dialogText}</p>
      </ConfirmDialog>
    )}
  </Opener>
);

const paragraphs = (texts: Examples, count: number) =>
  Array.from({ length: count }, (_, index) => (
    <p key={index} className="mb-4">
      {texts.paragraph}
    </p>
  ));

const alertTones: readonly AlertTone[] = ['info', 'success', 'warning', 'danger'];
const toastTones: readonly ToastTone[] = ['info', 'success', 'danger'];

/** Dialogs cover the page, so buttons open them. */
const dialogStories: Stories = (texts) => [
  {
    name: 'Dialog',
    states: {
      default: dialog(texts, texts.dialogTitle, texts.paragraph),
      'long content': dialog(texts, texts.longTitle, paragraphs(texts, 12)),
      wide: dialog(
        texts,
        texts.wideTitle,
        <KeyValueList items={texts.steps.map((label) => ({ label, value: texts.cardText }))} />,
        { kind: 'wide' },
      ),
      panel: dialog(texts, texts.panelTitle, paragraphs(texts, 2), { kind: 'panel' }),
      busy: dialog(texts, texts.panelTitle, texts.paragraph, { isBusy: true }),
    },
  },
  {
    name: 'ConfirmDialog',
    states: {
      default: confirmDialog(texts),
      dangerous: confirmDialog(texts, { isDangerous: true }),
      disabled: confirmDialog(texts, { isDisabled: true }),
      pending: confirmDialog(texts, { isPending: true, pendingLabel: texts.submitting }),
      'with a third action': confirmDialog(texts, {
        otherAction: <Button variant="secondary">{texts.edit}</Button>,
      }),
    },
  },
];

export const feedbackStories: Stories = (texts) => {
  const failure = new ApiError(500, 'InternalServerError', '');
  failure.requestId = '7f3a91c204';
  return [
    {
      name: 'Announcements',
      isWide: true,
      states: {
        'those of the server': <Announcements />,
        'loaded on demand': <AnnouncementSlot />,
      },
    },
    {
      name: 'Alert',
      states: {
        ...Object.fromEntries(
          alertTones.map((tone) => [
            tone,
            <Alert key={tone} tone={tone} title={texts.alerts[tone].title}>
              {texts.alerts[tone].text}
            </Alert>,
          ]),
        ),
        'title only': <Alert title={texts.alerts.info.title} />,
        'text only': <Alert tone="warning">{texts.alerts.warning.text}</Alert>,
        'live, with action': (
          <Alert
            tone="warning"
            isLive
            title={texts.alerts.warning.title}
            action={
              <Button size="sm" variant="secondary">
                {texts.continue}
              </Button>
            }
          >
            {texts.paragraph}
          </Alert>
        ),
      },
    },
    {
      name: 'ErrorAlert',
      states: {
        'refused by the server': <ErrorAlert error={failure} />,
        'without a connection': <ErrorAlert error={connectionError()} title={texts.failedTitle} />,
        'no error': <ErrorAlert error={null} />,
      },
    },
    ...dialogStories(texts),
    {
      name: 'Toasts',
      states: {
        'shown for 3 seconds': (
          <div className="flex flex-wrap gap-3">
            {toastTones.map((tone) => (
              <Button
                key={tone}
                size="sm"
                variant="secondary"
                onPress={() => showToast(texts.toasts[tone], tone)}
              >
                {texts.toasts[tone]}
              </Button>
            ))}
            <Toasts />
          </div>
        ),
      },
    },
    {
      name: 'LiveState',
      states: {
        connected: <LiveState state="connected" />,
        connecting: <LiveState state="connecting" />,
        reconnecting: <LiveState state="reconnecting" />,
        disconnected: <LiveState state="disconnected" />,
      },
    },
    {
      name: 'EmptyState',
      isWide: true,
      states: {
        'title only': <EmptyState title={texts.emptyTitle} />,
        'with text and action': (
          <EmptyState
            title={texts.emptyTitle}
            action={<Button onPress={ignore}>{texts.emptyAction}</Button>}
          >
            {texts.emptyText}
          </EmptyState>
        ),
      },
    },
    {
      name: 'ErrorState',
      isWide: true,
      states: {
        default: <ErrorState error={failure} />,
        'with retry': (
          <ErrorState error={connectionError()} title={texts.failedTitle} onRetry={ignore} />
        ),
        'retrying, with further texts': (
          <ErrorState
            error={connectionError()}
            title={texts.failedTitle}
            safety={texts.safety}
            onRetry={ignore}
            isRetrying
            action={<Button variant="quiet">{texts.cancel}</Button>}
          />
        ),
      },
    },
    {
      name: 'ProgressBar',
      states: {
        'nothing done': <ProgressBar label={texts.dialogTitle} value={0} max={10} />,
        'half done': <ProgressBar label={texts.dialogTitle} value={5} max={10} />,
        done: <ProgressBar label={texts.dialogTitle} value={10} max={10} />,
      },
    },
    {
      name: 'Skeleton',
      states: {
        default: <Skeleton />,
        'SkeletonText with five lines': <SkeletonText lines={5} />,
        SkeletonBar: <SkeletonBar className="h-8 w-1/2" />,
        SkeletonRow: <SkeletonRow />,
        SkeletonRows: <SkeletonRows count={2} />,
      },
    },
  ];
};
