import { StaticText } from './static-text.tsx';

const sections = [
  'use',
  'account',
  'requests',
  'fees',
  'refunds',
  'misuse',
  'availability',
  'changes',
] as const;

export function TermsPage() {
  return <StaticText name="terms" sections={sections} isExample />;
}
