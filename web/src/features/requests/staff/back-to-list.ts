import { useLocation, useNavigate } from 'react-router';
import { readDetailsLink } from '../data/details-link.ts';

/**
 * Back to the list: by the browser's own way where the list is the page before, so that it is at
 * the same place as it was left.
 */
export function useBackToList(list: string): () => void {
  const navigate = useNavigate();
  const { state } = useLocation();
  const cameFromList =
    readDetailsLink(state, new URLSearchParams()).from === list &&
    (window.history.state as { idx?: number } | null)?.idx !== 0;
  return () => void (cameFromList ? navigate(-1) : navigate(list));
}
