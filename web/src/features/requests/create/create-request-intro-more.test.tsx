import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { answerCall } from '#testing/answer-calls.ts';
import { serviceRecord } from '#testing/records.ts';
import { renderComponent, useLanguageOfTest } from '#testing/render-page.tsx';
import { getServiceDays } from '@diwan/contract/calendars/calendar-calls';
import { Channels, WaysOut } from './create-request-intro-more.tsx';

beforeEach(() => {
  answerCall(getServiceDays, { office: { state: 'closed' }, closed: [] });
});

it('names the centres of the agency, or says whom to ask', async () => {
  const centres = 'المركز الرئيسي، شارع النخيل\nمن الاثنين إلى الجمعة';
  await renderComponent(<Channels serviceId={7} agencyName="هيئة البيئة" centres={centres} />);
  await expect.element(page.getByText(/المركز الرئيسي، شارع النخيل/)).toBeVisible();
  expect(page.getByText(/اطلب من الجهة/).elements()).toEqual([]);
  await expect.element(page.getByText('مغلق الآن')).toBeVisible();
  await renderComponent(<Channels serviceId={7} agencyName="هيئة البيئة" centres={undefined} />);
  await expect.element(page.getByText(/اطلب من الجهة/)).toBeVisible();
});

it('says how to withdraw, what is paid back, and until when one can object', async () => {
  await useLanguageOfTest('en-US');
  const { fees, ...service } = serviceRecord({ objectionDays: 15 });
  const [first, ...others] = fees.lines;
  const lines = [{ ...first!, title: 'Licence fee', refundable: true }, ...others];
  const { unmount } = await renderComponent(
    <WaysOut
      service={{
        ...service,
        fees: { ...fees, lines },
        withdrawal: { beforeWork: 'full', afterWork: 'part' },
      }}
    />,
  );
  await expect.element(page.getByText(/withdraw it on its page/)).toMatchTextContent('everything');
  await expect
    .element(page.getByText(/the agency decides/))
    .toMatchTextContent('back: licence fee.');
  await expect.element(page.getByText(/for 15 days after the decision/)).toBeVisible();
  await unmount();
  // Without a fee there is nothing to pay back, and without a refundable one a part is nothing.
  await renderComponent(
    <WaysOut
      service={{
        ...service,
        fees,
        objectionDays: undefined,
        withdrawal: { beforeWork: 'none', afterWork: 'part' },
      }}
    />,
  );
  expect(page.getByText('Nothing you have paid is paid back.').elements()).toHaveLength(2);
  expect(page.getByText(/after the decision/).elements()).toEqual([]);
});
