/*
 * Failures of a fake provider that a test asks for. Over HTTP `serve` does the same with the
 * socket.
 */

/**
 * The next answer goes wrong: a status; `pass`, not this one; `reset` before anything is done; `lost` after it is done;
 * `hang`, no answer at all; `html`, the page of a proxy; `truncate`, half of the answer;
 * `huge`, more than anybody reads.
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

/** More than a host takes of an answer; made once, since each rule about it takes a copy. */
const HUGE_BYTES = 11 * 1024 * 1024
let hugeText: Blob | undefined
const huge = () => (hugeText ??= new Blob(['"', new Uint8Array(HUGE_BYTES).fill(0x78), '"']))

const HTML = '<!doctype html><title>Sign in</title><p>Please sign in to go on.'

/** An answer that went wrong. @throws FakeReset, FakeHang */
export async function failed(failure: Failure, answer: () => Promise<Response>): Promise<Response> {
  switch (failure) {
    case 'pass':
      return answer()
    case 'reset':
      throw new FakeReset()
    case 'lost':
      await answer()
      throw new FakeReset()
    case 'hang':
      throw new FakeHang()
    case 'html':
      return new Response(HTML, { headers: { 'content-type': 'text/html' } })
    case 'truncate': {
      const text = await (await answer()).text()
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
