import { StaticText } from './static-text.tsx';

const sections = [
  'collected',
  'purpose',
  'sharing',
  'device',
  'keeping',
  'security',
  'rights',
  'questions',
] as const;

export function PrivacyPage() {
  return <StaticText name="privacy" sections={sections} isExample />;
}
