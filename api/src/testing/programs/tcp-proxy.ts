import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * What a proxy does with connections: passes bytes on; refuses connections; resets them; keeps them
 * open and passes nothing on, forever; delays each piece, in milliseconds; passes pieces of some
 * bytes with pauses of 10 ms; breaks each connection after some bytes from the server.
 */
type ProxyMode =
  | 'pass'
  | 'refuse'
  | 'reset'
  | 'silence'
  | { delayMs: number }
  | { dripBytes: number }
  | { cutAfterBytes: number };

interface Connection {
  client: Socket;
  server: Socket;
  /** Silence has reached it. It passes nothing on any more, also after the silence. */
  isDead: boolean;
}

/** A TCP proxy in front of a server, for trials of a bad network. */
export interface TcpProxy {
  port: number;
  /** The connections that are open at the moment. */
  count(): number;
  /** Changes what happens to all connections, open and new. */
  setMode(mode: ProxyMode): Promise<void>;
  close(): Promise<void>;
}

/** The address of a server with the port of a proxy in front of it. */
export function addressThrough(proxy: TcpProxy, connectionString: string): string {
  const url = new URL(connectionString);
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  return url.toString();
}

async function listenOn(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Opens a proxy to the server of a connection string. */
export async function openTcpProxy(connectionString: string): Promise<TcpProxy> {
  const target = new URL(connectionString);
  const connections = new Set<Connection>();
  let mode: ProxyMode = 'pass';

  async function* pieces(chunk: Buffer): AsyncGenerator<Buffer> {
    if (typeof mode === 'object' && 'delayMs' in mode) await sleep(mode.delayMs);
    const size = typeof mode === 'object' && 'dripBytes' in mode ? mode.dripBytes : chunk.length;
    for (let start = 0; start < chunk.length; start += size) {
      if (size < chunk.length) await sleep(10);
      yield chunk.subarray(start, start + size);
    }
  }

  async function passOn(connection: Connection, source: Socket, target: Socket): Promise<void> {
    let passed = 0;
    for await (const chunk of source as AsyncIterable<Buffer>)
      for await (const piece of pieces(chunk)) {
        // Leaving the loop would close the socket.
        if (connection.isDead) await new Promise(() => undefined);
        const limit = typeof mode === 'object' && 'cutAfterBytes' in mode && mode.cutAfterBytes;
        passed += piece.length;
        if (limit && source === connection.server && passed > limit)
          throw new Error('the trial cuts this connection');
        if (!target.write(piece)) await once(target, 'drain');
      }
    target.end();
  }

  function breakOff({ client, server }: Connection, isReset: boolean): void {
    for (const socket of [client, server])
      if (isReset) socket.resetAndDestroy();
      else socket.destroy();
  }

  function accept(client: Socket): void {
    client.on('error', () => undefined);
    if (mode === 'reset') return void client.resetAndDestroy();
    const server = connect(Number(target.port || 5432), target.hostname);
    server.on('error', () => undefined);
    for (const socket of [client, server]) socket.setNoDelay(true);
    const connection: Connection = { client, server, isDead: mode === 'silence' };
    connections.add(connection);
    const isOver = () => {
      // A silent network does not carry the end of a connection.
      if (connection.isDead) return;
      breakOff(connection, false);
      connections.delete(connection);
    };
    for (const [source, other] of [
      [client, server],
      [server, client],
    ] as const) {
      source.on('close', isOver);
      void passOn(connection, source, other).catch(isOver);
    }
  }

  let listener = createServer({ allowHalfOpen: true }, accept);
  const port = await listenOn(listener, 0);

  async function stopListening(): Promise<void> {
    if (!listener.listening) return;
    const closed = once(listener, 'close');
    listener.close();
    for (const connection of connections) breakOff(connection, true);
    await closed;
    connections.clear();
  }

  return {
    port,
    count: () => connections.size,
    async setMode(next) {
      mode = next;
      if (next === 'silence') for (const connection of connections) connection.isDead = true;
      if (next === 'reset') for (const connection of connections) breakOff(connection, true);
      if (next === 'refuse') await stopListening();
      else if (!listener.listening) {
        listener = createServer({ allowHalfOpen: true }, accept);
        await listenOn(listener, port);
      }
    },
    close: stopListening,
  };
}
