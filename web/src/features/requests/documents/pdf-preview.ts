import {
  inspectDrawing,
  measuredSide,
  type InspectedPicture,
} from '#lib/uploads/inspect-picture.ts';
import { openPdf } from './pdf-view.tsx';

/**
 * The first page of a PDF in small, and why it may be hard to read. Undefined for a document that
 * cannot be opened: the server says why. It is drawn by the code of the viewer, which only people
 * who choose a PDF load.
 */
export async function inspectPdf(file: Blob): Promise<InspectedPicture | undefined> {
  const task = await openPdf(file);
  try {
    const page = await (await task.promise).getPage(1);
    const { width, height } = page.getViewport({ scale: 1 });
    const viewport = page.getViewport({ scale: measuredSide / Math.max(width, height) });
    const canvas = document.createElement('canvas');
    canvas.width = Math.ceil(viewport.width);
    canvas.height = Math.ceil(viewport.height);
    await page.render({ canvas, viewport }).promise;
    return inspectDrawing(canvas);
  } catch {
    return undefined;
  } finally {
    void task.destroy();
  }
}
