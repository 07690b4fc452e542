import {
  getDocument,
  GlobalWorkerOptions,
  TextLayer,
  type PDFDocumentLoadingTask,
  type PDFDocumentProxy,
  type PDFPageProxy,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
// oxlint-disable-next-line import/default -- Vite makes it: the worker's address
import workerAddress from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url';

export type { PDFDocumentLoadingTask, PDFDocumentProxy, PDFPageProxy };
export { TextLayer };

GlobalWorkerOptions.workerSrc = workerAddress;
const parts = new URL(String(import.meta.env.VITE_PDF_PARTS), window.location.origin).href;

/**
 * Reads a PDF with nothing from elsewhere, no code made of text and no WebAssembly: the content
 * policy allows none of it. Scripts and forms of the document stay still. Decision 0025.
 */
export async function openPdf(content: Blob): Promise<PDFDocumentLoadingTask> {
  return getDocument({
    data: await content.arrayBuffer(),
    cMapUrl: `${parts}cmaps/`,
    cMapPacked: true,
    standardFontDataUrl: `${parts}standard_fonts/`,
    wasmUrl: `${parts}wasm/`,
    useWasm: false,
    isEvalSupported: false,
    enableXfa: false,
    maxImageSize: 64_000_000,
  });
}
