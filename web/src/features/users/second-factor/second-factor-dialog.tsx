import { useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { SendError } from '../../../lib/api/send-error.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import { SecondFactorProof, type Proof } from './second-factor-proof.tsx';

interface SecondFactorDialogProps {
  title: string;
  send: string;
  isDanger?: boolean;
  asksPassword: boolean;
  action: { error: SendError | null; isPending: boolean; reset: () => void };
  onProof: (proof: Proof) => void;
  onClose: () => void;
  children: ReactNode;
}

/** Something that is changed of a second factor, for whoever proves again who they are. */
export function SecondFactorDialog({
  title,
  send,
  isDanger,
  asksPassword,
  action,
  onProof,
  onClose,
  children,
}: SecondFactorDialogProps) {
  const { t } = useTranslation('security');
  const form = useId();
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      isBusy={action.isPending}
      actions={
        <>
          <Button
            type="submit"
            form={form}
            variant={isDanger ? 'danger' : 'primary'}
            isPending={action.isPending}
            pendingLabel={t('factor.working')}
          >
            {send}
          </Button>
          <Button variant="secondary" isDisabled={action.isPending} onPress={onClose}>
            {t('factor.cancel')}
          </Button>
        </>
      }
    >
      <SecondFactorProof
        id={form}
        asksPassword={asksPassword}
        codeLabel={t('state.code')}
        error={action.error}
        onChange={action.reset}
        onProof={(proof) => {
          if (!action.isPending) onProof(proof);
        }}
      >
        <p className="text-ink-600">{children}</p>
      </SecondFactorProof>
    </Dialog>
  );
}
