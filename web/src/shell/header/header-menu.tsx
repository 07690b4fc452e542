import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useLazyComponent } from '#lib/page/lazy-component.ts';
import type { HeaderMenuItem } from './header-menu-list.tsx';

interface HeaderMenuProps {
  /** The accessible name of the menu. */
  label: string;
  className: string;
  /** The content of the button. */
  children: ReactNode;
  /** Shown above the items. */
  heading?: ReactNode;
  items: readonly HeaderMenuItem[];
  selected?: string;
  onChoose?: (id: string) => void;
}

/** A button of the header that opens a menu. The code of the menu loads on the first approach. */
export function HeaderMenu({ label, className, children, onChoose, ...rest }: HeaderMenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const {
    component: List,
    preload,
    load,
  } = useLazyComponent(async () => (await import('./header-menu-list.tsx')).HeaderMenuList);
  /** The item that was chosen while the menu closes. */
  const chosen = useRef<string>(undefined);
  // A dialog that opens returns the focus to what had it: the button, not the item that is gone. The
  // menu would return it one frame later.
  useEffect(() => {
    if (isOpen || chosen.current === undefined) return;
    button.current?.focus();
    onChoose?.(chosen.current);
    chosen.current = undefined;
  }, [isOpen, onChoose]);
  const open = () => load(() => setIsOpen(true));
  const onKeyDown = (event: KeyboardEvent) => {
    // react-aria takes the click of a key for that of a screen reader, and then it often does not
    // focus the first item.
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
        onPointerEnter={preload}
        onFocus={preload}
        className={className}
      >
        {children}
      </button>
      {List ? (
        <List
          {...rest}
          label={label}
          button={button}
          isOpen={isOpen}
          onOpenChange={setIsOpen}
          onChoose={(id) => {
            // A link moves the focus to the page that it opens.
            if (!rest.items.find((item) => item.id === id)?.href) chosen.current = id;
          }}
        />
      ) : null}
    </>
  );
}
