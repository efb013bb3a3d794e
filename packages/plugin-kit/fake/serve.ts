import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { FakeHang } from './failures.js'
import type { ProviderFake } from './fake_provider.js'

/** The longest accepted request body. */
const MAX_BODY_BYTES = 10 * 1024 * 1024

/**
 * Serves a fake over HTTP on loopback, to try a plugin with a running service.
 * @param port 0 for any free port
 */
export async function serve(
  fake: Pick<ProviderFake, 'answer'>,
  port = 0
): Promise<{ origin: string; close(): Promise<void> }> {
  const server = http.createServer((request, response) => {
    take(fake, request, response).catch(() => response.destroy())
  })
  await new Promise<void>((listening, failed) => {
    server.once('error', failed)
    server.listen(port, '127.0.0.1', listening)
  })
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}

async function take(
  fake: Pick<ProviderFake, 'answer'>,
  incoming: IncomingMessage,
  outgoing: ServerResponse
): Promise<void> {
  const { method = 'GET', url = '/', headers } = incoming
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of incoming) {
    length += (chunk as Buffer).length
    if (length > MAX_BODY_BYTES) throw new Error('Too long')
    chunks.push(chunk as Buffer)
  }
  const request = new Request(new URL(url, `http://${headers.host ?? 'localhost'}`), {
    method,
    headers: Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value] as [string, string]] : []
    ),
    ...(length > 0 ? { body: Buffer.concat(chunks) } : {}),
  })
  let response: Response
  try {
    response = await fake.answer(request)
  } catch (error) {
    // A hanging request stays open until the client gives up.
    if (!(error instanceof FakeHang)) outgoing.destroy()
    return
  }
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  outgoing.end(Buffer.from(await response.arrayBuffer()))
}
