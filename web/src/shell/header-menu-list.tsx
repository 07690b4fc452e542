import type { ReactNode, RefObject } from 'react';
import { Menu, MenuItem, Popover } from 'react-aria-components';

export interface HeaderMenuItem {
  id: string;
  text: string;
  /** The language of its text, where it is not the page's. */
  lang?: string;
  icon?: ReactNode;
}

interface HeaderMenuListProps {
  label: string;
  button: RefObject<HTMLButtonElement | null>;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  heading?: ReactNode;
  items: readonly HeaderMenuItem[];
  selected?: string;
  onChoose: (id: string) => void;
}

export function HeaderMenuList({ label, button, isOpen, onOpenChange, heading, items, selected, onChoose }: HeaderMenuListProps) {
  return (
    <Popover trigger="MenuTrigger" triggerRef={button} isOpen={isOpen} onOpenChange={onOpenChange} placement="bottom end" aria-label={label} className="min-w-44 rounded-md border border-ink-200 bg-white p-1 shadow-soft data-entering:animate-enter">
      {heading}
      {/* A menu that opens takes the focus, and gives it back. */}
      <Menu
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus="first" aria-label={label} onClose={() => onOpenChange(false)} onAction={(id) => onChoose(String(id))} className="outline-none"
        {...(selected === undefined ? {} : { selectionMode: 'single', selectedKeys: [selected] } as const)}
      >
        {items.map((item) => (
          <MenuItem key={item.id} id={item.id} textValue={item.text} className="flex min-h-11 cursor-pointer items-center gap-3 rounded-md px-3 outline-none data-focused:bg-gold-50 data-selected:font-semibold data-selected:text-gold-800">
            {item.icon}
            <span lang={item.lang}>{item.text}</span>
          </MenuItem>
        ))}
      </Menu>
    </Popover>
  );
}
