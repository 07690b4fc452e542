import { createContext, use } from 'react';
import type { AttachmentRule, ServiceForm } from '@diwan/contract/forms/forms';
import type { DocumentUploadsState } from '../documents/use-document-uploads.ts';

interface DocumentsOfForm {
  /** The service of a new request, which looks up fines; a request that was sent keeps its own. */
  serviceId?: number;
  rules: readonly AttachmentRule[];
  uploads: DocumentUploadsState;
  /** Errors of the server, by the name of the rule. */
  errors: Readonly<Record<string, string | undefined>>;
}

const documentsOfForm = createContext<DocumentsOfForm | undefined>(undefined);

/**
 * Provides the documents of the request to fields of kind `file`; without it such fields are empty.
 */
export const FormDocuments = documentsOfForm.Provider;

export function useFormDocuments(): DocumentsOfForm | undefined {
  return use(documentsOfForm);
}

/** The rules without a field in a step: those of the documents stage. */
export function rulesApart(form: ServiceForm, rules: readonly AttachmentRule[]): AttachmentRule[] {
  const places = new Set(
    form.steps.flatMap((step) => step.fields.flatMap((field) => field.attachment ?? [])),
  );
  return rules.filter((rule) => !places.has(rule.name));
}
