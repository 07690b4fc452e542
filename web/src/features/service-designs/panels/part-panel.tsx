import { Plus } from 'lucide-react';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { kindOfPlace, type Edited } from '../model/document-parts.ts';
import { addAttachment, addFee, addField, addStep } from '../model/edit-parts.ts';
import { FieldPanel } from './field-panel.tsx';
import type { PanelProps } from './panel-props.ts';
import { AttachmentPanel, FeePanel, HeadingPanel } from './part-panels.tsx';
import { RulePanel } from './rule-panel.tsx';
import { AboutPanel, OutcomePanel, TermsPanel } from './service-panels.tsx';

interface PartPanelProps extends PanelProps {
  title: string;
  isPublished: boolean;
  onAdd: (edited: Edited) => void;
}

/** A page that only lists parts says what they are for, and adds one. */
function ListPanel({ kind, add }: { kind: string; add?: () => void }) {
  const { t } = useTranslation('designer');
  return (
    <>
      <p className="text-ink-600">{t(`lists.${kind}`)}</p>
      {add ? (
        <div>
          <Button variant="secondary" size="sm" icon={<Plus aria-hidden size={16} />} onPress={add}>
            {t(`listAdd.${kind}`)}
          </Button>
        </div>
      ) : null}
    </>
  );
}

function Content(props: PartPanelProps) {
  const { document, place, onAdd } = props;
  switch (kindOfPlace(place)) {
    case 'about':
      return <AboutPanel {...props} />;
    case 'terms':
      return <TermsPanel {...props} />;
    case 'outcome':
      return <OutcomePanel {...props} />;
    case 'form':
      return <ListPanel kind="form" add={() => onAdd(addStep(document, place))} />;
    case 'attachments':
      return <ListPanel kind="attachments" add={() => onAdd(addAttachment(document))} />;
    case 'fees':
      return <ListPanel kind="fees" add={() => onAdd(addFee(document))} />;
    case 'eligibility':
      return <ListPanel kind="eligibility" />;
    case 'attachment':
      return <AttachmentPanel {...props} />;
    case 'fee':
      return <FeePanel {...props} />;
    case 'rule':
      return <RulePanel {...props} />;
    case 'step':
      return (
        <>
          <HeadingPanel {...props} />
          <AddQuestion {...props} />
        </>
      );
    case 'section':
      return (
        <>
          <HeadingPanel {...props} />
          <AddQuestion {...props} />
        </>
      );
    default:
      return <FieldPanel {...props} />;
  }
}

function AddQuestion({ document, place, onAdd }: PartPanelProps) {
  const { t } = useTranslation('designer');
  return (
    <div>
      <Button
        variant="secondary"
        size="sm"
        icon={<Plus aria-hidden size={16} />}
        onPress={() => onAdd(addField(document, place, 'text'))}
      >
        {t('heading.addQuestion')}
      </Button>
    </div>
  );
}

/** The settings of the chosen part. */
export function PartPanel(props: PartPanelProps) {
  const { t } = useTranslation('designer');
  const kind = kindOfPlace(props.place);
  const name = t(`parts.${kind}`);
  return (
    <section
      aria-label={name}
      data-surface
      className="rounded-lg border border-ink-100 bg-white p-4 md:p-6"
    >
      <h2 tabIndex={-1} className="mb-5 text-lg">
        {props.title === '' || props.title === name ? (
          name
        ) : (
          <>
            <span>{name}</span>: <bdi>{props.title}</bdi>
          </>
        )}
      </h2>
      <div className="flex flex-col gap-6">
        <Content {...props} />
      </div>
    </section>
  );
}
