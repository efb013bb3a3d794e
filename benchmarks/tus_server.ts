import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FileStore } from '@tus/file-store'
import { Server } from '@tus/server'

/*
 * Resumable uploads by `@tus/server` with its defaults: it writes each upload to a file, takes no
 * SHA-256 and forces nothing to the disk.
 */

const directory = join(process.env.BENCH_FOLDER ?? tmpdir(), 'tus')
mkdirSync(directory, { recursive: true })

const uploads = new Server({ path: '/uploads', datastore: new FileStore({ directory }) })

const server = createServer((request, response) => {
  if (request.url?.startsWith('/uploads')) void uploads.handle(request, response)
  else response.end()
})
server.requestTimeout = 0
server.listen(Number(process.env.PORT), process.env.HOST)
process.on('SIGTERM', () => process.exit(0))
