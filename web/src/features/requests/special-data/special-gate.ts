import { createContext, use } from 'react';
import type { AttachmentRule, FormField, SpecialData } from '@diwan/contract/forms/forms';
import { specialKindsOf, type SpecialItem } from '@diwan/contract/forms/special-data';

/** Whose questions and documents of special data are shown only after a consent. */
interface SpecialGateOfForm {
  agency: string;
  rules: readonly AttachmentRule[];
  hasConsented: (kind: SpecialData) => boolean;
  consent: (kinds: readonly SpecialData[]) => void;
}

const gateOfForm = createContext<SpecialGateOfForm | undefined>(undefined);

/** Without it all questions are shown: what a request already holds, and previews of a form. */
export const SpecialGate = gateOfForm.Provider;

const isOpenIn = (gate: SpecialGateOfForm, kinds: readonly (SpecialData | undefined)[]) =>
  kinds.every((kind) => kind === undefined || gate.hasConsented(kind));

/** What waits for the consent: of fields, by `isClosed`, and as items for the question. */
export function useSpecialGate() {
  const gate = use(gateOfForm);
  const ruleOf = ({ kind, attachment }: FormField) =>
    kind === 'file' ? gate?.rules.find(({ name }) => name === attachment) : undefined;
  const kindsOfField = (field: FormField) => [...specialKindsOf(field), ruleOf(field)?.special];
  const toItems = (title: SpecialItem['title'], kinds: readonly (SpecialData | undefined)[]) =>
    kinds.flatMap((kind) => (kind && !gate?.hasConsented(kind) ? [{ kind, title }] : []));
  return {
    gate,
    isClosed: (field: FormField) => gate !== undefined && !isOpenIn(gate, kindsOfField(field)),
    itemsOf: (fields: readonly FormField[]): SpecialItem[] =>
      fields.flatMap((field) => toItems(field.title, kindsOfField(field))),
    itemsOfRules: (rules: readonly AttachmentRule[]): SpecialItem[] =>
      gate ? rules.flatMap(({ title, special }) => toItems(title, [special])) : [],
  };
}
