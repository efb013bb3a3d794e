import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startFauxqs } from 'fauxqs'
import { S3Store } from '#foundation/core/files/s3_store'
import { makeS3Client } from '#start/s3_client'
import { listen } from './processes.js'

/** Answers a request in place of S3, or returns false to pass it on to S3. */
type Interceptor = (request: IncomingMessage, response: ServerResponse) => boolean

export const BUCKET = 'tarmac-test'

/**
 * Starts an S3 server (fauxqs, which keeps its files in a folder) behind a proxy. A test can
 * intercept requests there to refuse them, to keep silent or to break off. The proxy itself answers
 * ListMultipartUploads, which fauxqs does not support, from the folder.
 */
export async function startS3() {
  const folder = mkdtempSync(join(tmpdir(), 'tarmac-s3-'))
  const s3 = await startFauxqs({ port: 0, logger: false, s3StorageDir: folder })
  s3.createBucket(BUCKET)
  const uploads = () =>
    readdirSync(join(folder, '_multipart')).map((uploadId) => {
      const path = join(folder, '_multipart', uploadId, '.upload.json')
      const { key, initiated } = JSON.parse(readFileSync(path, 'utf8'))
      return { uploadId, key, initiated } as Record<'uploadId' | 'key' | 'initiated', string>
    })
  let intercept: Interceptor = () => false
  const requested: string[] = []
  const proxy = createServer((incoming, response) => {
    requested.push(`${incoming.method} ${incoming.url}`)
    if (intercept(incoming, response)) return
    if (isListOfUploads(incoming)) {
      incoming.resume()
      response.setHeader('content-type', 'application/xml')
      response.end(listOfUploads(uploads()))
      return
    }
    passOn(incoming, response, s3.port)
  })
  const settings = {
    endpoint: await listen(proxy),
    forcePathStyle: true,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  }
  const client = makeS3Client(settings)
  return {
    store: new S3Store(client, BUCKET),
    client,
    /** A store of the same server with other settings. */
    storeOf: (bucket: string, more: Parameters<typeof makeS3Client>[0] = {}) =>
      new S3Store(makeS3Client({ ...settings, ...more }), bucket),
    endpoint: settings.endpoint,
    /** Uploads that are not completed. */
    uploads,
    /** Every request so far, as `PUT /bucket/key?…`. */
    asked: requested,
    interceptWith(interceptor: Interceptor) {
      intercept = interceptor
    },
    /** Passes a request on to S3, and drops the answer. */
    loseAnswer(incoming: IncomingMessage, response: ServerResponse): true {
      passOn(incoming, response, s3.port, () => incoming.socket.destroy())
      return true
    },
    async stop() {
      client.destroy()
      proxy.closeAllConnections()
      proxy.close()
      await s3.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function isListOfUploads({ method, url = '' }: IncomingMessage): boolean {
  return method === 'GET' && new URL(url, 'http://s3').searchParams.has('uploads')
}

function listOfUploads(uploads: Record<'uploadId' | 'key' | 'initiated', string>[]): string {
  const entries = uploads.map(
    ({ uploadId, key, initiated }) =>
      `<Upload><Key>${key}</Key><UploadId>${uploadId}</UploadId><Initiated>${initiated}</Initiated></Upload>`
  )
  return `<?xml version="1.0" encoding="UTF-8"?><ListMultipartUploadsResult><Bucket>${BUCKET}</Bucket><IsTruncated>false</IsTruncated>${entries.join('')}</ListMultipartUploadsResult>`
}

function passOn(
  incoming: IncomingMessage,
  response: ServerResponse,
  port: number,
  handOver = (answer: IncomingMessage) => {
    response.writeHead(answer.statusCode!, answer.headers)
    answer.pipe(response)
  }
) {
  const { method, url: path, headers } = incoming
  const forwarded = request({ host: '127.0.0.1', port, method, path, headers }, handOver)
  forwarded.on('error', () => response.destroy())
  response.on('close', () => forwarded.destroy())
  incoming.pipe(forwarded)
}

/** Refuses a request as S3 does. */
export function refuseAs(response: ServerResponse, status: number, code: string): true {
  response.writeHead(status, { 'content-type': 'application/xml', 'connection': 'close' })
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>No</Message></Error>`)
  return true
}
