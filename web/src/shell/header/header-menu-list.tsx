import type { ComponentProps, ReactNode, RefObject } from 'react';
import { Menu, MenuItem, Popover, RouterProvider } from 'react-aria-components';
import { classNames } from '#lib/browser/class-names.ts';
import { useNavigate } from '#lib/router/router-provider.tsx';
import { useCloseWatcher } from '#ui/feedback/close-watcher.ts';

export interface HeaderMenuItem {
  id: string;
  text: string;
  /** The language of the text, where it differs from that of the page. */
  lang?: string;
  icon?: ReactNode;
  /** Shown after the text, at the end of the line. */
  end?: ReactNode;
  /** The path of a link; an item without one calls `onChoose`. */
  href?: string;
  isCurrent?: boolean;
}

interface HeaderMenuListProps {
  label: string;
  button: RefObject<HTMLButtonElement | null>;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  heading?: ReactNode;
  items: readonly HeaderMenuItem[];
  selected?: string;
  onChoose?: (id: string) => void;
}

const markCurrent = (props: ComponentProps<'a'> | ComponentProps<'div'>) => (
  <a {...(props as ComponentProps<'a'>)} aria-current="page">
    {props.children}
  </a>
);

export function HeaderMenuList({
  label,
  button,
  isOpen,
  onOpenChange,
  heading,
  items,
  selected,
  onChoose,
}: HeaderMenuListProps) {
  const navigate = useNavigate();
  useCloseWatcher(isOpen, () => onOpenChange(false));
  return (
    <RouterProvider navigate={(path) => void navigate(path)}>
      <Popover
        trigger="MenuTrigger"
        triggerRef={button}
        isOpen={isOpen}
        onOpenChange={onOpenChange}
        placement="bottom end"
        aria-label={label}
        className="min-w-44 rounded-md border border-ink-200 bg-white p-1 shadow-soft data-entering:animate-enter"
      >
        {heading}
        {/* The menu gets the focus when it opens and returns it when it closes. */}
        <Menu
          autoFocus="first"
          aria-label={label}
          onClose={() => onOpenChange(false)}
          onAction={(id) => onChoose?.(String(id))}
          className="outline-none"
          {...(selected === undefined
            ? {}
            : ({ selectionMode: 'single', selectedKeys: [selected] } as const))}
        >
          {items.map((item) => (
            <MenuItem
              key={item.id}
              id={item.id}
              textValue={item.text}
              href={item.href}
              className={classNames(
                'flex min-h-11 cursor-pointer items-center gap-3 rounded-md px-3 text-ink-900',
                'no-underline outline-none data-focused:bg-gold-50 data-selected:font-semibold',
                'data-selected:text-gold-800 aria-[current=page]:font-semibold',
                'aria-[current=page]:text-gold-800',
              )}
              // MenuItem does not pass aria-current on.
              {...(item.isCurrent ? { render: markCurrent } : {})}
            >
              {item.icon}
              <span lang={item.lang}>{item.text}</span>
              {item.end}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </RouterProvider>
  );
}
