import { StaticText } from './static-text.tsx';

const sections = ['standard', 'features', 'tested', 'limits', 'feedback', 'prepared'] as const;

export function AccessibilityPage() {
  return <StaticText name="accessibility" sections={sections} />;
}
