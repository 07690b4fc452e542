import { useTranslation } from 'react-i18next';
import { LinkButton } from '../../ui/actions/link-button.tsx';
import { StaticText } from './static-text.tsx';

const sections = [
  'scope',
  'registration',
  'verification',
  'activation',
  'work',
  'people',
  'money',
  'ending',
] as const;

export function ProviderTermsPage() {
  const { t } = useTranslation('static');
  return (
    <StaticText
      name="providerTerms"
      sections={sections}
      isExample
      action={<LinkButton to="/partner/register">{t('providerTerms.register')}</LinkButton>}
    />
  );
}
