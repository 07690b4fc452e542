import { CircleCheck, Flag } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { longestMarkText, markKey, type ShownMark } from '@diwan/contract/requests/return-marks';
import { Button } from '../../../ui/actions/button.tsx';
import { FileName } from '../../../ui/files/file-name.tsx';
import { TextAreaField } from '../../../ui/forms/text-area-field.tsx';

interface MendMarkProps {
  marks: readonly ShownMark[];
  explanations: Readonly<Record<string, string>>;
  onExplain: (key: string, text: string) => void;
  /** The keys of marks that the person left as they are, once they tried to send. */
  left: readonly string[];
  /** The documents that are asked for anew are named, so that it is clear which. */
  fileNameOf: (attachmentId: string) => string | undefined;
  children: ReactNode;
}

/**
 * One thing to mend: what staff ask for, the control, and the way to say that it is right as it is.
 */
export function MendMark({
  marks,
  explanations,
  onExplain,
  left,
  fileNameOf,
  children,
}: MendMarkProps) {
  const { t } = useTranslation('returns');
  return (
    <li className="flex flex-col gap-4 rounded-lg border border-ink-200 bg-white p-4 md:p-6">
      {marks.map((mark) => {
        const fileName =
          mark.attachmentId === undefined ? undefined : fileNameOf(mark.attachmentId);
        return (
          <div
            key={markKey(mark)}
            className="flex items-start gap-3 border-s-4 border-amber-300 bg-amber-50 px-3 py-2"
          >
            <span className="flex h-[1lh] items-center text-amber-800">
              <Flag aria-hidden size={18} className="shrink-0" />
            </span>
            <div className="min-w-0">
              {fileName ? (
                <p className="text-sm text-ink-600">
                  {t('mend.instead')} <FileName name={fileName} className="wrap-anywhere" />
                </p>
              ) : marks.length > 1 || mark.field.split('.').length > 2 ? (
                <p className="text-sm text-ink-600">{mark.title}</p>
              ) : null}
              <p dir="auto" className="text-start font-medium whitespace-pre-line wrap-anywhere">
                {mark.message}
              </p>
            </div>
          </div>
        );
      })}
      {children}
      {marks.map((mark) => (
        <Explanation
          key={markKey(mark)}
          mark={mark}
          title={marks.length > 1 ? mark.title : undefined}
          value={explanations[markKey(mark)] ?? ''}
          onChange={(text) => onExplain(markKey(mark), text)}
          isLeft={left.includes(markKey(mark))}
        />
      ))}
    </li>
  );
}

function Explanation({
  mark,
  title,
  value,
  onChange,
  isLeft,
}: {
  mark: ShownMark;
  title: string | undefined;
  value: string;
  onChange: (text: string) => void;
  isLeft: boolean;
}) {
  const { t } = useTranslation('returns');
  const [isOpen, setIsOpen] = useState(value !== '');
  if (!isOpen && !isLeft) {
    return (
      <div>
        <Button
          variant="quiet"
          size="sm"
          icon={<CircleCheck aria-hidden size={18} />}
          aria-label={`${t('mend.rightAsItIs')}: ${mark.title}`}
          onPress={() => setIsOpen(true)}
        >
          {t('mend.rightAsItIs')}
        </Button>
      </div>
    );
  }
  return (
    <TextAreaField
      name={`why:${markKey(mark)}`}
      label={title ? `${t('mend.explain')}: ${title}` : t('mend.explain')}
      description={t('mend.explainHint')}
      rows={2}
      maxLength={longestMarkText}
      isOptional={!isLeft}
      value={value}
      onChange={onChange}
      error={isLeft ? t('mend.notMended') : undefined}
    />
  );
}
