import { Download, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { addressOf } from '#lib/api/fetch-call.ts';
import { showToast } from '#lib/browser/toasts.ts';
import { useFormat } from '#lib/i18n/format.ts';
import { useLanguage } from '#lib/i18n/language.ts';
import { useTranslation } from '#lib/i18n/translate.ts';
import { Button } from '#ui/actions/button.tsx';
import { CopyButton } from '#ui/actions/copy-button.tsx';
import { IconButton } from '#ui/actions/icon-button.tsx';
import { DataTable, type Column } from '#ui/data/data-table.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { FileButton } from '#ui/files/file-button.tsx';
import {
  getHolidayFile,
  saveCalendar,
  type DeclaredCalendar,
} from '@diwan/contract/calendars/calendar-calls';
import type {
  AgencyCalendar,
  Calendar,
  HoursPeriod,
  SpecialDay,
} from '@diwan/contract/calendars/calendars';
import { readICalendar, type FileProblem } from '@diwan/contract/calendars/i-calendar';
import type { WorkingTime } from '@diwan/contract/calendars/working-time';
import { replaceAt } from './calendar-dialogs.tsx';

/** A row of the lists: an entry, and its place in what is declared; none of the portal's. */
interface Row<Entry> {
  entry: Entry;
  index: number | undefined;
}

const rowsOf = <Entry extends { from: string; until: string }>(
  own: readonly Entry[],
  inherited: readonly Entry[],
  year: number,
): Row<Entry>[] =>
  [
    ...own.map((entry, index) => ({ entry, index })),
    ...inherited.map((entry) => ({ entry, index: undefined })),
  ]
    .filter(
      ({ entry }) =>
        Number(entry.from.slice(0, 4)) <= year && Number(entry.until.slice(0, 4)) >= year,
    )
    .toSorted((one, other) => (one.entry.from < other.entry.from ? -1 : 1));

/** What is being changed: a dialog is open. */
export type Edited =
  | { what: 'day' | 'period'; index: number | undefined }
  | { what: 'week' }
  | { what: 'confirm'; next: AgencyCalendar; text: string };

export interface OpenCalendar {
  declared: DeclaredCalendar;
  /** By which days are counted. */
  calendar: Calendar;
  time: WorkingTime;
  portal: Calendar;
  year: number;
}

function useDays() {
  const { date } = useFormat();
  return ({ from, until }: { from: string; until: string }) =>
    from === until ? date(from) : `${date(from)} – ${date(until)}`;
}

function useEntryColumns<Entry extends SpecialDay | HoursPeriod>({
  onEdit,
  onRemove,
}: Record<'onEdit' | 'onRemove', (index: number) => void>): Column<Row<Entry>>[] {
  const { t } = useTranslation('calendars');
  const { language } = useLanguage();
  const days = useDays();
  return [
    {
      key: 'name',
      header: t('name'),
      isPrimary: true,
      cell: ({ entry, index }) => (
        <span className="flex flex-col">
          <bdi>{entry.name[language]}</bdi>
          {index === undefined ? (
            <span className="text-sm font-normal text-ink-600">{t('ofPortal')}</span>
          ) : null}
        </span>
      ),
    },
    { key: 'days', header: t('days'), cell: ({ entry }) => days(entry) },
    {
      key: 'kind',
      header: t('kind'),
      cell: ({ entry }) => (
        <span className="flex flex-wrap gap-2">
          <bdi dir={'kind' in entry ? undefined : 'ltr'}>
            {'kind' in entry
              ? t(`kinds.${entry.kind}`)
              : `${entry.hours.full.from}–${entry.hours.full.until}`}
          </bdi>
          {entry.isExpected ? <span className="text-sm text-ink-600">{t('expected')}</span> : null}
        </span>
      ),
    },
    {
      key: 'action',
      header: t('action'),
      isControl: true,
      call: saveCalendar,
      cell: ({ entry, index }) =>
        index === undefined ? null : (
          <span className="flex gap-2">
            <IconButton
              label={t('editName', { name: entry.name[language] })}
              onPress={() => onEdit(index)}
            >
              <Pencil aria-hidden size={18} />
            </IconButton>
            <IconButton
              label={t('removeName', { name: entry.name[language] })}
              onPress={() => onRemove(index)}
            >
              <Trash2 aria-hidden size={18} />
            </IconButton>
          </span>
        ),
    },
  ];
}

/** The special days of a year, and its periods with other hours. */
export function Entries({
  open: { declared, portal, year },
  onEdit,
}: {
  open: OpenCalendar;
  onEdit: (edited: Edited) => void;
}) {
  const { t } = useTranslation('calendars');
  const { language } = useLanguage();
  const { calendar: own } = declared;
  const inherited = declared.agencyId === undefined ? { days: [], periods: [] } : portal;
  const removal = (list: 'days' | 'periods', index: number): Edited => ({
    what: 'confirm',
    text: t('confirm.remove', { name: own[list][index]?.name[language] }),
    next: { ...own, [list]: replaceAt<SpecialDay | HoursPeriod>(own[list], index) },
  });
  const dayColumns = useEntryColumns<SpecialDay>({
    onEdit: (index) => onEdit({ what: 'day', index }),
    onRemove: (index) => onEdit(removal('days', index)),
  });
  const periodColumns = useEntryColumns<HoursPeriod>({
    onEdit: (index) => onEdit({ what: 'period', index }),
    onRemove: (index) => onEdit(removal('periods', index)),
  });
  const days = rowsOf(own.days, inherited.days, year);
  const periods = rowsOf(own.periods, inherited.periods, year);
  return (
    <>
      <section className="flex flex-col gap-4">
        <h2 className="text-lg">{t('specialDays', { year })}</h2>
        {days.length === 0 ? (
          <EmptyState title={t('noDays')} />
        ) : (
          <DataTable
            caption={t('specialDays', { year })}
            columns={dayColumns}
            rows={days}
            rowKey={({ entry, index }) => `${entry.from} ${index}`}
          />
        )}
      </section>
      <section className="flex flex-col gap-4">
        <h2 className="text-lg">{t('periods', { year })}</h2>
        {periods.length === 0 ? (
          <EmptyState title={t('noPeriods')} />
        ) : (
          <DataTable
            caption={t('periods', { year })}
            columns={periodColumns}
            rows={periods}
            rowKey={({ entry, index }) => `${entry.from} ${index}`}
          />
        )}
      </section>
    </>
  );
}

function FileProblems({ problems }: { problems: readonly FileProblem[] }) {
  const { t } = useTranslation('calendars');
  const { count } = useFormat();
  if (problems.length === 0) return null;
  return (
    <div role="alert" className="rounded-lg border border-red-700 bg-red-50 p-4">
      <p className="font-semibold text-red-800">{t('file.refused')}</p>
      <ul className="mt-2 flex flex-col gap-1 text-sm">
        {problems.slice(0, 20).map(({ line, code, value }) => (
          <li key={`${line} ${code}`}>
            <span>{t('file.line', { line: count(line) })}</span>{' '}
            <span>{t(`file.problems.${code}`)}</span>{' '}
            {value ? <bdi>{value.slice(0, 100)}</bdi> : null}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What a file adds: days that the calendar has already are not added again. */
function mergeDays(own: AgencyCalendar, read: readonly SpecialDay[]): AgencyCalendar {
  const isKnown = (day: SpecialDay) =>
    own.days.some(({ from, until }) => from === day.from && until === day.until);
  return { ...own, days: [...own.days, ...read.filter((day) => !isKnown(day))] };
}

/** The buttons that change a calendar, and its file. */
export function Actions({
  open: { declared },
  onEdit,
}: {
  open: OpenCalendar;
  onEdit: (edited: Edited) => void;
}) {
  const { t } = useTranslation('calendars');
  const [problems, setProblems] = useState<readonly FileProblem[]>([]);
  const address = new URL(
    addressOf(getHolidayFile.path, {
      query: { AgencyId: declared.agencyId },
    }),
    window.location.href,
  ).href;
  async function readFile(file: File): Promise<void> {
    const { days, problems: found } = readICalendar(await file.text());
    setProblems(found);
    if (found.length > 0) return;
    const next = mergeDays(declared.calendar, days);
    const added = next.days.length - declared.calendar.days.length;
    if (added === 0) showToast(t('file.nothingNew'), 'success');
    else onEdit({ what: 'confirm', next, text: t('file.adds', { count: added }) });
  }
  return (
    <div data-no-print className="flex flex-col gap-4">
      <div className="flex flex-wrap gap-3">
        <Button
          call={saveCalendar}
          icon={<Plus aria-hidden size={18} />}
          onPress={() => onEdit({ what: 'day', index: undefined })}
        >
          {t('addDay')}
        </Button>
        <Button
          call={saveCalendar}
          variant="secondary"
          onPress={() => onEdit({ what: 'period', index: undefined })}
        >
          {t('addPeriod')}
        </Button>
        <Button call={saveCalendar} variant="secondary" onPress={() => onEdit({ what: 'week' })}>
          {t('editWeek')}
        </Button>
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <FileButton
          call={saveCalendar}
          label={t('file.read')}
          pendingLabel={t('file.read')}
          isPending={false}
          accept={['.ics', 'text/calendar']}
          onChoose={(file) => void readFile(file)}
        />
        <a className="link inline-flex items-center gap-2 py-2" href={address} download>
          <Download aria-hidden size={18} />
          {t('file.download')}
        </a>
        <CopyButton text={address} label={t('file.copy')} copiedLabel={t('file.copied')} />
      </div>
      <FileProblems problems={problems} />
    </div>
  );
}
