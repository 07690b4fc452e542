import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { renderComponent } from '#testing/render-page.tsx';
import { ProgressBar } from './progress-bar.tsx';

/** The colours of a bar near its two ends, as they are on the screen. */
async function coloursOf(name: string, role = 'progressbar'): Promise<string[]> {
  const bar = page.getByRole(role, { name });
  await expect.element(bar).toBeVisible();
  const picture = new Image();
  picture.src = `data:image/png;base64,${await bar.screenshot({ save: false })}`;
  await picture.decode();
  const canvas = new OffscreenCanvas(picture.width, picture.height);
  const drawing = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
  drawing.drawImage(picture, 0, 0);
  return [0.1, 0.9].map((part) =>
    drawing
      .getImageData(Math.round(picture.width * part), Math.round(picture.height / 2), 1, 1)
      .data.join(),
  );
}

it('looks empty at 0, full at its end and half full between them', async () => {
  await renderComponent(
    <div dir="ltr">
      <div role="img" aria-label="track" className="h-2 bg-ink-100" />
      <div role="img" aria-label="done" className="h-2 bg-primary" />
      <ProgressBar label="none" value={0} max={10} />
      <ProgressBar label="unknown" value={0} max={0} />
      <ProgressBar label="half" value={5} max={10} />
      <ProgressBar label="all" value={10} max={10} />
    </div>,
  );
  // The track of the browser is so dark that an empty bar looks full.
  const [empty] = await coloursOf('track', 'img');
  const [full] = await coloursOf('done', 'img');
  expect(await coloursOf('none')).toEqual([empty, empty]);
  expect(await coloursOf('unknown')).toEqual([empty, empty]);
  expect(await coloursOf('half')).toEqual([full, empty]);
  expect(await coloursOf('all')).toEqual([full, full]);
});
