import { Suspense, type ReactNode } from 'react';
import { useFormat } from '#lib/i18n/format.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import type { AnnouncementAudience } from '@diwan/contract/content/announcements';
import type { ChangeEntity, FieldChange } from '@diwan/contract/people/changes';
import { directionOf, type LocalizedText } from '@diwan/contract/wire/languages';
import { Moment } from '../values/moment.tsx';

// Amounts are stored in fils, and the rate of a provider in hundredths of a percent.
const moneyFields = new Set(['amount', 'minimum', 'maximum', 'fixed']);
const providerFields = new Set(['fallback', 'payee']);

/** A value of a field in words: a number or a code that is stored, such as the state of a refund. */
function useWords() {
  const { t } = useTranslation('changes');
  const { money, date } = useFormat();
  const wordsOfNumber = (field: string, value: number) => {
    if (moneyFields.has(field)) return money(value);
    return String(field === 'rate' ? value / 100 : value);
  };
  const wordsOfText = (field: string, value: string) => {
    if (/^\d{4}-\d\d-\d\d$/.test(value)) return date(value);
    if (!/^[\w-]+$/.test(value)) return value;
    const key = `values.${providerFields.has(field) ? 'provider' : field}.${value}`;
    const known = t(key);
    return known === key ? value : known;
  };
  return (field: string, value: unknown) => {
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
    if (typeof value === 'number') return wordsOfNumber(field, value);
    return wordsOfText(field, String(value));
  };
}

/** Where other pages have the words of a code, by kind of thing and field. */
const placesOfCodes: Readonly<Record<string, string>> = {
  'agency.emirate': 'forms:emirates.',
  'announcement.kind': 'announcements:kinds.',
  'announcement.severity': 'announcements:severities.',
  'attachmentType.mediaTypes': 'designer:mediaTypes.',
  'company.emirate': 'forms:emirates.',
  'partner.reasons': 'partner-messages:reasons.',
  'paymentRule.method': 'payment-desk:methods.',
  'rejectionReason.about': 'returns:reasons.subjects.',
  'searchQuestion.language': 'shell:languages.',
  'seller.emirate': 'forms:emirates.',
  'service.others': 'catalogue:fields.',
  'service.template': 'designer:start.',
  'user.roles': 'shell:roles.',
};
const isMoment = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value);

/** The value of a JSON text; the text itself where it is none. */
export function parseStructure(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Codes in a list, which is JSON text or has commas. A media type is known by its second part. */
function codesIn(value: string): string[] {
  const list = value.startsWith('[') ? parseStructure(value) : value.split(', ');
  return (Array.isArray(list) ? list : [value]).map((code) => String(code).split('/').at(-1) ?? '');
}

/** Codes in words; one without words, such as of an earlier release, as it is. */
function CodeWords({ value, place }: { value: string; place: string }) {
  const [namespace = '', path = ''] = place.split(':');
  const { t } = useTranslation(namespace);
  const format = useFormat();
  const { t: word } = useTranslation('changes');
  const words = codesIn(value).map((code) => {
    const text = t(place + code);
    return text === path + code ? code : text;
  });
  return <span>{words.length > 0 ? format.list(words) : word('nothing')}</span>;
}

/** Whom an announcement concerns. `names`: of account types, an agency or a service. */
function Audience({ value, names }: { value: string; names: string[] | undefined }) {
  const { t } = useTranslation('announcements');
  const format = useFormat();
  const audience = parseStructure(value) as AnnouncementAudience;
  const named = audience.of === 'roles' ? audience.names.map((role) => t(`roles.${role}`)) : names;
  return (
    <span>
      {[t(`audiences.${audience.of}`), ...(named ? [format.list(named)] : [])].join(': ')}
    </span>
  );
}

interface WorkflowChange {
  kind: string;
  action?: string;
  status?: LocalizedText | null;
  from?: LocalizedText | null;
  to?: LocalizedText | null;
}

/** What an activation changed in a workflow. */
function WorkflowChanges({ changes }: { changes: readonly WorkflowChange[] }) {
  const { t } = useTranslation('workflow');
  const { language } = useLanguage();
  const nameOf = (status: LocalizedText | null | undefined) =>
    status ? `\u2068${status[language]}\u2069` : t('table.notSent');
  return (
    <Lines
      lines={changes.map(({ kind, action, status, from, to }) =>
        t(`differences.${kind}`, {
          action: action ? t(`actions.${action}`) : '',
          status: nameOf(status),
          from: nameOf(from),
          to: nameOf(to),
        }),
      )}
    />
  );
}

function Lines({ lines }: { lines: readonly string[] }) {
  return (
    <ul>
      {lines.map((line, index) => (
        <li key={index}>
          <bdi>{line}</bdi>
        </li>
      ))}
    </ul>
  );
}

/** How many records of a list an import added, changed and so on. */
function Counts({ counts }: { counts: Readonly<Record<string, unknown>> }) {
  const { t } = useTranslation('changes');
  const format = useFormat();
  const done = Object.entries(counts).filter(
    ([action, count]) => action !== 'unchanged' && typeof count === 'number' && count > 0,
  );
  if (done.length === 0) return <span>{t('unchanged')}</span>;
  return (
    <Lines
      lines={done.map(
        ([action, count]) => `${t(`actions.${action}`)}: ${format.count(Number(count))}`,
      )}
    />
  );
}

const isFee = (value: unknown): value is { title: LocalizedText; amount: number } =>
  typeof value === 'object' && value !== null && 'title' in value && 'amount' in value;

/** A structure, which is JSON text, in words where it has any. */
function StructureWords({ value, entity, field }: { value: string } & Place) {
  const { t } = useTranslation('changes');
  const { language } = useLanguage();
  const { money } = useFormat();
  const structure = parseStructure(value);
  if (entity === 'workflow' && field === 'changes' && Array.isArray(structure))
    return <WorkflowChanges changes={structure as WorkflowChange[]} />;
  if (entity === 'catalogue' && typeof structure === 'object')
    return <Counts counts={structure as Record<string, unknown>} />;
  if (Array.isArray(structure) && structure.length === 0) return <span>{t('nothing')}</span>;
  if (Array.isArray(structure) && structure.every(isFee))
    return (
      <Lines lines={structure.map(({ title, amount }) => `${title[language]}: ${money(amount)}`)} />
    );
  return (
    <details>
      <summary className="w-fit">{t('structure')}</summary>
      <pre dir="ltr" className="overflow-x-auto text-start text-sm">
        {JSON.stringify(structure, null, 2)}
      </pre>
    </details>
  );
}

interface Place {
  entity: ChangeEntity;
  field: string;
}

interface ChangedValueProps extends Place, Pick<FieldChange, 'language'> {
  value: FieldChange['before'];
  /** What the ids in the value are called. */
  names: string[] | undefined;
}

/** What needs the texts of other pages; undefined for a value that needs none. */
function wordsElsewhere({ value, names, entity, field }: ChangedValueProps): ReactNode {
  if (typeof value !== 'string') return undefined;
  if (entity === 'announcement' && field === 'audience')
    return <Audience value={value} names={names} />;
  const place = placesOfCodes[`${entity}.${field}`];
  if (place) return <CodeWords value={value} place={place} />;
  if (!names && /^[[{]/.test(value) && typeof parseStructure(value) === 'object')
    return <StructureWords {...{ value, entity, field }} />;
  return undefined;
}

/** A changed value in words. `language`: of a text. */
export function ChangedValue(props: ChangedValueProps) {
  const { value, names, field, language } = props;
  const { t } = useTranslation('changes');
  const format = useFormat();
  const wordsOf = useWords();
  if (value === undefined || value === null || value === '')
    return <span className="text-ink-500">{t('nothing')}</span>;
  const elsewhere = language === undefined ? wordsElsewhere(props) : undefined;
  if (elsewhere !== undefined) return <Suspense fallback={<span>…</span>}>{elsewhere}</Suspense>;
  if (names) return <bdi>{format.list(names)}</bdi>;
  if (isMoment(value)) return <Moment at={value} />;
  if (typeof value === 'number' && field === 'maximumBytes')
    return <span>{format.fileSize(value)}</span>;
  if (field === 'logo' && String(value).startsWith('/'))
    return (
      <img src={String(value)} alt={String(value)} width={32} height={32} className="size-8" />
    );
  return (
    <bdi
      lang={language}
      dir={language ? directionOf(language) : 'auto'}
      className="whitespace-pre-wrap wrap-anywhere"
    >
      {wordsOf(field, value)}
    </bdi>
  );
}
