import { createHash } from 'node:crypto';
import { createTranslator, localizedText } from '#platform/core/locale-texts.ts';
import { Refusal } from '#platform/core/refusals.ts';
import type { Database, Transaction } from '#platform/database/database.ts';
import { maximumLogoBytes } from '@diwan/contract/catalogue/logos';
import { LogoProblem } from './logo-problem.ts';
import { insertLogo } from './logos.store.ts';
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
