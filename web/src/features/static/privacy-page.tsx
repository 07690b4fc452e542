import { StaticText } from './static-text.tsx';

const sections = ['collected', 'purpose', 'sharing', 'rights'] as const;

export function PrivacyPage() {
  return <StaticText name="privacy" sections={sections} />;
}
