interface FileNameProps {
  name: string;
  className?: string;
}

/** A file's name in its own direction. Its ending stands by itself: beside Arabic, a number before it would be shown behind it. */
export function FileName({ name, className }: FileNameProps) {
  const dot = name.lastIndexOf('.');
  const end = dot > 0 ? dot : name.length;
  return <bdi className={className}>{name.slice(0, end)}<bdi dir="ltr">{name.slice(end)}</bdi></bdi>;
}
