import { StaticText } from './static-text.tsx';

const sections = ['scope', 'parties', 'data', 'consent', 'limits', 'protection', 'rights'] as const;

export function DataSharingPage() {
  return <StaticText name="dataSharing" sections={sections} isExample />;
}
