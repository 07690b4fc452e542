import { StaticText } from './static-text.tsx';

const sections = ['use', 'requests', 'fees', 'changes'] as const;

export function TermsPage() {
  return <StaticText name="terms" sections={sections} />;
}
