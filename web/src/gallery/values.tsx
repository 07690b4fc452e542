import { statusTones } from '@diwan/contract/requests/workflow';
import { AddressLine } from '../ui/values/address-line.tsx';
import { LegalText } from '../ui/values/legal-text.tsx';
import { Moment } from '../ui/values/moment.tsx';
import { Money } from '../ui/values/money.tsx';
import { OfficeState } from '../ui/values/office-state.tsx';
import { QrCode } from '../ui/values/qr-code.tsx';
import { EmailAddress, Reference } from '../ui/values/reference.tsx';
import { StatusTag } from '../ui/values/status-tag.tsx';
import { SupportEmail, SupportLine, SupportPhone } from '../ui/values/support-contact.tsx';
import { TypedText } from '../ui/values/typed-text.tsx';
import type { Examples, Stories } from './story.tsx';

const at = '2026-11-20T09:30:00Z';
const noon = Date.parse('2026-11-20T08:00:00Z');

const statusTags = (texts: Examples, size: 'md' | 'lg') => (
  <div className="flex flex-wrap gap-3">
    {statusTones.map((tone) => (
      <StatusTag key={tone} tone={tone} size={size}>
        {texts.statuses[tone]}
      </StatusTag>
    ))}
  </div>
);

const legalText = ({ longStatus, street, building }: Examples) =>
  [longStatus, `- ${street}`, `- ${building}`, `| ${street} | ${building} |`, '| 1 | 2 |'].join(
    '\n',
  );

export const valueStories: Stories = (texts) => [
  { name: 'LegalText', isWide: true, states: { default: <LegalText text={legalText(texts)} /> } },
  {
    name: 'OfficeState',
    states: {
      open: <OfficeState office={{ state: 'open', changesAt: at }} now={noon} />,
      'closes soon': <OfficeState office={{ state: 'closesSoon', changesAt: at }} now={noon} />,
      closed: <OfficeState office={{ state: 'closed', changesAt: at }} now={noon} />,
      'opens another day': (
        <OfficeState office={{ state: 'closed', changesAt: '2026-11-23T03:30:00Z' }} now={noon} />
      ),
    },
  },
  { name: 'TypedText', states: { default: <TypedText>{texts.longStatus}</TypedText> } },
  { name: 'SupportPhone', states: { default: <SupportPhone /> } },
  { name: 'SupportEmail', states: { default: <SupportEmail /> } },
  { name: 'SupportLine', states: { default: <SupportLine text={texts.longStatus} /> } },
  {
    name: 'AddressLine',
    states: {
      default: <AddressLine street={texts.street} city={texts.building} emirate="dubai" />,
    },
  },
  {
    name: 'StatusTag',
    isWide: true,
    states: {
      'all tones': statusTags(texts, 'md'),
      large: statusTags(texts, 'lg'),
      long: <StatusTag tone="waiting">{texts.longStatus}</StatusTag>,
    },
  },
  {
    name: 'Money',
    states: {
      default: <Money fils={20_000} />,
      large: <Money fils={1_234_567_890} />,
      negative: <Money fils={-5000} />,
    },
  },
  {
    name: 'Moment',
    states: {
      'date and time': <Moment at={at} />,
      date: <Moment at={at} as="date" />,
      time: <Moment at={at} as="time" />,
      relative: <Moment at={new Date(Date.now() - 7_200_000).toISOString()} as="relative" />,
    },
  },
  {
    name: 'Reference',
    states: {
      'request number': <Reference>DW26-0004217</Reference>,
      'phone in a sentence': (
        <p>
          {texts.phone}: <Reference>+971 50 123 4567</Reference>
        </p>
      ),
      'user name, may break': (
        <Reference isName>a.very.long.user.name.of.a.company@department.diwan.example</Reference>
      ),
    },
  },
  {
    name: 'EmailAddress',
    states: {
      short: <EmailAddress>sara@diwan.example</EmailAddress>,
      'in a narrow column': (
        <p className="w-40">
          <EmailAddress>a.long.name.of.a.person@department.diwan.example</EmailAddress>
        </p>
      ),
    },
  },
  {
    name: 'QrCode',
    states: {
      default: (
        <div className="gallery-qr-code">
          <QrCode text="https://diwan.example/verify/DW26-0004217" label={texts.qrLabel} />
        </div>
      ),
    },
  },
];
