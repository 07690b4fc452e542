import { configuration } from '#lib/browser/configuration.ts';
import { Reference } from './reference.tsx';

/** Whether there is a phone or an email of support to point to. */
function hasSupport(): boolean {
  const { supportPhone, supportEmail } = configuration();
  return supportPhone !== '' || supportEmail !== '';
}

const link = 'link inline-block py-1';

export function SupportPhone() {
  const { supportPhone } = configuration();
  return supportPhone === '' ? null : (
    <a href={`tel:${supportPhone.replaceAll(' ', '')}`} className={link}>
      <Reference>{supportPhone}</Reference>
    </a>
  );
}

export function SupportEmail() {
  const { supportEmail } = configuration();
  return supportEmail === '' ? null : (
    <a href={`mailto:${supportEmail}`} className={link}>
      <Reference>{supportEmail}</Reference>
    </a>
  );
}

/** A sentence that sends people to support, with what there is of phone and email; else nothing. */
export function SupportLine({ text, className }: { text: string; className?: string }) {
  return hasSupport() ? (
    <p className={className}>
      <span>{text}</span>{' '}
      <span className="inline-flex flex-wrap gap-x-4">
        <SupportPhone />
        <SupportEmail />
      </span>
    </p>
  ) : null;
}
