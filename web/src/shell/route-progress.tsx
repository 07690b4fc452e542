import { useNavigation } from 'react-router';

/**
 * A thin line at the top while the next page is fetched; it waits a moment, so that quick pages
 * show none.
 */
export function RouteProgress() {
  const navigation = useNavigation();
  if (navigation.state === 'idle') return null;
  return (
    <div
      aria-hidden
      className="fixed inset-x-0 top-0 z-60 h-1 origin-left animate-progress bg-primary rtl:origin-right"
    />
  );
}
