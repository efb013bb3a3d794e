import { createServer } from 'node:http'

/** A request as the reference servers see it. */
export interface Asked {
  segments: string[]
  key: string
  body: Buffer
}

/**
 * Answers each request with the result of a function as JSON, with `node:http` and nothing else.
 */
export function serve(answer: (asked: Asked) => unknown): void {
  createServer((request, response) => {
    const send = (status: number, value: unknown) => {
      const bytes = Buffer.from(JSON.stringify(value))
      response.writeHead(status, {
        'content-type': 'application/json',
        'content-length': bytes.length,
      })
      response.end(bytes)
    }
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', async () => {
      if (request.url === '/health/ready') return send(200, { status: 'ok' })
      try {
        const segments = request.url!.split('/')
        const key = String(request.headers['x-api-key'])
        send(200, await answer({ segments, key, body: Buffer.concat(chunks) }))
      } catch (error) {
        send(500, { error: (error as Error).message })
      }
    })
  }).listen(Number(process.env.PORT), '127.0.0.1')
}
