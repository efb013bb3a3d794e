import { median } from './load.js'
import type { Measured } from './processes.js'
import type { Seeded } from './seed.js'

/** Asks the service and answers the body. @throws on any answer but 2xx */
export async function call<Body>(
  service: Measured,
  seeded: Seeded,
  method: string,
  path: string,
  body?: unknown
): Promise<Body> {
  const answer = await fetch(service.base + path, {
    method,
    headers: { 'x-api-key': seeded.key, 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Body
}

/** Times requests that follow each other; answers the median in milliseconds. */
export async function latency(times: number, ask: () => Promise<unknown>): Promise<number> {
  for (let index = 0; index < Math.min(20, times); index++) await ask()
  const figures: number[] = []
  for (let index = 0; index < times; index++) {
    const began = performance.now()
    await ask()
    figures.push(performance.now() - began)
  }
  return median(figures)
}
