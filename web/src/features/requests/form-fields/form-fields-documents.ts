import { createContext, use } from 'react';
import type { AttachmentRule, ServiceForm } from '@diwan/contract/forms/forms';
import type { DocumentUploads } from '../documents/document-uploads-state.ts';

interface DocumentsOfForm {
  rules: readonly AttachmentRule[];
  uploads: DocumentUploads;
  /** What the server found wrong, by the name of the rule. */
  errors: Readonly<Record<string, string | undefined>>;
}

const documentsOfForm = createContext<DocumentsOfForm | undefined>(undefined);

/**
 * Gives the fields of kind `file` the documents of the request; without it such fields show
 * nothing.
 */
export const FormDocuments = documentsOfForm.Provider;

export function useFormDocuments(): DocumentsOfForm | undefined {
  return use(documentsOfForm);
}

/** The rules that no step asks for in place: those of the documents step. */
export function rulesApart(form: ServiceForm, rules: readonly AttachmentRule[]): AttachmentRule[] {
  const places = new Set(
    form.steps.flatMap((step) => step.fields.flatMap((field) => field.attachment ?? [])),
  );
  return rules.filter((rule) => !places.has(rule.name));
}
