import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FileStore } from '@tus/file-store'
import { Server } from '@tus/server'

/*
 * Resumable uploads as their library comes: each goes to a file of a folder, without a SHA-256,
 * without being forced to the disk, and nothing is made of it.
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
