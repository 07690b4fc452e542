import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createTranslator, localizedText } from '#platform/core/locale-texts.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { portalDetails } from '#platform/portal/portal-details.ts';
import { logoPath } from '@diwan/contract/catalogue/groups';
import { maximumLogoBytes } from '@diwan/contract/catalogue/logos';
import { LogoProblem } from './logo-problem.ts';
import { findLogo, insertLogo, isUploaded } from './logos.store.ts';
import { makeSafePng } from './safe-png.ts';
import { makeSafeSvg } from './safe-svg.ts';

function makeSafe(source: Buffer): { type: 'svg' | 'png'; content: Buffer } {
  if (source.length > maximumLogoBytes) throw new LogoProblem('tooLarge');
  if (source[0] === 0x89) return { type: 'png', content: makeSafePng(source) };
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(source);
  } catch {
    throw new LogoProblem('notADrawing');
  }
  if (!/^\s*</.test(text)) throw new LogoProblem('notADrawing');
  return { type: 'svg', content: Buffer.from(makeSafeSvg(text)) };
}

/**
 * Makes a picture safe and stores it by the hash of its content. Returns its path. Throws
 * LogoNotUsable with the reason.
 */
export async function storeLogo(
  database: Database | Transaction,
  source: Buffer,
  userId: string | null,
): Promise<string> {
  try {
    const { type, content } = makeSafe(source);
    const hash = createHash('sha256').update(content).digest('hex').slice(0, 32);
    return await insertLogo(database, `${hash}.${type}`, content, userId);
  } catch (error) {
    if (!(error instanceof LogoProblem)) throw error;
    const { reason, part } = error;
    throw new Refusal('LogoNotUsable', {
      reason: localizedText(createTranslator('catalogue'), `logo.problems.${reason}`, { part }),
    });
  }
}

// The logos that come with the portal.
const portalFiles = new URL('../../../../../web/public/', import.meta.url);

/**
 * What a new document stores of the portal's logo: its path, which names the same picture for ever.
 * Decision 0126.
 */
export function issuedPortalLogo(): { portalLogo?: string } {
  const { logo } = portalDetails();
  return logo === undefined ? {} : { portalLogo: logo };
}

/** A logo as the templates of documents read it. */
export interface PrintedLogo {
  format: 'svg' | 'png';
  content: number[];
}

/** The logo that a document stores, for its template; null where it has none. */
export async function printLogo(
  database: Database | Transaction,
  path: string | undefined,
): Promise<PrintedLogo | null> {
  const logo = path === undefined ? undefined : await readLogo(database, path);
  return logo ? { format: logo.format, content: [...logo.content] } : null;
}

/** The picture of a logo by its path; undefined where it cannot be read. */
async function readLogo(
  database: Database | Transaction,
  path: string,
): Promise<{ format: 'svg' | 'png'; content: Buffer } | undefined> {
  if (!logoPath.safeParse(path).success) return undefined;
  const format = path.endsWith('.png') ? 'png' : 'svg';
  const content = isUploaded(path)
    ? await findLogo(database, path)
    : await readFile(new URL(path.slice(1), portalFiles)).catch(() => undefined);
  return content && { format, content };
}
