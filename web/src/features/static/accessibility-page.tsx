import { StaticText } from './static-text.tsx';

const sections = ['standard', 'features', 'limits', 'feedback'] as const;

export function AccessibilityPage() {
  return <StaticText name="accessibility" sections={sections} />;
}
