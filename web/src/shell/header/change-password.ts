import { createContext, type ComponentType } from 'react';

export type LoadDialog = () => Promise<ComponentType<{ isOpen: boolean; onClose: () => void }>>;

/**
 * The dialog belongs to a feature, which the shell does not know; `routes.tsx` puts the two
 * together.
 */
export const ChangePassword = createContext<LoadDialog>(() =>
  Promise.reject(new Error('no dialog')),
);
