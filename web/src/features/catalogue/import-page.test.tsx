import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { answerCall } from '#testing/answer-calls.ts';
import { renderComponent, signInAs } from '#testing/render-page.tsx';
import {
  cancelCatalogueJob,
  getCatalogueJob,
  prepareCatalogueImport,
  runCatalogueJob,
  type CatalogueJob,
} from '@diwan/contract/catalogue/transfer';
import { ImportPage } from './import-page.tsx';

const job = (parts: Partial<CatalogueJob> = {}): CatalogueJob => ({
  jobId: '5f2c1f5e-6f0a-4c2b-9a3e-0d6a3b7c1e21',
  kind: 'import',
  state: 'ready',
  total: 200,
  done: 0,
  counts: { services: { created: 1, changed: 1, retired: 0, restored: 0, unchanged: 198 } },
  changes: [
    {
      list: 'services',
      key: 'visa-extension',
      name: 'تمديد التأشيرة',
      action: 'changed',
      fields: [{ field: 'workingDays', before: '5', after: '9' }],
    },
  ],
  changesCount: 2,
  problems: [],
  problemsCount: 0,
  warnings: [],
  warningsCount: 0,
  ...parts,
});

const main = page.getByRole('main');
const button = (name: string | RegExp) => page.getByRole('button', { name });

beforeEach(() => signInAs('Admin'));

async function choose(name: string, content = '{}') {
  await renderComponent(
    <main>
      <ImportPage />
    </main>,
  );
  const input = document.querySelector<HTMLInputElement>('input[type=file]');
  if (!input) throw new Error('The page has a file input');
  const files = new DataTransfer();
  files.items.add(new File([content], name));
  input.files = files.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
}

it('shows what a file would change, makes the changes with their progress, and stops', async () => {
  const sent = answerCall(prepareCatalogueImport, job());
  answerCall(runCatalogueJob, job({ state: 'running' }));
  let progress = job({ state: 'running', done: 50 });
  answerCall(getCatalogueJob, () => progress);
  answerCall(cancelCatalogueJob, () => progress);
  await choose('catalogue.xlsx');
  await expect.element(main.getByRole('rowheader', { name: /تمديد التأشيرة/ })).toBeVisible();
  await expect.element(main.getByText('9', { exact: true })).toBeVisible();
  await expect.poll(() => sent[0]?.query.get('Format')).toBe('xlsx');
  await button(/^تنفيذ/).click();
  await expect.element(main.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '25');
  await button('إيقاف وعدم حفظ شيء').click();
  progress = job({ state: 'cancelled' });
  await expect.element(main.getByText('تم الإيقاف، ولم يتغير شيء')).toBeVisible();
  await button('إغلاق').click();
  await expect.element(button('اختيار ملف')).toBeVisible();
});

it('names row and column of each problem of a refused file, and offers no changes', async () => {
  answerCall(
    prepareCatalogueImport,
    job({
      state: 'refused',
      problems: [
        {
          list: 'services',
          row: 7,
          column: 'name (ur-PK)',
          heading: 'الاسم (الأردية)',
          message: 'هذا الحقل مطلوب',
        },
        { list: 'moons', row: 1, column: '', heading: '', message: 'هذه القائمة غير معروفة' },
      ],
      problemsCount: 2,
    }),
  );
  await choose('catalogue.json');
  const row = main.getByRole('row').filter({ hasText: 'name (ur-PK)' });
  await expect.element(row).toMatchTextContent(/هذا الحقل مطلوب.*7/);
  await expect.element(main.getByText('moons')).toBeVisible();
  expect(button(/^تنفيذ/).elements()).toEqual([]);
});

it('refuses a file of another type before it is sent', async () => {
  const sent = answerCall(prepareCatalogueImport, job());
  await choose('catalogue.pdf');
  await expect.element(main.getByRole('alert')).toMatchTextContent(/\.xlsx أو \.csv أو \.json/);
  await expect.poll(() => sent).toEqual([]);
});
