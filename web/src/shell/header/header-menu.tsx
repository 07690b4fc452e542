import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useLatePart } from '../../lib/page/late-part.ts';
import type { HeaderMenuItem } from './header-menu-list.tsx';

interface HeaderMenuProps {
  /** What the menu is, in words. */
  label: string;
  className: string;
  /** What the button shows. */
  children: ReactNode;
  /** Over the items. */
  heading?: ReactNode;
  items: readonly HeaderMenuItem[];
  selected?: string;
  onChoose?: (id: string) => void;
}

/**
 * A button of the header with a menu under it; the menu itself comes when somebody reaches for it.
 */
export function HeaderMenu({ label, className, children, ...rest }: HeaderMenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const {
    part: List,
    prepare,
    whenHere,
  } = useLatePart(async () => (await import('./header-menu-list.tsx')).HeaderMenuList);
  const open = () => whenHere(() => setIsOpen(true));
  const onKeyDown = (event: KeyboardEvent) => {
    // A click that a key makes looks to react-aria like one of a screen reader, and the focus would
    // then often stay outside of the first item.
    if (!['ArrowDown', 'ArrowUp', 'Enter', ' '].includes(event.key)) return;
    event.preventDefault();
    open();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={open}
        onKeyDown={onKeyDown}
        onPointerEnter={prepare}
        onFocus={prepare}
        className={className}
      >
        {children}
      </button>
      {List ? (
        <List {...rest} label={label} button={button} isOpen={isOpen} onOpenChange={setIsOpen} />
      ) : null}
    </>
  );
}
