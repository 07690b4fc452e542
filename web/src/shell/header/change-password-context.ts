import { createContext, type ComponentType } from 'react';

export type LoadDialog = () => Promise<ComponentType<{ isOpen: boolean; onClose: () => void }>>;

/** Loads the dialog. It belongs to a feature, so `routes.tsx` passes it to the shell. */
export const ChangePasswordContext = createContext<LoadDialog>(() =>
  Promise.reject(new Error('no dialog')),
);
