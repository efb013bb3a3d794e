/*
 * Failures that a test requests from a fake provider. `serve` turns `reset` and `hang` into the
 * same behaviour of a socket.
 */

/**
 * The failure of one answer: an error status; `pass`, none; `reset`, the connection breaks before
 * the request is applied; `lost`, it breaks afterwards; `hang`, no answer at all; `html`, the page
 * of a proxy; `truncate`, half of the answer; `huge`, more than a host reads.
 */
export type Failure =
  | { status: number; headers?: Readonly<Record<string, string>>; body?: unknown }
  | 'pass'
  | 'reset'
  | 'lost'
  | 'hang'
  | 'html'
  | 'truncate'
  | 'huge'

/** The connection broke. */
export class FakeReset extends Error {}

/** There will be no answer. */
export class FakeHang extends Error {}

/** Larger than the longest answer that a host reads. The text is made once for all rules. */
const HUGE_BYTES = 11 * 1024 * 1024
let hugeText: Blob | undefined
const huge = () => (hugeText ??= new Blob(['"', new Uint8Array(HUGE_BYTES).fill(0x78), '"']))

const HTML = '<!doctype html><title>Sign in</title><p>Please sign in to go on.'

/** Returns the answer with a failure applied. @throws FakeReset, FakeHang */
export async function failed(
  failure: Failure,
  respond: () => Promise<Response>
): Promise<Response> {
  switch (failure) {
    case 'pass':
      return respond()
    case 'reset':
      throw new FakeReset()
    case 'lost':
      await respond()
      throw new FakeReset()
    case 'hang':
      throw new FakeHang()
    case 'html':
      return new Response(HTML, { headers: { 'content-type': 'text/html' } })
    case 'truncate': {
      const text = await (await respond()).text()
      const half = text.length > 1 ? text.slice(0, Math.ceil(text.length / 2)) : '{"cut'
      return new Response(half, { headers: { 'content-type': 'application/json' } })
    }
    case 'huge':
      return new Response(huge())
    default:
      return new Response(JSON.stringify(failure.body ?? { message: 'It failed' }), {
        status: failure.status,
        headers: { 'content-type': 'application/json', ...failure.headers },
      })
  }
}
