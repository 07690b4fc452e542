import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { renderComponent } from '#testing/render-page.tsx';
import { Channels } from './create-request-intro-more.tsx';

it('names the centres of the agency, or says whom to ask', async () => {
  const centres = 'المركز الرئيسي، شارع النخيل\nمن الاثنين إلى الجمعة';
  await renderComponent(<Channels agencyName="هيئة البيئة" centres={centres} />);
  await expect.element(page.getByText(/المركز الرئيسي، شارع النخيل/)).toBeVisible();
  expect(page.getByText(/اطلب من الجهة/).elements()).toEqual([]);
  await renderComponent(<Channels agencyName="هيئة البيئة" centres={undefined} />);
  await expect.element(page.getByText(/اطلب من الجهة/)).toBeVisible();
});
