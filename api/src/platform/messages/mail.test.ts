import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readDeliveryError } from './delivery-error.ts';
import { smtpMailGateway, type Mail } from './mail.ts';

// A minimal mail server. It refuses recipients that begin with `full`.
const received: string[] = [];
const server = createServer((socket) => {
  let data: string[] | undefined;
  let rest = '';
  socket.write('220 mail.example ESMTP\r\n');
  socket.on('data', (chunk) => {
    const lines = (rest + chunk.toString()).split('\r\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (data) {
        if (line === '.') {
          received.push(data.join('\n'));
          data = undefined;
          socket.write('250 taken\r\n');
        } else data.push(line);
      } else if (line === 'DATA') {
        data = [];
        socket.write('354 go on\r\n');
      } else if (line === 'QUIT') socket.end('221 bye\r\n');
      else socket.write(line.startsWith('RCPT TO:<full') ? '552 mailbox full\r\n' : '250 ok\r\n');
    }
  });
});
let url: string;
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const mail: Mail = {
  to: 'sara@mail.example',
  language: 'ar-EG',
  subject: 'رمز التحقق',
  text: 'رمز التحقق هو 123456\n\n<b>تجاهل</b> هذه الرسالة.',
};
const decoded = (part: string) =>
  Buffer.from(
    part
      .replace(/=\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      ),
    'latin1',
  ).toString('utf8');

it('sends a mail by SMTP with its language and direction, and escapes its text', async () => {
  await smtpMailGateway(url, 'Diwan <no-reply@diwan.example>').send(mail);
  const message = received[0] ?? '';
  expect(message).toMatch(/^From: Diwan <no-reply@diwan\.example>$/m);
  expect(message).toMatch(/^To: .*sara@mail\.example/m);
  expect(message).toMatch(/^Content-Language: ar-EG$/m);
  const bodies = message
    .split('Content-Transfer-Encoding: ')
    .map((part) =>
      part.startsWith('base64')
        ? Buffer.from(part.slice(6), 'base64').toString('utf8')
        : decoded(part),
    )
    .join('\n');
  expect(bodies).toContain('رمز التحقق هو 123456');
  expect(bodies).toContain('<html lang="ar" dir="rtl">');
  expect(bodies.replaceAll(/<\/?span[^>]*>/g, '')).toContain('&#60;b&#62;تجاهل');
});

it('turns an address alone on its line into a link, and no other', async () => {
  const before = received.length;
  await smtpMailGateway(url, 'no-reply@diwan.example').send({
    ...mail,
    text:
      'لمتابعة طلبك:\nhttps://diwan.example/requests?a=1&request=x"y\n\n' +
      'https://diwan.example/a at https://diwan.example/b',
  });
  const bodies = (received[before] ?? '')
    .split('Content-Transfer-Encoding: ')
    .map((part) =>
      part.startsWith('base64')
        ? Buffer.from(part.slice(6), 'base64').toString('utf8')
        : decoded(part),
    )
    .join('\n');
  expect(bodies.match(/<a href="[^"]*"/g)).toEqual([
    '<a href="https://diwan.example/requests?a=1&#38;request=x&#34;y"',
  ]);
});

it('does not let a text add headers or recipients', async () => {
  const before = received.length;
  await smtpMailGateway(url, 'no-reply@diwan.example').send({
    ...mail,
    subject: 'x\r\nBcc: victim@mail.example',
  });
  expect(received[before]).not.toMatch(/^Bcc:/m);
});

it('throws when the mail is refused or the server cannot be reached', async () => {
  await expect(
    smtpMailGateway(url, 'no-reply@diwan.example').send({ ...mail, to: 'full@mail.example' }),
  ).rejects.toThrow();
  await expect(
    smtpMailGateway('smtp://127.0.0.1:1', 'no-reply@diwan.example').send(mail),
  ).rejects.toThrow();
});

it('uses the idempotency key as Message-ID, and distinguishes permanent errors', async () => {
  const gateway = smtpMailGateway(url, 'Diwan <no-reply@diwan.example>');
  const first = received.length;
  await gateway.send(mail, 'f3b1');
  await gateway.send(mail, 'f3b1');
  expect(received.slice(first).map((message) => /^Message-ID: (.*)$/m.exec(message)?.[1])).toEqual([
    '<f3b1@diwan.example>',
    '<f3b1@diwan.example>',
  ]);
  const deliveryError = (sending: Promise<void>) =>
    sending.then(() => undefined, readDeliveryError);
  expect(await deliveryError(gateway.send({ ...mail, to: 'full@mail.example' }))).toMatchObject({
    code: 'addressRefused',
    isPermanent: true,
    detail: expect.not.stringContaining('@') as string,
  });
  expect(
    await deliveryError(smtpMailGateway('smtp://127.0.0.1:1', 'no-reply@diwan.example').send(mail)),
  ).toMatchObject({ code: 'gatewayUnreachable', isPermanent: false });
});
