import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { ExtensionPoint } from '#foundation/core/extension_point'
import { OutboundFailure, type OpenResponse, type OpenRequest } from '#outbound-client/opening'
import type { Transport } from '#provider-port/messages'

/** A provider inside this process: its host, and the function that handles requests to it. */
export interface InProcessHost {
  host: string
  answer(request: Request): Promise<Response>
}

/** Providers inside this process. Calls use the same port as for any other provider. */
export const inProcessHosts = new ExtensionPoint<InProcessHost>()

/** Wraps a transport so that calls to in-process providers do not leave this process. */
export function withInProcessHosts(transport: Transport): Transport {
  return {
    addressesOf: (url) => transport.addressesOf(url),
    open(request) {
      const { host } = new URL(request.url)
      const found = inProcessHosts.all.find((each) => each.host === host)
      return found ? callInProcess(found, request) : transport.open(request)
    },
  }
}

async function callInProcess(host: InProcessHost, request: OpenRequest): Promise<OpenResponse> {
  const { url, method, headers, signal } = request
  const body = await bodyOf(request.body)
  if (signal.aborted) throw new OutboundFailure('aborted', false, new Error('The call was aborted'))
  let response: Response
  try {
    response = await host.answer(new Request(url, { method, headers, body }))
  } catch (error) {
    throw new OutboundFailure('connection', true, error as Error)
  }
  return {
    status: response.status,
    headers: [...response.headers],
    body: await readableOf(response),
  }
}

/** Reads a JSON body whole, because converting its stream costs more. */
async function readableOf(response: Response): Promise<Readable> {
  if (response.body === null) return Readable.from([])
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
  if (!isJson) return Readable.fromWeb(response.body as ReadableStream<Uint8Array>)
  return Readable.from([Buffer.from(await response.arrayBuffer())])
}

async function bodyOf(body: OpenRequest['body']): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (body === undefined) return undefined
  if (body instanceof Uint8Array) return new Uint8Array(body)
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return new Uint8Array(Buffer.concat(chunks))
}
