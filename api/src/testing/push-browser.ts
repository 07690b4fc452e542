import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';

/** A message as the push service got it. */
interface PushedMessage {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** A push service at `http://127.0.0.1:<port>`. `answers` are its next statuses for a path. */
export async function openPushService(port: number) {
  const received: PushedMessage[] = [];
  const answers = new Map<string, number[]>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      received.push({ path, headers: request.headers, body: Buffer.concat(chunks) });
      response.writeHead(answers.get(path)?.shift() ?? 201).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    answers,
    received: (path: string) => received.filter((each) => each.path === path),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A browser with a subscription at an endpoint: the receiving side of RFC 8291. */
export function openPushBrowser(endpoint: string) {
  const keys = createECDH('prime256v1');
  keys.generateKeys();
  const secret = randomBytes(16);
  const derive = (key: Buffer, salt: Buffer, info: Buffer | string, length: number) =>
    Buffer.from(hkdfSync('sha256', key, salt, info, length));
  return {
    body: {
      endpoint,
      publicKey: keys.getPublicKey().toString('base64url'),
      secret: secret.toString('base64url'),
    },
    /** Decrypts a message, which must be one record. */
    read({ body }: PushedMessage): Record<string, string> {
      const [salt, sender] = [body.subarray(0, 16), body.subarray(21, 86)];
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), sender]);
      const key = derive(keys.computeSecret(sender), secret, info, 32);
      const decipher = createDecipheriv(
        'aes-128-gcm',
        derive(key, salt, 'Content-Encoding: aes128gcm\0', 16),
        derive(key, salt, 'Content-Encoding: nonce\0', 12),
      );
      decipher.setAuthTag(body.subarray(-16));
      const text = Buffer.concat([decipher.update(body.subarray(86, -16)), decipher.final()]);
      if (text.at(-1) !== 2) throw new Error('The record is not the last one');
      return JSON.parse(text.subarray(0, -1).toString()) as Record<string, string>;
    },
  };
}
