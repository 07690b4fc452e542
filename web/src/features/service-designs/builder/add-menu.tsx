import { Plus } from 'lucide-react';
import {
  Button,
  Header,
  Menu,
  MenuItem,
  MenuSection,
  MenuTrigger,
  Popover,
} from 'react-aria-components';
import { useTranslation } from '#lib/i18n/translate.ts';
import { buttonStyle } from '#ui/actions/button.tsx';
import { popoverStyle } from '#ui/forms/list-option.tsx';
import type { DraftDocument } from '@diwan/contract/catalogue/service-document';
import type { FieldKind } from '@diwan/contract/forms/forms';
import { kindGroups, type Edited, type Place } from '../model/document-parts.ts';
import {
  addAttachment,
  addFee,
  addField,
  addRule,
  addSection,
  addStep,
} from '../model/edit-parts.ts';

const ruleKinds = [
  'account',
  'standing',
  'nationality',
  'age',
  'licence',
  'emirate',
  'statement',
] as const;

interface AddMenuProps {
  document: DraftDocument;
  place: Place;
  onAdd: (edited: Edited) => void;
}

function MenuButton({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <MenuTrigger>
      <Button className={buttonStyle('secondary', 'sm')}>
        <Plus aria-hidden size={18} />
        <span>{label}</span>
      </Button>
      <Popover className={popoverStyle}>{children}</Popover>
    </MenuTrigger>
  );
}

const itemStyle =
  'flex min-h-11 cursor-default items-center rounded-sm px-3 outline-none data-focused:bg-gold-50 md:min-h-9';
const headerStyle = 'px-3 pt-3 pb-1 text-sm font-semibold text-ink-500';

/** What can be added: a question of each kind, and the other parts of a service. */
export function AddMenu({ document, place, onAdd }: AddMenuProps) {
  const { t } = useTranslation('designer');
  const others: Record<string, () => Edited> = {
    step: () => addStep(document, place),
    section: () => addSection(document, place),
    attachment: () => addAttachment(document),
    fee: () => addFee(document),
  };
  return (
    <>
      <MenuButton label={t('add.question')}>
        <Menu
          aria-label={t('add.question')}
          onAction={(kind) => onAdd(addField(document, place, kind as FieldKind))}
          className="max-h-96 overflow-auto p-1 outline-none"
        >
          {kindGroups.map(({ name, kinds }) => (
            <MenuSection key={name}>
              <Header className={headerStyle}>{t(`add.groups.${name}`)}</Header>
              {kinds.map((kind) => (
                <MenuItem key={kind} id={kind} className={itemStyle}>
                  {t(`kinds.${kind}`)}
                </MenuItem>
              ))}
            </MenuSection>
          ))}
        </Menu>
      </MenuButton>
      <MenuButton label={t('add.other')}>
        <Menu
          aria-label={t('add.other')}
          onAction={(key) => {
            const rule = ruleKinds.find((kind) => `rule ${kind}` === key);
            const edited = rule ? addRule(document, rule) : others[String(key)]?.();
            if (edited) onAdd(edited);
          }}
          className="max-h-96 overflow-auto p-1 outline-none"
        >
          <MenuSection>
            <Header className={headerStyle}>{t('add.groups.parts')}</Header>
            {Object.keys(others).map((kind) => (
              <MenuItem key={kind} id={kind} className={itemStyle}>
                {t(`parts.${kind}`)}
              </MenuItem>
            ))}
          </MenuSection>
          <MenuSection>
            <Header className={headerStyle}>{t('parts.eligibility')}</Header>
            {ruleKinds.map((kind) => (
              <MenuItem key={kind} id={`rule ${kind}`} className={itemStyle}>
                {t(`ruleKinds.${kind}`)}
              </MenuItem>
            ))}
          </MenuSection>
        </Menu>
      </MenuButton>
    </>
  );
}
