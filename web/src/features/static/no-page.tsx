import type { ReactNode } from 'react';
import { Star } from '../../ui/theme/motif.tsx';

/** In place of a page that cannot be shown: what happened, what is known of it, and ways on. */
export function NoPage({
  title,
  message,
  text,
  children,
}: {
  title: string;
  message: string;
  text: string;
  children: ReactNode;
}) {
  return (
    <div className="page py-12 md:py-20">
      <span className="text-gold-500">
        <Star size={104} />
      </span>
      <h1 className="mt-6 text-2xl">{title}</h1>
      <p className="mt-3 max-w-form text-lg">{message}</p>
      <p className="mt-2 max-w-form text-ink-600">{text}</p>
      <div className="mt-8 flex flex-wrap items-center gap-3">{children}</div>
    </div>
  );
}
